// Both Cordis builds that the same plugin file must run on, and one graph on either: a plan, and whatever a test adds.
import { expect } from 'chai'
import { Context as NpmContext } from 'cordis'
import { Context as HostContext } from '@deepseek-ai/cordis'
import type { Context, Fiber } from 'cordis'
import * as capabilities from '../../plugins/capabilities/index.ts'
import type { CallContext, Member } from '../../plugins/capabilities/types.ts'

export const HOSTS: readonly (readonly [name: string, create: () => Context])[] = [
  ['cordis', () => new NpmContext()],
  ['@deepseek-ai/cordis', () => new HostContext() as unknown as Context],
]

export interface Bench { readonly ctx: Context, readonly plan: Fiber }

export async function bench(create: () => Context): Promise<Bench> {
  const ctx = create()
  const plan = ctx.plugin(capabilities)
  await active(plan)
  return { ctx, plan }
}

/** Takes the graph down, and fails when a plugin logged an error on the way. */
export async function unwind({ ctx }: Bench): Promise<void> {
  await ctx.fiber.dispose()
  expect(ctx.logger.buffer.filter(({ type }) => type === 'error').map(({ args }) => args[0] as unknown)).to.deep.equal([])
}

export async function active(fiber: Fiber): Promise<void> {
  for (let turn = 0; fiber.state !== 2; turn++) {
    if (turn > 1000) throw new Error(`the fiber stays in state ${fiber.state}`)
    await fiber.await()
    await new Promise((resolve) => { setImmediate(resolve) })
  }
}

/** A plugin that registers when it starts, and nothing else. */
export const owner = (register: (ctx: Context) => void) => ({ name: 'owner', inject: ['capabilityPlan'], apply: (ctx: Context) => { register(ctx) } })

export const member = (call: Member['call'] = () => null, rest: Partial<Member> = {}): Member => ({ replay: 'recorded-value', call, ...rest })

export const callContext = (signal: AbortSignal = new AbortController().signal): CallContext => ({ session: 's', signal, cwd: '/' })

export async function rejection(promise: Promise<unknown>): Promise<Error & { code?: string, operation?: string }> {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  throw new Error('the promise did not reject')
}

// Boots the graph of plugins in one process, on the Cordis that a test names, and takes it down again.
import { Context as NpmContext } from 'cordis'
import { Context as HostContext } from '@deepseek-ai/cordis'
import type { Context, Fiber } from 'cordis'
import { expect } from 'chai'
import * as capabilities from '../../plugins/capabilities/index.ts'
import * as journal from '../../plugins/journal/index.ts'
import * as kernel from '../../plugins/kernel/index.ts'
import type { KernelService } from '../../plugins/kernel/types.ts'

/** Both implementations that the same plugins have to run on. */
export const hosts: readonly { readonly name: string, create(): Context }[] = [
  { name: 'cordis', create: () => new NpmContext() },
  { name: '@deepseek-ai/cordis', create: () => new HostContext() as unknown as Context },
]

export interface Graph {
  readonly ctx: Context
  readonly fibers: { readonly journal: Fiber, readonly capabilities: Fiber, readonly kernel: Fiber }
  readonly kernel: KernelService
  /** Takes everything down; fails when a plugin logged an error on the way. */
  dispose(): Promise<void>
}

export interface GraphOptions {
  /** Directory of the session files; memory when absent. */
  readonly dir?: string
  readonly kernel?: kernel.Config
  readonly host?: string
}

/** Waits until a fiber is active, however often it goes up and down on the way. */
export async function active(fiber: Fiber): Promise<void> {
  for (let turn = 0; fiber.state !== 2; turn += 1) {
    if (turn > 2_000) throw new Error(`the fiber stays in state ${fiber.state}`)
    await fiber.await()
    await new Promise((resolve) => { setImmediate(resolve) })
  }
}

export async function boot(options: GraphOptions = {}): Promise<Graph> {
  const ctx = hosts.find(({ name }) => name === (options.host ?? 'cordis'))!.create()
  const fibers = {
    journal: ctx.plugin(journal as never, (options.dir === undefined ? { memory: true } : { dir: options.dir }) as never),
    capabilities: ctx.plugin(capabilities as never, {} as never),
    kernel: ctx.plugin(kernel as never, { spareHelper: false, ...options.kernel } as never),
  }
  for (const fiber of Object.values(fibers)) await active(fiber)
  return {
    ctx, fibers,
    get kernel() { return ctx.replKernel },
    async dispose() {
      await ctx.fiber.dispose()
      const errors = ctx.logger.buffer.filter(({ type }) => type === 'error').map(({ args }) => args[0])
      expect(errors, 'errors that plugins logged').to.deep.equal([])
    },
  }
}

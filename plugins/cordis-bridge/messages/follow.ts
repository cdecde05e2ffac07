// Sends what is to be said with the next request. The host accepts a step or not, after the prompt was assembled; only an accepted
// step of exactly that assembly gets messages, and only where its agent has a runtime context at all.
//
// Owns: which assemblies had the witness. Does not own: the log, and what is said (`state.ts`, `tips.ts`).
import type { Context } from 'cordis'
import { hostOf } from '../host/context.ts'
import type { Agent, Assembly, HostSession, PreStep } from '../host/types.ts'
import { RUN_CODE, type SessionLog } from '../session/log.ts'
import { visibility } from '../session/visible.ts'
import { Deliveries } from './deliveries.ts'
import { BINDING_DEFAULTS, messageOf, tipName, type Message, type Section, type Told } from './message.ts'
import { stateOf } from './state.ts'
import { tipText } from './texts.ts'
import { tipFor, type TipSettings } from './tips.ts'

/** Empty, so that it adds nothing to a prompt: it is there as long as its agent's runtime context is. */
const WITNESS = { name: 'tools:ptc-plus-message-delivery', order: 98, text: '' } as const

/** Where cells of sessions are; undefined where none run, so that what was said about them is taken back. */
export interface Cells { logOf(session: HostSession): SessionLog }

export interface Messages extends TipSettings {
  cells(): Cells | undefined
  /** What every cell has, for the model: empty for nothing. */
  catalog(): string
}

interface Followed {
  readonly deliveries: Deliveries
  /** The first event after this began to follow the session. */
  readonly beganAt: number
}

/** The form's next message, if what the model sees of it is not what holds. */
function change(form: 'snapshot' | 'catalog', seen: readonly Section[], sections: readonly Section[]): Told[] {
  return JSON.stringify(seen) === JSON.stringify(sections) ? [] : [{ form, sections }]
}

/** What is to be said with the next request, given what the log has. `cells`: undefined where none run. */
export function messagesFor({ deliveries, beganAt }: Followed, log: SessionLog | undefined, catalog: string, settings: TipSettings): Message[] {
  const cells = log?.cells() ?? []
  const state = log === undefined ? [] : stateOf(cells, (cell) => visibility(log.session)(cell), beganAt)
  const bindings = catalog === '' ? [] : [{ name: BINDING_DEFAULTS, text: catalog }]
  const told = [...change('snapshot', deliveries.seen('snapshot'), state), ...change('catalog', deliveries.seen('catalog'), bindings)].map((one) => messageOf(one))
  const tip = tipFor(deliveries.nextStep, cells, deliveries.tips, settings)
  if (tip === undefined) return told
  const { text, summary } = tipText(tip)
  return [...told, messageOf({ form: 'notice', sections: [{ name: tipName(tip.trigger, tip.ordinal), text }] }, summary)]
}

/** Everything ends with the context's fiber. */
export function followMessages(ctx: Context, messages: Messages): void {
  const host = hostOf(ctx)
  const assembled = new WeakMap<AbortSignal, { readonly agent: Agent, readonly hasCells: boolean }>()
  const followed = new WeakMap<HostSession, Followed>()
  const follow = (session: HostSession): Followed => {
    const known = followed.get(session)
    if (known !== undefined) return known
    const made = { deliveries: new Deliveries(session), beganAt: session.seq }
    followed.set(session, made)
    return made
  }
  const hasWitness = ({ contexts }: Assembly) => contexts.some(({ name, text }) => name === WITNESS.name && text === WITNESS.text)

  host.systemPrompt.context(WITNESS)
  host.on('system-prompt/assemble', async (_assembly, { agent, signal }, next) => {
    const assembly = await next()
    if (agent === undefined || signal === undefined) return assembly
    follow(agent.session)
    if (hasWitness(assembly)) assembled.set(signal, { agent, hasCells: assembly.tools.some(({ name }) => name === RUN_CODE) })
    else assembled.delete(signal)
    return assembly
  })
  host.on('agent/pre-step', async (step: PreStep, next) => {
    const { agent, signal } = step
    const decision = await next()
    const witness = assembled.get(signal)
    assembled.delete(signal)
    if (decision.kind !== 'enter' || signal.aborted || witness?.agent !== agent || opensNothing(step, decision.messages)) return decision
    const { session } = agent
    const log = witness.hasCells ? messages.cells()?.logOf(session) : undefined
    const made = messagesFor(follow(session), log, log === undefined ? '' : messages.catalog(), messages)
    return made.length === 0 ? decision : { ...decision, messages: [...decision.messages, ...made] }
  })
}

/** A step for which nothing is left to say does not begin; a message of ours is no reason to begin it. */
const opensNothing = (step: PreStep, accepted: readonly unknown[]): boolean => accepted.length === 0 && (step.step === 1 || step.messages.length > 0)

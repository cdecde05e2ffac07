// What the log of a session has of our messages, and which of them the model still sees. A message counts once it is in the log:
// one that was only proposed does not.
//
// Owns: the account, read on as the log grows. Does not own: the log.
import type { HostSession } from '../host/types.ts'
import { eventsOf } from '../session/log.ts'
import { tipOf, toldBy, type Form, type Section, type Told } from './message.ts'

export interface GivenTip {
  readonly trigger: string
  readonly ordinal: number
  /** Number of the request that it came with, over the whole session. */
  readonly step: number
  /** Of its event in the log. */
  readonly seq: number
}

export class Deliveries {
  private readonly session: HostSession
  private readonly told: (Told & { readonly seq: number })[] = []
  private readonly given: GivenTip[] = []
  private nextSeq = 0
  private steps = 0

  constructor(session: HostSession) { this.session = session }

  /** Every tip, once, whether the model still sees it or not. */
  get tips(): readonly GivenTip[] {
    this.readOn()
    return this.given
  }

  /** Number of the request that comes next. */
  get nextStep(): number {
    this.readOn()
    return this.steps + 1
  }

  /** What the model last read of this form and still sees. */
  seen(form: Form): readonly Section[] {
    this.readOn()
    const nodes = new Set(this.session.surface.nodes)
    return this.told.findLast((told) => told.form === form && nodes.has(told.seq))?.sections ?? []
  }

  private readOn(): void {
    const events = eventsOf(this.session)
    const first = events[0]?.seq ?? 0
    for (const { type, seq, data } of events.slice(Math.max(0, this.nextSeq - first))) {
      this.nextSeq = seq + 1
      if (type === 'step/start') this.steps += 1
      if (type !== 'user/message') continue
      for (const told of toldBy(data)) this.add(told, seq)
    }
  }

  private add(told: Told, seq: number): void {
    if (told.form !== 'notice') { this.told.push({ ...told, seq }); return }
    const tip = tipOf(told.sections[0]!)
    if (tip === undefined || this.given.some(({ trigger, ordinal }) => trigger === tip.trigger && ordinal === tip.ordinal)) return
    this.given.push({ ...tip, step: this.steps, seq })
  }
}

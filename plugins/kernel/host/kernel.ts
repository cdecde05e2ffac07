// The kernel service: which sessions are open, and the helper that waits for the next one.
//
// Owns: open sessions by id, the spare helper. Does not own: histories and namespaces (journal, capability plan).
// Invariants: one live object per id; K4 `close` resolves after every helper has exited.
import type { Context } from 'cordis'
import { plain } from '../../journal/own.ts'
import type { HistoryEntry } from '../../journal/types.ts'
import { KernelError } from '../errors.ts'
import type { KernelLimits, KernelService, OpenOptions, ReplayVerdict, ReplSession } from '../types.ts'
import { KeptPlans } from './kept/plans.ts'
import { rehearse } from './past/rehearsal.ts'
import { workerLimits } from './limits.ts'
import { Session } from './session.ts'
import type { SessionHost } from './session-host.ts'
import { SpareHelper } from './helper/spare.ts'

export interface KernelOptions {
  readonly spareHelper: boolean
  readonly maxLiveKernels: number
  readonly idleMs: number
  readonly durableReplay: boolean
}

const SESSION_ID = /^[^\u0000-\u001f\u007f]{1,200}$/u

export class Kernel implements KernelService {
  declare ctx: Context
  private readonly open_ = new Map<string, Promise<Session>>()
  private readonly live = new Map<string, Session>()
  private readonly spare: SpareHelper
  private readonly host: SessionHost
  private closed = false
  /** Sessions in the order in which they were used. */
  private readonly order = new Set<Session>()
  private readonly ending = new AbortController()
  private readonly rehearsals = new Set<Promise<unknown>>()

  constructor(ctx: Context, limits: KernelLimits, { spareHelper, maxLiveKernels, idleMs, durableReplay }: KernelOptions) {
    this.ctx = ctx
    this.spare = new SpareHelper(spareHelper)
    const { spare, open_, live } = this
    // A listener belongs to somebody else: that it throws changes nothing about the cell that it hears of.
    const events = plain(ctx.events)
    const tell = (emit: () => void) => { try { emit() } catch (error) { ctx.logger.error(error) } }
    const [journal, capabilities] = [plain(ctx.ptcJournal), plain(ctx.capabilityPlan)]
    this.host = {
      journal, capabilities, plans: new KeptPlans(ctx, capabilities, journal), limits,
      idleMs, durableReplay, admit: (session) => this.admit(session, maxLiveKernels),
      take: (of, locality) => spare.take(of, locality),
      refill: (of, locality) => spare.refill(of, locality),
      onSettled: (session, result) => { this.order.delete(session); this.order.add(session); tell(() => events.emit('ptc-kernel/cell-settled', session, result)) },
      onConfirmed: (id, cell) => { tell(() => events.emit('ptc-journal/confirmed', id, cell)) },
      onContracted: (id, frontier) => { tell(() => events.emit('ptc-journal/contracted', id, frontier)) },
      onReplaying: (id, done, of) => { tell(() => events.emit('ptc-journal/replaying', id, done, of)) },
      onCallerError: (error) => { ctx.logger.error(error) },
      onUnreclaimed: (id, pid) => { ctx.logger.warn('the helper %d of session %s was killed and has not exited in time', pid, id) },
      onClosed: (session) => { open_.delete(session.id); live.delete(session.id); this.order.delete(session) },
    }
  }

  async open(id: string, options: OpenOptions = {}): Promise<ReplSession> {
    if (typeof id !== 'string' || !SESSION_ID.test(id)) throw new KernelError('bad-session-id', String(id))
    if (this.closed) throw new KernelError('closed', id)
    const known = this.open_.get(id)
    if (known !== undefined) {
      const session = await known
      if (session.state !== 'closed') return session
      await session.close()
      return this.open(id, options)
    }
    const opening = Session.open(id, this.host, options)
    this.open_.set(id, opening)
    try {
      const session = await opening
      this.live.set(id, session)
      return session
    } catch (error) {
      this.open_.delete(id)
      throw error
    }
  }

  sessions(): ReplSession[] { return [...this.live.values()] }

  async replay(
    entries: Iterable<HistoryEntry> | AsyncIterable<HistoryEntry>, { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<ReplayVerdict> {
    if (this.closed) throw new KernelError('closed', 'of the replay')
    const { journal, capabilities, limits, take } = this.host
    const rehearsal = rehearse(entries, {
      fold: journal.newFold(), namespaces: capabilities.view(), take: (locality) => take(workerLimits(limits), locality),
      signal: signal === undefined ? this.ending.signal : AbortSignal.any([signal, this.ending.signal]),
    })
    this.rehearsals.add(rehearsal)
    try {
      return await rehearsal
    } finally {
      this.rehearsals.delete(rehearsal)
    }
  }

  /**
   * Makes room for one more live session by putting those to sleep that were used longest ago. Sessions that would lose
   * something by it, or are busy, stay: the limit bends before a session does.
   */
  private async admit(session: Session, maxLiveKernels: number): Promise<void> {
    this.order.delete(session)
    this.order.add(session)
    const live = [...this.order].filter((other) => other !== session && (other.state === 'idle' || other.state === 'running'))
    for (const other of live) {
      if (live.filter(({ state }) => state !== 'cold').length < maxLiveKernels) return
      await other.sleep()
    }
  }

  /** K4. */
  async close(): Promise<void> {
    this.closed = true
    this.ending.abort(new KernelError('closed', 'of the replay'))
    await Promise.allSettled(this.rehearsals)
    await Promise.all([...this.open_.values()].map(async (opening) => {
      const session = await opening.catch(() => undefined)   // whoever opened it has heard
      try { await session?.close() } catch (error) { this.ctx.logger.error(error) }
    }))
    await this.spare.close()
  }
}

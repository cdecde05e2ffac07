// The kernel service: which sessions are open, and the helper that waits for the next one.
//
// Owns: open sessions by id, the spare helper. Does not own: histories and namespaces (journal, capability plan).
// Invariants: one live object per id; K4 `close` resolves after every helper has exited.
import type { Context } from 'cordis'
import { KernelError } from '../errors.ts'
import type { KernelLimits, KernelService, OpenOptions, ReplSession } from '../types.ts'
import { Session, type SessionHost } from './session.ts'
import { SpareHelper } from './spare.ts'

// eslint-disable-next-line no-control-regex
const SESSION_ID = /^[^\u0000-\u001f\u007f]{1,200}$/u

export class Kernel implements KernelService {
  declare ctx: Context
  private readonly open_ = new Map<string, Promise<Session>>()
  private readonly live = new Map<string, Session>()
  private readonly spare: SpareHelper
  private readonly host: SessionHost
  private closed = false

  constructor(ctx: Context, limits: KernelLimits, keepSpare: boolean) {
    this.ctx = ctx
    this.spare = new SpareHelper(keepSpare)
    const { spare, open_, live } = this
    this.host = {
      journal: ctx.ptcJournal, capabilities: ctx.capabilityPlan, limits,
      take: (size) => spare.take(size),
      refill: (size) => spare.refill(size),
      onSettled: (session, result) => { ctx.emit('ptc-kernel/cell-settled', session, result) },
      onConfirmed: (id, cell) => { ctx.emit('ptc-journal/confirmed', id, cell) },
      onContracted: (id, frontier) => { ctx.emit('ptc-journal/contracted', id, frontier) },
      onReplaying: (id, done, of) => { ctx.emit('ptc-journal/replaying', id, done, of) },
      onClosed: (id) => { open_.delete(id); live.delete(id) },
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

  /** K4. */
  async close(): Promise<void> {
    this.closed = true
    await Promise.allSettled([...this.open_.values()].map(async (opening) => (await opening).close()))
    await this.spare.close()
  }
}

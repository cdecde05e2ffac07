// One session of the host and its kernel session: cells run one after the other, each against the history that the host's log is.
//
// Owns: the kernel session while it is open, which cells its names come from, calls that never ran. Does not own: the log.
// Invariants: K1; a cell never runs on names that the model can not see the origin of.
import type { RequestNamespaces } from '../../capabilities/types.ts'
import type { JournalService } from '../../journal/types.ts'
import type { CellLimits, CellResult, KernelService, ReplSession } from '../../kernel/types.ts'
import type { HostSession } from '../host/types.ts'
import { SessionLog, type LoggedCell } from './log.ts'
import { SessionLogSource, type Account } from './source.ts'
import { visibility } from './visible.ts'

export interface CellRequest {
  readonly cell: LoggedCell
  readonly namespaces: RequestNamespaces
  readonly cwd?: string
  readonly limits?: Partial<CellLimits>
  readonly signal?: AbortSignal
}

export interface HostedResult {
  readonly result: CellResult
  readonly account: Account
  /** Calls before this one that never ran, which its record confirms. */
  readonly confirms: readonly number[]
}

export interface Services {
  readonly kernel: KernelService
  readonly journal: JournalService
}

/** The kernel's name for a session of the host. */
export const kernelId = ({ id }: HostSession): string => `dsh:${id}`

export class HostedSession {
  readonly log: SessionLog
  private readonly services: Services
  private readonly source: SessionLogSource
  private kernelSession: ReplSession | undefined
  private queue: Promise<unknown> = Promise.resolve()
  /** Cells that the live names may come from. */
  private readonly live = new Map<number, LoggedCell>()
  private readonly neverRan = new Set<number>()
  private closing: Promise<void> | undefined

  constructor(session: HostSession, services: Services) {
    this.log = new SessionLog(session)
    this.services = services
    this.source = new SessionLogSource(this.log, (entries) => services.journal.fold(entries), this.neverRan)
  }

  get kernel(): ReplSession | undefined { return this.kernelSession }

  /** Rejects only when the request is misused, or the session was closed. */
  run(request: CellRequest): Promise<HostedResult> {
    const outcome = this.queue.then(() => this.runNext(request))
    this.queue = outcome.catch(() => {})
    return outcome
  }

  /** A call that was refused before its cell reached the kernel. */
  passOver(callSeq: number): void { this.neverRan.add(callSeq) }

  /** The result of a cell is final: its record is in it, and so will be in the log, or something has taken it out. */
  settle(_cell: LoggedCell, kept: boolean, confirms: readonly number[]): void {
    if (kept) for (const seq of confirms) this.neverRan.delete(seq)
  }

  close(): Promise<void> {
    return this.closing ??= (async () => {
      await this.kernelSession?.close()
      await this.queue
      await this.kernelSession?.close()
    })()
  }

  private async runNext({ cell, namespaces, cwd, limits, signal }: CellRequest): Promise<HostedResult> {
    if (this.closing !== undefined) throw new Error(`the session ${this.log.session.id} was disposed`)
    const account = this.source.begin(cell)
    try {
      const session = await this.openKernel()
      const { description } = cell
      const result = await session.run(cell.source, {
        namespaces, ...description === undefined ? {} : { description }, ...cwd === undefined ? {} : { cwd }, ...limits === undefined ? {} : { limits },
        ...signal === undefined ? {} : { signal },
      })
      this.live.set(cell.seq, cell)
      return { result, account, confirms: [...this.neverRan].sort((a, b) => a - b) }
    } finally {
      this.source.end()
    }
  }

  /** Names whose origin has left the model's view go with the kernel session that has them; the next one recovers without them. */
  private async openKernel(): Promise<ReplSession> {
    const { session } = this.log
    const isVisible = visibility(session)
    if (this.kernelSession !== undefined && ![...this.live.values()].every(isVisible)) {
      await this.kernelSession.close()
      this.kernelSession = undefined
    }
    if (this.kernelSession === undefined || this.kernelSession.state === 'closed') {
      this.live.clear()
      for (const cell of this.log.cells()) if (cell.settled && isVisible(cell)) this.live.set(cell.seq, cell)
      const { cwd } = session.header
      this.kernelSession = await this.services.kernel.open(kernelId(session), { source: this.source, ...cwd === undefined ? {} : { cwd } })
    }
    return this.kernelSession
  }
}

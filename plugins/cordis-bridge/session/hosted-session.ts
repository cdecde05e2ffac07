// One session of the host and its kernel session: cells run one after the other, each against the history that the host's log is.
//
// Owns: the kernel session while it is open, and which of the host's cells runs. Does not own: the log, and what the journal has been
// told about records.
// Invariants: K1.
import type { RequestNamespaces } from '../../capabilities/types.ts'
import type { JournalService } from '../../journal/types.ts'
import type { CellLimits, CellResult, EditOwner, KernelService, ReplSession } from '../../kernel/types.ts'
import type { HostSession } from '../host/types.ts'
import { SessionLog, type LoggedCell } from './log.ts'
import { idOf, SessionLogSource, withIds, type Account } from './source.ts'
import { visibility } from './visible.ts'

export interface CellRequest {
  readonly cell: LoggedCell
  readonly namespaces: RequestNamespaces
  readonly edits: EditOwner
  readonly cwd?: string
  readonly limits?: Partial<CellLimits>
  readonly signal?: AbortSignal
}

export interface HostedResult { readonly result: CellResult, readonly account: Account }

export interface Services {
  readonly kernel: KernelService
  readonly journal: JournalService
}

/** The kernel's name for a session of the host. */
export const kernelId = ({ id }: HostSession): string => `dsh:${id}`

export class HostedSession {
  readonly log: SessionLog
  private readonly id: string
  private readonly services: Services
  private readonly source: SessionLogSource
  private kernelSession: ReplSession | undefined
  /** Cells that counted for a while and do not. */
  private readonly disowned = new Set<number>()
  private queue: Promise<unknown> = Promise.resolve()
  private closing: Promise<void> | undefined

  constructor(session: HostSession, services: Services) {
    this.log = new SessionLog(session)
    this.id = kernelId(session)
    this.services = services
    this.source = new SessionLogSource(this.log, () => services.journal.pending(this.id))
  }

  get kernel(): ReplSession | undefined { return this.kernelSession }

  /** Rejects only when the request is misused, or the session was closed. */
  run(request: CellRequest): Promise<HostedResult> {
    const outcome = this.queue.then(() => this.runNext(request))
    this.queue = outcome.catch(() => {})
    return outcome
  }

  /** A call that was refused before its cell reached the kernel. */
  passOver({ seq }: LoggedCell): void { this.services.journal.neverRan(this.id, idOf(seq)) }

  /** The result of a cell is final. `record` is what its metadata holds of the record, undefined for nothing. */
  settle({ seq }: LoggedCell, record: unknown): void { this.services.journal.confirm(this.id, idOf(seq), withIds(record)) }

  /** The record of a cell that has been settled is lost after all: the next cell gives it up, with what was built on it. */
  disown({ seq }: LoggedCell): void { this.disowned.add(seq) }

  /** The cells of which the model still sees the call. */
  visible(): number[] {
    return this.log.cells().filter(visibility(this.log.session)).filter(({ seq }) => !this.disowned.has(seq)).map(({ seq }) => idOf(seq))
  }

  close(): Promise<void> {
    return this.closing ??= (async () => {
      await this.kernelSession?.close()
      await this.queue
      await this.kernelSession?.close()
    })()
  }

  private async runNext({ cell, ...options }: CellRequest): Promise<HostedResult> {
    if (this.closing !== undefined) throw new Error(`the session ${this.log.session.id} was disposed`)
    const account = this.source.begin(cell)
    try {
      const { source, description } = cell
      const { cwd } = this.log.session.header
      this.kernelSession = await this.services.kernel.open(this.id, { source: this.source, ...cwd === undefined ? {} : { cwd } })
      const result = await this.kernelSession.run(source, { ...options, ...description === undefined ? {} : { description } })
      return { result, account }
    } finally {
      this.source.end()
    }
  }
}

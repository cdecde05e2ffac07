// The contract of the kernel: what a caller hands in, what it gets back, and what a session promises. Types only.
import type { RequestNamespaces } from '../capabilities/types.ts'
import type { CellRecord, CellStatus, Diagnostic, FailureKind, HistoryEntry, HistorySource, RecordedError } from '../journal/types.ts'

export type { CellStatus, Diagnostic, FailureKind }

/** How declarations of names that exist already are treated. */
export type BindingPolicy = 'stateful' | 'protected'

/** One piece of output, in the order in which its channel produced it. */
export interface LogEntry {
  readonly channel: 'stdout' | 'stderr' | 'diagnostic'
  readonly text: string
}

/** What became of one cell. A failed program is `error`, never a rejection. */
export interface CellResult {
  readonly status: CellStatus
  readonly hasValue: boolean
  /** Present when the value is a plain JSON tree. */
  readonly value?: unknown
  /** Present instead of `value` when it is not: a deterministic rendering (contract 2.5). */
  readonly text?: string
  readonly logs: readonly LogEntry[]
  /** The text of all logs, newline-joined. */
  readonly output: string
  /** `name` is the name of the thrown value's constructor. */
  readonly error?: RecordedError
  readonly diagnostics: readonly Diagnostic[]
  readonly record: CellRecord
  /** What ran after the cell, because the cell edited another one (`tools.edit_run_code`). */
  readonly derived?: DerivedRun
}

/** A run of an edited cell: a cell of its own, with its own record. */
export interface DerivedRun {
  /** `callSeq` of the cell whose source was edited. */
  readonly target: number
  readonly source: string
  readonly result: CellResult
}

/** The cell that an edit is about. `callSeq` is its identity: in our own histories the `seq` of the entry that opened it. */
export interface EditTarget { readonly callSeq: number, readonly source: string }

/** What `tools.edit_run_code` answers. */
export type EditReceipt =
  | { readonly accepted: true, readonly scheduled: true, readonly target_call_seq: number }
  | { readonly accepted: false, readonly scheduled: false, readonly reason: string }

/**
 * Who knows which cell the edits of one running cell are about, and runs what comes of them when the cell has ended. The kernel
 * reads the request, does the edit and answers the receipt.
 */
export interface EditOwner {
  /** The most recently settled cell, or why there is none to edit. Asked when the call arrives, before anything is awaited. */
  capture(): EditTarget | { readonly none: string }
  /** The edit is accepted: `source` is to run. False when another edit has the target; then it is rejected. */
  claim(target: EditTarget, source: string): boolean
  /** The `callSeq` by which the running cell can be edited later; undefined when it will not be. `cell`: its `seq` in the history. */
  callOf(cell: number): number | undefined
}

export interface RunOptions {
  /** Interrupts the cell; before it starts, the cell is a `noop`. */
  readonly signal?: AbortSignal
  /** Absolute directory of the cell; default: the session's. */
  readonly cwd?: string
  /** Kept beside the source in the history. */
  readonly description?: string
  /** Output as it is produced, before the cell ends. */
  readonly onOutput?: (entry: LogEntry) => void
  /** What this cell alone may call, beside what is registered. A name that is taken rejects with `CapabilityError`. */
  readonly namespaces?: RequestNamespaces
  /** Overrides of the limits for this cell. */
  readonly limits?: Partial<CellLimits>
  /** Default: the session's own cells are edited, and the result carries what ran. With another owner, the owner runs it. */
  readonly edits?: EditOwner
}

/** Limits that hold for one cell. One snapshot is taken when the cell is submitted (K2). */
export interface CellLimits {
  /** Event-loop active time of the worker, milliseconds. */
  readonly computeMs: number
  /** Elapsed time, milliseconds. */
  readonly maxWallMs: number
  /** Logs and value together, bytes of UTF-8. */
  readonly maxOutputBytes: number
  readonly maxValueNodes: number
  readonly maxValueEdges: number
  readonly maxValueArrayLength: number
  readonly maxValueBigIntDigits: number
  /** How deep `code.run` may nest. */
  readonly maxNestedRunCodeDepth: number
  /** How long the figure that a cell's compute budget starts from may take to come, milliseconds. Without it the cell does not start. */
  readonly sampleBoundMs: number
  /** So many cells in a row without that figure cost the worker. */
  readonly unmeasuredCellLimit: number
}

/** Limits of a worker, fixed when it starts: a cell can not narrow them. */
export interface WorkerLimits {
  /** V8 old generation of the worker, mebibytes. */
  readonly maxOldGenerationSizeMb: number
  /** How long a helper that is being ended may take to exit, and after that its pipes to end, milliseconds; at least 1,000. */
  readonly workerReclaimMs: number
  /** How long the check that a fresh worker runs cells as it should may take, milliseconds. */
  readonly startupProbeMs: number
}

export interface KernelLimits extends CellLimits, WorkerLimits {}

export interface OpenOptions {
  /** Absolute working directory of cells that name none; default: the host process's. */
  readonly cwd?: string
  readonly policy?: BindingPolicy
  readonly limits?: Partial<KernelLimits>
  /** Where this session's history lives; default: the journal's current source. */
  readonly source?: HistorySource
}

export interface Edit { readonly receipt: EditReceipt, readonly derived?: DerivedRun }

/** `cold`: no process. `recovering`: replaying. `idle`, `running`: live. `closed`: for good. */
export type SessionState = 'cold' | 'recovering' | 'idle' | 'running' | 'closed'

/** A name that cells of the session declared, as the completion of a terminal wants it. */
export interface NamePreview { readonly name: string, readonly kind: string }

/** What can be seen of a session value without running code of the program. */
export interface ValuePreview {
  readonly name: string
  /** Readable: strings, numbers, booleans, null, undefined, BigInts of up to 128 digits, and arrays by their first five slots. */
  readonly status: 'readable' | 'unreadable'
  /** At most 512 UTF-16 units; empty when unreadable. */
  readonly text: string
  readonly truncated: boolean
}

/** One live object per session id. Cells run strictly one after the other (K1). */
export interface ReplSession {
  readonly id: string
  readonly state: SessionState
  policy: BindingPolicy
  run(source: string, options?: RunOptions): Promise<CellResult>
  /** The cell that an edit would be about now. */
  readonly editTarget: EditTarget | undefined
  /** Edits that cell as `tools.edit_run_code` does, and runs it. `request` is read like the argument of that member. */
  edit(request: unknown, options?: RunOptions): Promise<Edit>
  /** Session names, or the members of the value that `path` (`a.b`) names, without running user code. */
  complete(path?: string): Promise<NamePreview[]>
  /**
   * Previews of the named session values, or of the newest; 128 at most. Runs no user code, starts no worker and replays nothing:
   * what can not be seen like that, or not within 250 ms, is unreadable. Throws `KernelError` `bad-names`.
   */
  observe(names?: readonly string[]): Promise<ValuePreview[]>
  /** Drops the live worker; the next cell recovers. Waits for the running cell. */
  reset(): Promise<void>
  /** SIGKILLs the helper process, also in the middle of a cell. For tests and operators. */
  kill(): Promise<void>
  /** Brings a cold session to its frontier now instead of at the next cell. */
  recover(): Promise<void>
  close(): Promise<void>
}

/** `replayed` records were proven. */
export type ReplayVerdict = { readonly replayed: number } & (
  | { readonly proven: true }
  /** The record of `cell` (its `seq`) did not replay; those after it were not tried. */
  | { readonly proven: false, readonly cell: number, readonly reason: string }
)

/** `ctx.replKernel`. */
export interface KernelService {
  /** One live object per id: a second `open` of an open id answers the same session. Cold history is recovered lazily. */
  open(id: string, options?: OpenOptions): Promise<ReplSession>
  /** The sessions that are open now. */
  sessions(): ReplSession[]
  /**
   * Replays what a history proves in a helper of its own, which is gone afterwards: no session is opened, nothing is dispatched
   * (R1) and nothing is written. Rejects with `KernelError` `closed` when the kernel ends meanwhile, with the reason of `signal`,
   * and with what `entries` throws.
   */
  replay(entries: Iterable<HistoryEntry> | AsyncIterable<HistoryEntry>, options?: { readonly signal?: AbortSignal }): Promise<ReplayVerdict>
}

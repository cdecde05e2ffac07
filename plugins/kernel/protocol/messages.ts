// Every message of the kernel's three channels, one type per direction. Types only. `run` travels host -> helper -> worker,
// because the helper compiles on the way; everything a running cell says or hears goes straight over the worker's socket.
import type { AmbientRead, Envelope, RecordedCall, RecordedError, RecordedWake } from '../../journal/types.ts'
import type { NamespaceView } from '../../capabilities/types.ts'
import type { CompileRequest, PreparedCell, Rejection } from '../compile/types.ts'
import type { Edited, Operation } from '../edit/types.ts'
import type { ValueLimits } from '../wire/limits.ts'
import type { ProbeCells } from '../worker/probe/conformance.ts'

/** The answers that a replayed cell gets instead of the outside world's. */
export interface Recorded {
  readonly calls: readonly RecordedCall[]
  readonly wakes: readonly RecordedWake[]
  readonly ambient: readonly AmbientRead[]
}

/** What the worker needs beside the compiled cell. */
export interface RunOrder {
  readonly cell: number
  readonly cwd: string
  /** `protected-v1`: imports can not be written. */
  readonly isProtected: boolean
  readonly namespaces: readonly NamespaceView[]
  readonly limits: ValueLimits
  /** Timers that are left when a replay ends do not go on: something has printed where no cell could own it. */
  readonly dropsTimers?: true
  /** Present in a replay (R1: such a cell sends no `call`). */
  readonly recorded?: Recorded
}

/** An order on a channel: without what the one before on the same channel had as well (`repeated.ts`). */
export type SentOrder = Omit<RunOrder, 'namespaces' | 'limits'> & Partial<Pick<RunOrder, 'namespaces' | 'limits'>>

/** Host to helper, over the process's IPC channel. */
export type ToHelper =
  /** `startBy`, by `machineMs`: later than this the cell must not start any more. Absent in a replay, which nothing measures. */
  | { readonly type: 'run', readonly request: CompileRequest, readonly order: SentOrder, readonly startBy?: number }
  | { readonly type: 'sample', readonly id: number }
  /** Patterns of an edit may be slow, so it is done where nobody waits for the thread. */
  | { readonly type: 'edit', readonly id: number, readonly source: string, readonly operation: Operation }
  /** The running cell has moved to another directory. */
  | { readonly type: 'enter', readonly id: number, readonly cwd: string }

/** Helper to host. */
export type FromHelper =
  /** The helper has taken a cell with a `startBy`. `activeMs`: where its compute budget starts from. */
  | { readonly type: 'started', readonly cell: number, readonly activeMs: number }
  | { readonly type: 'rejected', readonly cell: number, readonly rejection: Rejection }
  /** Event-loop active time of the worker since it started, milliseconds. */
  | { readonly type: 'sampled', readonly id: number, readonly activeMs: number }
  | { readonly type: 'edited', readonly id: number, readonly edited: Edited }
  /** `refusal`: why the directory can not be entered. */
  | { readonly type: 'entered', readonly id: number, readonly refusal?: string }
  | OverflowNotice
  | { readonly type: 'worker-ended', readonly reason: string }

/** Where a cell stands: what `import.meta` says, and what its relative specifiers resolve from. */
export interface CellPlace { readonly dirname: string, readonly filename: string, readonly url: string }

/** What the worker runs. */
export interface PreparedOrder { readonly prepared: PreparedCell, readonly order: RunOrder, readonly place: CellPlace }

/** Helper to worker, over a private port. */
export type SentPrepared = Omit<PreparedOrder, 'order'> & { readonly order: SentOrder }

/** Helper to worker, over the port, before any cell: what the worker has to prove. */
export interface ProbeOrder { readonly probe: ProbeCells, readonly place: CellPlace }

export type ToSessionWorker = ProbeOrder | SentPrepared

/** Worker to helper, over the same port. */
export type FromSessionWorker =
  | OverflowNotice
  /** The startup probe begins, and how it ended. */
  | { readonly type: 'probing' }
  | { readonly type: 'probed', readonly failure?: string }

/** A cell has printed more than it may. Needs no turn of the worker's loop. */
export interface OverflowNotice { readonly type: 'overflow', readonly cell: number }

/** Host to worker, over the socket. */
export type ToWorker =
  | { readonly type: 'settle', readonly cell: number, readonly call: number, readonly ok: true, readonly value: Envelope }
  | {
    readonly type: 'settle', readonly cell: number, readonly call: number, readonly ok: false
    readonly error: { readonly name: string, readonly message: string }
    /** `capability`: not the member failed, there is none that the cell may call. */
    readonly origin: 'capability' | null
  }
  | { readonly type: 'complete', readonly id: number, readonly path: string }
  /** Without `names`: the newest session names. */
  | { readonly type: 'observe', readonly id: number, readonly names?: readonly string[] }

/** A place in a cell's source, 1-based. `cell` is the cell's number. */
export interface CellPosition { readonly cell: number, readonly line: number, readonly column: number }

export type WorkerCompletion =
  /** `withheld`: the last expression had a value, which can not leave the session, for this reason. */
  | { readonly kind: 'return', readonly hasValue: false, readonly withheld?: string }
  | { readonly kind: 'return', readonly hasValue: true, readonly value: Envelope }
  | { readonly kind: 'throw', readonly error: RecordedError, readonly at?: CellPosition, readonly origin?: ErrorOrigin }

/** What the thrown object is, when it is one that the kernel made: a lease that is over, or a member that can not be called. */
export type ErrorOrigin = 'lease' | 'capability'

/** What can be seen of a session value without running user code. */
export interface Observed {
  readonly name: string
  readonly status: 'readable' | 'unreadable'
  /** At most 512 units; empty when unreadable. */
  readonly text: string
  readonly truncated: boolean
}

/** Worker to host, over the socket. */
export type FromWorker =
  | { readonly type: 'ready' }
  | {
    readonly type: 'call', readonly cell: number, readonly call: number
    readonly global: string, readonly member: string, readonly args: Envelope
  }
  /**
   * `cell` is the cell whose code printed, which may have ended; 0 when that is not known. `isReport`: not the program's, but
   * Node's or the kernel's words about it (an uncaught exception, a warning).
   */
  | { readonly type: 'output', readonly cell: number, readonly channel: 'stdout' | 'stderr', readonly text: string, readonly isReport?: true }
  /** The first thing that the cell touched and that a replay can not supply. Sent at once, so that an abort keeps it. */
  | { readonly type: 'volatile', readonly cell: number, readonly reason: string }
  | {
    readonly type: 'done', readonly cell: number, readonly completion: WorkerCompletion
    /** A fence on each descriptor marks the end of what the cell wrote there. */
    readonly isFenced: boolean
    /** `settles[i]` is the position at which call number i was delivered. */
    readonly settles: readonly number[]
    readonly wakes: readonly RecordedWake[]
    readonly ambient: readonly AmbientRead[]
    /** In a replay: how the program left its record. */
    readonly divergence?: string
  }
  /** Since the last cell a timer has fired: the live state has something that no record has yet. */
  | { readonly type: 'stirred' }
  | { readonly type: 'completed', readonly id: number, readonly names: readonly { readonly name: string, readonly kind: string }[] }
  | { readonly type: 'observed', readonly id: number, readonly values: readonly Observed[] }

// The contract of the journal: what is written down for a session, where histories live, and what a history proves.
// Types only. Values that programs produced travel here as opaque envelopes: the journal stores them and never opens them.
import type { Surface } from './schema/surface.ts'

export type { SeenNamespace, Surface } from './schema/surface.ts'

/** A canonical value envelope (codec `ptc-value-graph/v1`). Opaque to the journal: compared and stored as text. */
export interface Envelope {
  readonly codec: string
  readonly root: unknown
  readonly nodes: readonly unknown[]
}

/** The language generation under which a cell was compiled. Persistent ids, since version 11; never reused. */
export type LanguageSemantics = 'stateful-v1' | 'protected-v1'

/**
 * The four fates of a cell. `durable` can be replayed. `volatile` ran, but touched something that is not recorded.
 * `discarded` was ended by the infrastructure and its heap is gone. `noop` never ran.
 */
export type CellStatus = 'durable' | 'volatile' | 'discarded' | 'noop'

/** Kinds of failure that a cell can settle with. Data, never a rejection. */
export type FailureKind =
  | 'exception' | 'timeout' | 'abort' | 'worker-exit' | 'invalid-output' | 'output-limit' | 'recovery'
  | 'budget-unavailable' | 'protocol'

export interface RecordedError {
  readonly kind: FailureKind
  /** Name of the thrown value's constructor, when there was one. */
  readonly name?: string
  readonly message: string
}

/**
 * One program call of a cell, in the order in which the program made them. `settle` is the position at which its
 * answer was delivered, in one sequence with the cell's wakes (invariant J4: together exactly 0..n-1).
 */
export type RecordedCall = {
  readonly global: string
  readonly member: string
  readonly args: Envelope
  readonly settle: number
} & (
  | { readonly ok: true, readonly value: Envelope }
  | { readonly ok: false, readonly error: { readonly name: string, readonly message: string } }
)

/**
 * A timer that fired, or work on another thread (compression, say) that ended: it counts as a timer without a time. `timer` is
 * the index of its creation in cell number `of` (this cell, when absent), `settle` the position at which it fired. `early`: it
 * fired between the cell before and this one; such wakes come first.
 */
export interface RecordedWake { readonly timer: number, readonly settle: number, readonly of?: number, readonly early?: true }

/** An ambient read, for example `['Date.now', 1764544000000]`, and how often in a row, if not once. The value is JSON. */
export type AmbientRead = readonly [source: string, value: unknown, times?: number]

export interface StateOperation { readonly action: 'save' | 'restore' | 'delete', readonly name?: string }

export type Completion =
  | { readonly kind: 'return', readonly hasValue: false }
  | { readonly kind: 'return', readonly hasValue: true, readonly value: Envelope }
  | { readonly kind: 'throw', readonly error: RecordedError }

export interface SourcePosition { readonly line: number, readonly column: number }

/** The closed diagnostic record (contract 10). `message` and each `help` are one line. */
export interface Diagnostic {
  readonly code: string
  readonly severity: 'error' | 'warning' | 'note'
  readonly phase: 'parse' | 'preflight' | 'execute' | 'tool-dispatch' | 'replay' | 'recover'
  readonly message: string
  readonly stateEffect: 'unchanged' | 'partially-applied' | 'rolled-back' | 'unknown'
  readonly dispatchState?: 'not-dispatched' | 'dispatched' | 'completed' | 'unknown'
  /** 1-based positions in the source of the cell that `cell` names (`current`, or `cell N`). */
  readonly source?: { readonly cell: string, readonly start: SourcePosition, readonly end?: SourcePosition }
  readonly cause?: { readonly code?: string, readonly message: string } | Diagnostic
  readonly collisions?: readonly {
    readonly name: string, readonly kind: string, readonly reason: string
    readonly start: SourcePosition, readonly end?: SourcePosition
  }[]
  readonly help?: readonly string[]
}

/** One name that a user binding could supply, as it stood when the cell settled. */
export interface UserBindingName {
  readonly name: string
  readonly state: 'provider' | 'local' | 'absent' | 'unknown'
  readonly entryId?: string
}

/**
 * The account of one cell, version 11. Closed (J1): an unknown field invalidates it. The source is not part of it; the
 * history entry that opened the cell carries it.
 */
export interface CellRecord {
  readonly version: 11
  readonly languageSemantics: LanguageSemantics
  /** `native-root-v1+amaro@<version>`: who turned the source into what ran. */
  readonly moduleTransform: string
  /** Absolute directory in which the cell started. */
  readonly cwd: string
  /** Names of the program namespaces that were reserved in this cell, sorted (R3). */
  readonly namespaces: readonly string[]
  readonly userBindingsFingerprint: string | null
  readonly userBindingNames: readonly UserBindingName[] | null
  readonly status: CellStatus
  readonly calls: readonly RecordedCall[]
  readonly wakes: readonly RecordedWake[]
  readonly ambient: readonly AmbientRead[]
  readonly operations: readonly StateOperation[]
  /** `seq` of earlier cells that never ran and whose absence this record confirms. */
  readonly confirms: readonly number[]
  readonly diagnostics: readonly Diagnostic[]
  /** Required for durable and volatile cells, absent otherwise. */
  readonly completion?: Completion
  /** Only with volatile and discarded. A short label such as `import node:fs` or `notes.add`. */
  readonly volatileReason?: string
}

/**
 * What a history is made of. `seq` is unique and ascending within a session and minted by the store; `at` is epoch
 * milliseconds, for people only (nothing is decided by it).
 */
export type HistoryEntry = { readonly seq: number, readonly at: number } & NewEntry

export type NewEntry =
  /**
   * A cell was submitted. Its `seq` is the cell's identity everywhere else. A session's first cell says the time zone (IANA) and
   * the locale (BCP 47) that the session keeps. `derived`: its source is that of cell `of`, edited by cell `by` or by a person.
   * `surface`: what its program could see of its namespaces, when that is not what the cell opened before it could see.
   */
  | {
    readonly kind: 'cell-opened', readonly source: string, readonly cwd: string, readonly description?: string
    readonly timeZone?: string, readonly locale?: string, readonly derived?: { readonly of: number, readonly by?: number }, readonly surface?: Surface
  }
  /** A call is about to be dispatched; `call` is its index in the cell. Written before the dispatch. */
  | {
    readonly kind: 'call-opened', readonly cell: number, readonly call: number
    readonly global: string, readonly member: string, readonly args: Envelope
  }
  /** The answer of a call came back. The value itself is in the cell's record. */
  | { readonly kind: 'call-settled', readonly cell: number, readonly call: number, readonly ok: boolean }
  | { readonly kind: 'cell-settled', readonly cell: number, readonly record: CellRecord }
  /** A replay failed at cell `failed`; from here on the history contracts to `frontier` (a cell's `seq`, or nothing). */
  | { readonly kind: 'boundary', readonly failed: number, readonly frontier: number | null }

/**
 * Small documents that are kept beside a history, or beside all of a source, and are no part of it: nothing replays them, and an export
 * has none. Each has a name (`[a-z-]+`) and is replaced as a whole.
 */
export interface Documents {
  /** Undefined when there is none. Throws `JournalError` `io`, `closed`. */
  read(name: string): string | undefined
  /** On return it survives the machine. Whatever happens before, there is the old document or the new one. Throws as `read`, and then it is the old one. */
  write(name: string, text: string): void
  /** Takes a document that can not be used out of the way, and keeps it. Answers under which name, for people. Throws as `read`. */
  setAside(name: string): string
}

/** One session's history, held by its only writer. */
export interface History {
  readonly id: string
  /** Everything written so far, oldest first. Reading while appending sees a prefix. */
  entries(): AsyncIterable<HistoryEntry>
  /**
   * Appends one entry and returns its `seq`. On return the entry survives the death of this process. With
   * `{ sync: true }` it also survives the machine's, and so does everything appended before it.
   * Throws `JournalError` `closed` or `io`; then nothing was appended.
   */
  append(entry: NewEntry, options?: { sync?: boolean }): number
  /** What was repaired when the history was opened, for example a torn last line. */
  readonly repairs: readonly Diagnostic[]
  /** Absent: this place keeps no documents. */
  readonly documents?: Documents
  /**
   * `host`: a synced append does not make a record certain; the host says later, by `ctx.ptcJournal.confirm`, whether it kept
   * it. Absent: the append does.
   */
  readonly confirmation?: 'host'
  /** Releases the writer's lock. Idempotent. */
  close(): Promise<void>
}

export interface SessionSummary {
  readonly id: string
  /** Number of cells opened. */
  readonly cells: number
  /** Epoch milliseconds of the last change. */
  readonly updatedAt: number
  readonly bytes: number
}

/** One thing that a source has stored for a session: an entry, or what is wrong with what stands in its place. */
export type StoredEntry =
  | { readonly line: number, readonly entry: HistoryEntry }
  /** `torn`: cut off in the middle, by a write that never ended. `message` completes "line 3: ...". */
  | { readonly line: number, readonly damage: 'torn' | 'checksum' | 'order' | 'json', readonly message: string }

/**
 * A place where histories live. Every implementation runs the suite of `dsh-ptc-plus/testing`. The optional members make
 * more of the journal's outside possible; a source without one is asked for less.
 */
export interface HistorySource {
  readonly kind: string
  /**
   * Opens a session's history for writing, creating it when it does not exist.
   * Throws `JournalError`: `locked` when another writer holds it, `corrupt` when a line before the last is damaged,
   * `io`, `bad-id`.
   */
  open(id: string): Promise<History>
  /** Reads without a lock. Yields nothing for an unknown session. A torn tail ends the reading without an error. */
  read(id: string): AsyncIterable<HistoryEntry>
  list(): Promise<SessionSummary[]>
  /**
   * Everything that is stored for a session, without a lock, going on after damage. Absent: the source has nothing that
   * could be damaged apart from what `read` refuses.
   */
  inspect?(id: string): AsyncIterable<StoredEntry>
  /**
   * Creates a session out of entries that have their numbers and times already. All or nothing: when `entries` throws,
   * or the process ends in the middle, the session does not exist. On return it survives the machine.
   * Throws `JournalError`: `exists` when the session has an entry, `locked`, `io`, `bad-id`, and what `entries` throws.
   */
  adopt?(id: string, entries: AsyncIterable<HistoryEntry>): Promise<void>
  /** Documents beside all of its histories. Absent: this place keeps none. Several processes may write them; the last one counts. */
  readonly documents?: Documents
  /** Who has the session open for writing now, in words (`pid 123`), or null. */
  writer?(id: string): string | null
}

/** A cell that the fold accepted as part of the path that a cold kernel replays. */
export interface PathCell {
  /** `seq` of its `cell-opened` entry. */
  readonly cell: number
  readonly parent: number | null
}

export interface FoldedCell extends PathCell {
  readonly source: string
  readonly record: CellRecord
  /** Shared by the cells that had the same. Absent: the history does not say. */
  readonly surface?: Surface
}

/** A cell whose effect on the session's state can not be brought back, and why. */
export interface LostCell {
  readonly cell: number
  readonly reason: 'volatile' | 'discarded' | 'unsettled' | 'invalid' | 'contracted'
  /** The record's `volatileReason`, or what was wrong with the record. */
  readonly detail?: string
}

/** A call that was opened and of which no answer is known. It may or may not have happened; it is never repeated. */
export interface InDoubtCall {
  readonly cell: number
  readonly call: number
  readonly global: string
  readonly member: string
  readonly args: Envelope
}

/** What a history proves: the path to the last record that a cold kernel can be brought back to. */
export interface Frontier<C extends PathCell = FoldedCell> {
  /** The cell that the live state reflects after recovery; null for an empty session. */
  readonly head: number | null
  /** From the root to the head, in replay order. */
  readonly path: readonly C[]
  /** Named checkpoints: the head that each one stands for. */
  readonly checkpoints: ReadonlyMap<string, number | null>
  /** Cells after the head, or cut off from it, that the next recovery reports as lost. */
  readonly lost: readonly LostCell[]
  readonly inDoubt: readonly InDoubtCall[]
}

/** A fold in progress: a live session adds entries as they are written. */
export interface Fold<C extends PathCell = FoldedCell> {
  add(entry: HistoryEntry): void
  frontier(): Frontier<C>
  /** What the entries say about the surface of the cell that was opened last. */
  readonly surface: Surface | undefined
}

/** Something that is wrong with a stored history. */
export interface Problem {
  /** Of the history's file, or the position of the entry where a source has no lines; from 1 on. */
  readonly line: number
  readonly check: 'checksum' | 'order' | 'schema' | 'fold'
  /** The cell that it is about, where known. */
  readonly cell?: number
  readonly message: string
}

/** What a look at a whole stored history found. A replay is not part of it; that is the kernel's. */
export interface Audit {
  readonly lines: number
  readonly cells: number
  /** In the order of the lines. Empty: everything that was written is there and can be trusted. */
  readonly problems: readonly Problem[]
  /** A line is damaged and an intact one follows: the history can not be opened before that is repaired. */
  readonly corrupt: boolean
  /** What the entries prove; those after a damaged line do not count. */
  readonly frontier: Frontier
  /** The line at which a cell was opened, by the cell's `seq`. */
  readonly lineOf: ReadonlyMap<number, number>
}

/** The first line of an exported session. */
export interface DocumentHeader {
  readonly format: 'ptc-plus-session'
  readonly version: 1
  readonly session: string
  /** Under which Node it was exported, for example `v24.21.0`. */
  readonly node: string
  /** The newest version of a record that can be in it. */
  readonly recordVersion: number
  /** Under which languages and compilers its cells ran; sorted. */
  readonly languageSemantics: readonly string[]
  readonly moduleTransforms: readonly string[]
  readonly cells: number
}

/** A session as a document that another machine can import. Its lines can be read once or more. */
export interface ExportedSession {
  readonly header: DocumentHeader
  readonly entries: number
  /** What is not in the document, and why: one line each, for people. */
  readonly omitted: readonly string[]
  /** The document, a line at a time, line feeds included. */
  lines(): AsyncIterable<Buffer>
}

export interface ImportedSession {
  readonly session: string
  readonly header: DocumentHeader
  readonly entries: number
  /** What the imported history proves here. */
  readonly frontier: Frontier
}

/** What a host did with a record: kept it as it was written, changed it, or lost it. */
export type Verdict = 'kept' | 'changed' | 'missing'

/** The cells of a session that the model can still see, by their `seq`; undefined where nobody keeps account of that. */
export type Visibility = (session: string) => Iterable<number> | undefined

/** `ctx.ptcJournal`. */
export interface JournalService {
  /** Replaces the place where histories live, for the lifetime of the calling fiber. */
  source(source: HistorySource): () => void
  /** Opens the history of a session in `source`, or in the current one. It is closed when the journal's fiber unloads. */
  history(id: string, source?: HistorySource): Promise<History>
  read(id: string): AsyncIterable<HistoryEntry>
  list(): Promise<SessionSummary[]>
  /** The documents of the current source, if it keeps some. */
  documents(): Documents | undefined
  /** Checks all that is stored for a session and changes nothing. A session without entries has no lines. Throws `io`, `bad-id`. */
  audit(id: string): Promise<Audit>
  /**
   * A session as a document. Takes no lock: of a session that somebody writes to it is the part up to the last cell that
   * has ended. Throws `JournalError`: `unknown-session` without entries, `corrupt`, `io`, `bad-id`.
   */
  export(id: string): Promise<ExportedSession>
  /**
   * Makes a session out of a document, under the name `as` or the one that it has there. The document is taken as a
   * whole or not at all. Throws `JournalError`: `bad-document`, `exists`, `locked`, `unsupported` when the source
   * can not adopt sessions, `io`, `bad-id`.
   */
  import(document: AsyncIterable<Uint8Array>, as?: string): Promise<ImportedSession>
  /**
   * For hosts (two-phase confirmation): says what was kept of the record of `cell`, undefined for nothing. Answers whether the
   * record is confirmed: kept field for field. The first word about a cell counts; the next cell of the session takes silence for a loss.
   */
  confirm(session: string, cell: number, kept: unknown): boolean
  /** For hosts: the submission `cell` never reached a kernel. The session's next record says so. */
  neverRan(session: string, cell: number): void
  /**
   * For hosts: who knows what the model can still see, for the lifetime of the calling fiber. Asked before every cell; a
   * provider that throws, or answers anything but numbers, sees nothing.
   */
  visibility(visibility: Visibility): () => void
  /** For the kernel: what became of a record of a history with `confirmation: 'host'`. Asked once for a cell. */
  verdict(session: string, cell: number): Verdict
  /** For the kernel: whether the host has said that it kept the record of `cell`. Does not count as asking for the verdict. */
  isKept(session: string, cell: number): boolean
  /** For the kernel: submissions that never ran and that no record has confirmed yet. */
  pending(session: string): number[]
  /** For the kernel: the cells that the model can still see, or null when nobody keeps account of that. */
  visible(session: string): ReadonlySet<number> | null
  /** Folds entries to what they prove. Never throws: what it can not trust contracts the frontier (J3). */
  fold(entries: Iterable<HistoryEntry>): Frontier
  /** An empty fold, for a caller that adds the entries itself. */
  newFold(): Fold
  /** The same for one that lives long: it keeps of each cell where it stands, and not what it said. */
  newIndex(): Fold<PathCell>
  /** Reads the path of such a fold from the entries that were added to it. Throws `JournalError` `io` when they are gone. */
  contents(frontier: Frontier<PathCell>, entries: AsyncIterable<HistoryEntry>): Promise<Frontier>
}

// The host's log of one session as a history of the journal: what is in it already is read from the calls and from the records in
// their results' metadata; what a running cell adds is kept until its result carries it into the log.
//
// Owns: the account of the running cell. Does not own: the log (the host's) and what a history proves (the journal's).
// Crosses by: `HistorySource`, and `begin` for the cell that is about to run.
// Invariants:
//   L1  a cell's identity is the sequence number of its call's event, times STRIDE
//   L2  nothing is written to the host's log from here
import type { CellRecord, Envelope, History, HistoryEntry, HistorySource, NewEntry, SessionSummary, Surface } from '../../journal/types.ts'
import { encode } from '../../kernel/wire/index.ts'
import type { Boundary, Locality, LoggedCell, SessionLog } from './log.ts'

/** Room for the entries of one cell between two events of the log; the last RESERVED of it are for boundaries before the next. */
const STRIDE = 2 ** 21
const RESERVED = 2 ** 16

export const idOf = (callSeq: number): number => callSeq * STRIDE
export const callSeqOf = (id: number): number => Math.trunc(id / STRIDE)

/** What the running cell adds to its session's history. */
export interface Account {
  readonly cell: LoggedCell
  record?: CellRecord
  readonly boundaries: Boundary[]
  /** Where a session began: the notes of its first cell. */
  notes?: Locality
  /** What its program could see of its namespaces, when that is news. */
  surface?: Surface
}

type Running = Account & { entries: number }

function envelopeOf(value: unknown): Envelope {
  // What the host logs of a call is JSON, so only its size could be refused; the call then is in doubt without its argument.
  try { return encode(value) } catch { return encode(undefined) }
}

function confirmsOf(record: unknown): readonly unknown[] {
  const { confirms } = (record ?? {}) as { readonly confirms?: unknown }
  return Array.isArray(confirms) ? confirms : []
}

/** A record as the journal knows it. In the host's log the numbers of cells are those of their calls. */
export function withIds(record: unknown): unknown {
  const confirms = confirmsOf(record)
  return confirms.length > 0 ? { ...record as object, confirms: confirms.map((seq) => idOf(Number(seq))) } : record
}

/** A record as the host's log takes it. */
export const withCallSeqs = (record: CellRecord): CellRecord => ({ ...record, confirms: record.confirms.map(callSeqOf) })

function* entriesOf(cell: LoggedCell, defaultCwd: string): Generator<HistoryEntry> {
  const id = idOf(cell.seq)
  let entry = id - RESERVED
  const at = 0
  for (const { failedCallSeq, frontierCallSeq } of cell.boundaries) {
    yield { kind: 'boundary', seq: entry++, at, failed: idOf(failedCallSeq), frontier: frontierCallSeq === null ? null : idOf(frontierCallSeq) }
  }
  const { cwd: recorded } = (cell.record ?? {}) as { readonly cwd?: unknown }
  const cwd = typeof recorded === 'string' ? recorded : defaultCwd
  const { source, description, locality, surface, root, editOf } = cell
  const derived = root === undefined || editOf === undefined ? {} : { derived: { of: idOf(editOf), by: idOf(root.seq) } }
  // The journal reads the surface as untrusted as it is.
  const told = surface === undefined ? {} : { surface: surface as Surface }
  yield { kind: 'cell-opened', seq: id, at, source, cwd, ...description === undefined ? {} : { description }, ...derived, ...locality, ...told }
  entry = id + 1
  if (cell.record !== undefined || cell.distrust !== undefined) {
    // A record that is not to be trusted is one that can not be read.
    const record = cell.distrust === undefined ? withIds(cell.record) : null
    return yield { kind: 'cell-settled', seq: entry, at, cell: id, record: record as CellRecord }
  }
  for (const [call, { name, args, settled }] of cell.dispatches.entries()) {
    yield { kind: 'call-opened', seq: entry++, at, cell: id, call, global: 'tools', member: name, args: envelopeOf(args) }
    if (settled) yield { kind: 'call-settled', seq: entry++, at, cell: id, call, ok: true }
  }
}

export class SessionLogSource implements HistorySource {
  readonly kind = 'host-session-log'
  private readonly log: SessionLog
  private readonly neverRan: () => Iterable<number>
  private running: Running | undefined
  /** Accounts of cells whose results are on their way into the log. */
  private readonly underWay = new Map<number, Account>()

  /** `neverRan`: cells that were refused before they reached the kernel, and that no record confirms yet. */
  constructor(log: SessionLog, neverRan: () => Iterable<number>) {
    this.log = log
    this.neverRan = neverRan
  }

  /** The cell that runs from now on; it takes the entries that are appended. */
  begin(cell: LoggedCell): Account {
    const running: Running = { cell, boundaries: [], entries: 0 }
    return this.running = running
  }

  end(): void {
    const { running } = this
    this.running = undefined
    if (running?.record !== undefined) this.underWay.set(running.cell.seq, running)
  }

  /** What is written down, up to the running cell. */
  entries(): HistoryEntry[] {
    const { session } = this.log
    const running = this.running?.cell
    const before = this.log.cells().filter(({ seq }) => running === undefined || seq < running.seq).map((cell) => this.withAccount(cell))
    // Cells are counted, and what never ran was not counted when its time was.
    const passedOver = new Set([...[...this.neverRan()].map(callSeqOf), ...before.flatMap(({ record }) => confirmsOf(record))])
    const cells = before.filter(({ seq, record, dispatches }) => record !== undefined || dispatches.length > 0 || !passedOver.has(seq))
    return cells.flatMap((cell) => [...entriesOf(cell, session.header.cwd ?? process.cwd())])
  }

  async open(id: string): Promise<History> {
    return {
      id, repairs: [], confirmation: 'host',
      entries: async function* (this: SessionLogSource) { yield* this.entries() }.bind(this),
      append: (entry) => this.append(entry),
      async close() {},
    }
  }

  async* read(): AsyncGenerator<HistoryEntry> { yield* this.entries() }

  async list(): Promise<SessionSummary[]> {
    return [{ id: this.log.session.id, cells: this.log.cells().length, updatedAt: 0, bytes: 0 }]
  }

  private withAccount(cell: LoggedCell): LoggedCell {
    if (cell.settled) this.underWay.delete(cell.seq)
    const { record, boundaries, notes, surface } = this.underWay.get(cell.seq) ?? {}
    if (record === undefined || boundaries === undefined) return cell
    return { ...cell, record: withCallSeqs(record), boundaries, ...notes === undefined ? {} : { locality: notes }, ...surface === undefined ? {} : { surface } }
  }

  /** L2: whatever is appended reaches the log with the result of the running cell, or not at all. */
  private append(entry: NewEntry): number {
    const { running } = this
    if (running === undefined) throw new Error('no cell of the host is running')
    const id = idOf(running.cell.seq)
    if (entry.kind === 'boundary') {
      running.boundaries.push(storedBoundary(entry))
      return id - RESERVED + running.boundaries.length
    }
    if (entry.kind === 'cell-settled') running.record = entry.record
    if (entry.kind === 'cell-opened') {
      const { timeZone, locale, surface } = entry
      if (surface !== undefined) running.surface = surface
      if (timeZone !== undefined && locale !== undefined) running.notes = { timeZone, locale }
    }
    return entry.kind === 'cell-opened' ? id : id + (running.entries += 1)
  }
}

const storedBoundary = ({ failed, frontier }: { readonly failed: number, readonly frontier: number | null }): Boundary =>
  ({ failedCallSeq: callSeqOf(failed), frontierCallSeq: frontier === null ? null : callSeqOf(frontier) })

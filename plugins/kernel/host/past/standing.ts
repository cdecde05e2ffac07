// What of a session still stands when its next cell comes: were the records kept that a host had to keep, and can the model
// still see every cell whose names are live?
//
// Owns: records without a verdict, the volatile cells of the live worker, what a reader of the history knows of the last cell's surface.
// Does not own: the fold it feeds, the worker.
// Invariants: J2 a record that waits for a verdict does not move the head.
import type { CellRecord, Fold, History, HistoryEntry, JournalService, PathCell, Surface } from '../../../journal/types.ts'

/** Why later cells are volatile after a cell whose record was lost. */
export const NOT_PRESERVED = 'its record was not preserved'

type Settled = Extract<HistoryEntry, { kind: 'cell-settled' }>

/** The record of a cell that ran and can not be brought back. */
export function unpreserved(record: CellRecord): CellRecord {
  return { ...record, status: 'volatile', volatileReason: NOT_PRESERVED, ambient: [] }
}

export class Standing {
  private readonly session: string
  private readonly journal: JournalService
  private readonly fold: Fold<PathCell>
  private readonly isByHost: boolean
  private waiting: Settled[] = []
  /** Cells without a source: the kernel's own account of what timers did. No host was asked for them, and no model sees them. */
  private readonly own = new Set<number>()
  /** Cells that only the live worker knows. */
  private readonly volatile = new Set<number>()
  /** The cell whose entry told the surface, while its host has to speak. */
  private telling: number | undefined
  /** A host may not have kept the entry that told it. */
  private isSurfaceLost = false

  constructor({ id, confirmation }: History, journal: JournalService, fold: Fold<PathCell>) {
    this.session = id
    this.journal = journal
    this.fold = fold
    this.isByHost = confirmation === 'host'
  }

  /** An entry that the history had when it was opened. */
  remember(entry: HistoryEntry): void {
    if (entry.kind === 'cell-opened' && entry.source === '') this.own.add(entry.seq)
    this.fold.add(entry)
  }

  /** An entry was appended. Answers whether a durable record in it is confirmed by that. */
  add(entry: HistoryEntry): boolean {
    if (entry.kind === 'cell-opened' && entry.source === '') this.own.add(entry.seq)
    if (entry.kind === 'cell-opened' && entry.surface !== undefined && this.isByHost) {
      this.telling = entry.seq
      this.isSurfaceLost = false
    }
    if (entry.kind === 'cell-settled' && entry.record.status === 'volatile') this.volatile.add(entry.cell)
    if (entry.kind === 'cell-settled' && entry.record.status !== 'noop' && this.isByHost && !this.own.has(entry.cell)) {
      this.waiting.push(entry)
      return false
    }
    this.fold.add(entry)
    return true
  }

  /** Whether the host still has to speak about a cell of the live worker, or has not kept it. */
  get isWaiting(): boolean { return this.waiting.some(({ cell }) => !this.journal.isKept(this.session, cell)) }

  /** Which surface a reader of the history takes for that of its last cell; undefined when nobody can be sure. */
  get surface(): Surface | undefined { return this.isSurfaceLost ? undefined : this.fold.surface }

  /** The live worker is gone. */
  reset(): void { this.volatile.clear() }

  /** Folds what waited for a verdict. Answers whether a record of a cell that ran was lost. */
  settle(): boolean {
    let isLost = false
    // Asked before the verdict about its record is taken; what stands beside a record is kept with it or not at all.
    if (this.telling !== undefined && !this.journal.isKept(this.session, this.telling)) this.isSurfaceLost = true
    this.telling = undefined
    for (const entry of this.waiting.splice(0)) {
      const { cell, record } = entry
      const isKept = this.journal.verdict(this.session, cell) === 'kept'
      const ran = record.status === 'durable' || record.status === 'volatile'
      this.fold.add(isKept || record.status !== 'durable' ? entry : { ...entry, record: unpreserved(record) })
      if (!isKept && ran) {
        isLost = true
        this.volatile.add(cell)
      }
    }
    return isLost
  }

  /** The first cell on the path that the model can not see any more; `live` for a cell that only the worker knows. */
  unseen(): PathCell | 'live' | undefined {
    const seen = this.journal.visible(this.session)
    if (seen === null) return undefined
    const { path } = this.fold.frontier()
    const unseen = path.find(({ cell }) => !this.own.has(cell) && !seen.has(cell)) ?? ([...this.volatile].some((cell) => !seen.has(cell)) ? 'live' as const : undefined)
    // What a host has taken back may have told it.
    if (unseen !== undefined && this.isByHost) this.isSurfaceLost = true
    return unseen
  }
}

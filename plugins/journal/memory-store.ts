// Histories that live as long as the source object does: for tests, and for sessions that nobody wants to keep.
//
// Owns: the text of every entry of every session, and who writes to which.
// Does not own: anything outside the process; nothing survives it.
// Crosses by: `HistorySource`.
// Invariants: S3 of `file/history.ts`; entries are kept as text, so a caller can not change one after appending it, and
// what JSON drops is dropped here too.
import type { Diagnostic, History, HistoryEntry, HistorySource, NewEntry, SessionSummary } from './types.ts'
import { adoptedText, entryText } from './entry.ts'
import { journalError } from './errors.ts'
import { checkId } from './file/name.ts'

interface Kept {
  readonly texts: string[]
  lastSeq: number
  cells: number
  updatedAt: number
  bytes: number
  /** The only writer, for as long as there is one. */
  writer: MemoryHistory | null
}

function* prefixOf(kept: Kept, length: number): Generator<HistoryEntry> {
  for (let index = 0; index < length; index++) yield JSON.parse(kept.texts[index] ?? 'null') as HistoryEntry
}

function keep(kept: Kept, seq: number, text: string, { kind }: NewEntry): void {
  kept.texts.push(text)
  kept.lastSeq = seq
  kept.bytes += Buffer.byteLength(text)
  kept.updatedAt = Date.now()
  if (kind === 'cell-opened') kept.cells++
}

class MemoryHistory implements History {
  readonly id: string
  readonly repairs: readonly Diagnostic[] = []
  private readonly kept: Kept

  constructor(id: string, kept: Kept) {
    this.id = id
    this.kept = kept
    kept.writer = this
  }

  async* entries(): AsyncGenerator<HistoryEntry> {
    this.refuseClosed()
    yield* prefixOf(this.kept, this.kept.texts.length)
  }

  append(entry: NewEntry): number {
    this.refuseClosed()
    const seq = this.kept.lastSeq + 1
    keep(this.kept, seq, entryText(seq, entry), entry)
    return seq
  }

  async close(): Promise<void> {
    if (this.kept.writer === this) this.kept.writer = null
  }

  private refuseClosed(): void {
    if (this.kept.writer !== this) throw journalError('closed', `the history of session ${this.id}`)
  }
}

const nothing = (): Kept => ({ texts: [], lastSeq: 0, cells: 0, updatedAt: Date.now(), bytes: 0, writer: null })

export class MemorySource implements HistorySource {
  readonly kind = 'memory'
  private readonly sessions = new Map<string, Kept>()

  async open(id: string): Promise<History> {
    checkId(id)
    const kept = this.sessions.get(id) ?? nothing()
    if (kept.writer !== null) throw journalError('locked', id, `pid ${process.pid}`)
    this.sessions.set(id, kept)
    return new MemoryHistory(id, kept)
  }

  async* read(id: string): AsyncGenerator<HistoryEntry> {
    checkId(id)
    const kept = this.sessions.get(id)
    if (kept) yield* prefixOf(kept, kept.texts.length)
  }

  writer(id: string): string | null {
    return this.sessions.get(id)?.writer == null ? null : `pid ${process.pid}`
  }

  async adopt(id: string, entries: AsyncIterable<HistoryEntry>): Promise<void> {
    checkId(id)
    const free = (): void => {
      const existing = this.sessions.get(id)
      if (existing?.writer) throw journalError('locked', id, `pid ${process.pid}`)
      if (existing && existing.texts.length > 0) throw journalError('exists', JSON.stringify(id))
    }
    free()
    const kept = nothing()
    for await (const entry of entries) keep(kept, entry.seq, adoptedText(entry), entry)
    free() // The entries took their time, and somebody else may have come first.
    this.sessions.set(id, kept)
  }

  async list(): Promise<SessionSummary[]> {
    return [...this.sessions]
      .map(([id, { cells, updatedAt, bytes }]) => ({ id, cells, updatedAt, bytes }))
      .sort((a, b) => a.id < b.id ? -1 : 1)
  }
}

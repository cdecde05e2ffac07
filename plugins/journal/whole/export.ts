// Makes a document of a stored session. Reads it twice: once to know that all of it can be read and where it ends, and
// once to write. Between the two the session may only have grown.
import type { DocumentHeader, ExportedSession, HistoryEntry, HistorySource } from '../types.ts'
import { journalError } from '../errors.ts'
import { RECORD_VERSION, writeDocument } from './document.ts'
import { stored } from './stored.ts'

interface Survey {
  /** Entries that belong to the document. */
  readonly entries: number
  readonly cells: number
  readonly languages: ReadonlySet<string>
  readonly transforms: ReadonlySet<string>
  readonly omitted: readonly string[]
}

/** Throws `JournalError`: `unknown-session`, `corrupt`, `io`, `bad-id`. */
export async function exportSession(source: HistorySource, id: string): Promise<ExportedSession> {
  // Asked first: a writer that ends after this has at most finished the cell that is left out.
  const writer = source.writer?.(id) ?? null
  const { entries, cells, languages, transforms, omitted } = await survey(source, id, writer)
  if (entries === 0 && omitted.length === 0) throw journalError('unknown-session', JSON.stringify(id))
  const header: DocumentHeader = {
    format: 'ptc-plus-session', version: 1, session: id, node: process.version, recordVersion: RECORD_VERSION,
    languageSemantics: [...languages].sort(), moduleTransforms: [...transforms].sort(), cells,
  }
  return { header, entries, omitted, lines: () => writeDocument(header, first(entries, source.read(id))) }
}

async function survey(source: HistorySource, id: string, writer: string | null): Promise<Survey> {
  const languages = new Set<string>()
  const transforms = new Set<string>()
  const omitted: string[] = []
  let [entries, cells] = [0, 0]
  /** Entries before the cell that is open, and cells before it. */
  let open: { readonly cell: number, readonly entries: number } | null = null
  let damage: { readonly line: number, readonly message: string } | null = null
  const corrupt = ({ line, message }: NonNullable<typeof damage>) => journalError('corrupt', `session ${id}`, String(line), message)
  for await (const one of stored(source, id)) {
    if ('damage' in one) {
      damage ??= one
      if (one.damage === 'order' || one.damage === 'json') throw corrupt(damage)
      continue
    }
    if (damage !== null) throw corrupt(damage)
    const { entry } = one
    if (entry.kind === 'cell-opened') {
      open = { cell: entry.seq, entries }
      cells += 1
    } else if (entry.kind === 'cell-settled') {
      if (open?.cell === entry.cell) open = null
      const { languageSemantics, moduleTransform } = (entry.record ?? {}) as Partial<typeof entry.record>
      if (typeof languageSemantics === 'string') languages.add(languageSemantics)
      if (typeof moduleTransform === 'string') transforms.add(moduleTransform)
    }
    entries += 1
  }
  if (damage !== null) omitted.push(`the history ends in an incomplete entry (line ${damage.line}), which is left out`)
  // The cell of a writer that is gone is history: its calls are in doubt wherever the session goes on. One that still
  // runs is not over, and will be told by the session that runs it.
  if (writer !== null && open !== null) {
    omitted.push(`the session is open (${writer}), and the cell that it is running is left out`)
    entries = open.entries
    cells -= 1
  }
  return { entries, cells, languages, transforms, omitted }
}

async function* first(count: number, entries: AsyncIterable<HistoryEntry>): AsyncGenerator<HistoryEntry> {
  let left = count
  if (left === 0) return
  for await (const entry of entries) {
    yield entry
    if ((left -= 1) === 0) return
  }
}

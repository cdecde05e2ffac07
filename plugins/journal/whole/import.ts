// Makes a session of a document, whole or not at all, and tells what its history proves here.
import type { HistoryEntry, HistorySource, ImportedSession } from '../types.ts'
import { journalError } from '../errors.ts'
import { createFold } from '../fold.ts'
import { readDocument } from './document.ts'

/** Throws `JournalError`: `bad-document`, `exists`, `locked`, `unsupported`, `io`, `bad-id`. */
export async function importSession(source: HistorySource, chunks: AsyncIterable<Uint8Array>, as?: string): Promise<ImportedSession> {
  if (!source.adopt) throw journalError('unsupported', source.kind, 'imported')
  const document = await readDocument(chunks)
  const session = as ?? document.header.session
  const fold = createFold()
  let entries = 0
  async function* noted(): AsyncGenerator<HistoryEntry> {
    for await (const entry of document.entries()) {
      fold.add(entry)
      entries += 1
      yield entry
    }
  }
  await source.adopt(session, noted())
  return { session, header: document.header, entries, frontier: fold.frontier() }
}

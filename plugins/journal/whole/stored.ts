// What a source has stored for a session, whether or not the source can show damage itself.
import type { HistorySource, StoredEntry } from '../types.ts'
import { JournalError } from '../errors.ts'

/** Everything that is stored; a source that can not inspect is read up to where it refuses. Throws `io`, `bad-id`. */
export async function* stored(source: HistorySource, id: string): AsyncGenerator<StoredEntry> {
  if (source.inspect) return yield* source.inspect(id)
  let line = 0
  try {
    for await (const entry of source.read(id)) yield { line: ++line, entry }
  } catch (error) {
    if (!(error instanceof JournalError && error.code === 'corrupt')) throw error
    yield { line: ++line, damage: 'checksum', message: error.message }
  }
}

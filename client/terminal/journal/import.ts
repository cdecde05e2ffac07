// `ptc journal [SESSION] --import FILE`: makes a session of a document that another machine exported.
import { createReadStream, statSync } from 'node:fs'
import type { ImportedSession, JournalService } from '../../../plugins/journal/types.ts'
import { UsageError, type JournalTask } from '../args.ts'
import type { Sink } from '../streams.ts'

export interface ImportOptions { readonly json: boolean, readonly out: Sink, readonly err: Sink }

/** Resolves with the exit status. Throws when nothing was imported. */
export async function importFrom(journal: JournalService, { file, as }: Extract<JournalTask, { task: 'import' }>, { json, out, err }: ImportOptions): Promise<number> {
  const imported = await journal.import(file === '-' ? process.stdin as AsyncIterable<Uint8Array> : bytesOf(file), as)
  const { session, entries, header: { cells }, frontier: { head, path, lost } } = imported
  const notes = notesOn(imported)
  if (json) {
    await out.write(`${JSON.stringify({ session, entries, cells, durable: path.length, head, lost, notes })}\n`)
    return 0
  }
  for (const text of notes) await err.write(`ptc: ${text}\n`)
  await out.write(`session ${JSON.stringify(session)}: ${cells} cells, ${entries} entries; ${head === null ? 'it starts empty' : `it goes on from cell #${head}`}\n`)
  return 0
}

function bytesOf(file: string): AsyncIterable<Uint8Array> {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new UsageError(`${file} does not exist`)
  if (found.isDirectory()) throw new UsageError(`${file} is a folder`)
  return createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>
}

/** What a person should know before going on with the session here. */
function notesOn({ session, header, frontier }: ImportedSession): string[] {
  const notes: string[] = []
  if (majorOf(header.node) !== majorOf(process.version)) {
    notes.push(`it was exported under Node ${header.node}, and this is ${process.version}: what a cell got from Node itself may differ; "ptc journal ${session} --verify" finds out`)
  }
  const distrusted = frontier.lost.filter(({ reason }) => reason === 'invalid')
  if (distrusted.length > 0) notes.push(`${distrusted.length} of its records can not be trusted here, for example: ${distrusted[0]!.detail ?? 'no reason is known'}`)
  return notes
}

const majorOf = (version: string) => /^v(\d+)/u.exec(version)?.[1]

// `ptc journal SESSION --export FILE`: a session as a document, in a new file or on stdout.
import { open, rm } from 'node:fs/promises'
import type { JournalService } from '../../../plugins/journal/types.ts'
import type { Sink } from '../streams.ts'

export interface ExportOptions { readonly json: boolean, readonly out: Sink, readonly err: Sink, readonly signal: AbortSignal }

/** Resolves with the exit status. What was left out is said on stderr; the summary goes there, too, when stdout has the document. */
export async function exportTo(journal: JournalService, session: string, file: string, { json, out, err, signal }: ExportOptions): Promise<number> {
  const exported = await journal.export(session)
  const { entries, omitted, header: { cells } } = exported
  if (file === '-') for await (const line of exported.lines()) await out.write(line.toString('utf8'))
  else await writeNew(file, exported.lines(), signal)
  signal.throwIfAborted()
  const report = file === '-' ? err : out
  if (json) await report.write(`${JSON.stringify({ session, file, entries, cells, omitted })}\n`)
  else {
    for (const text of omitted) await err.write(`ptc: ${text}\n`)
    await report.write(`session ${JSON.stringify(session)}: ${cells} cells, ${entries} entries${file === '-' ? '' : ` in ${file}`}\n`)
  }
  return 0
}

/** A journal holds what programs saw, so the file is its owner's alone. One that exists is somebody's: it is not touched. */
async function writeNew(file: string, lines: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'EEXIST' ? `${file} exists already, and is not overwritten` : `${file} can not be written: ${error.message}`)
  })
  let isWhole = false
  try {
    try {
      for await (const line of lines) {
        signal.throwIfAborted()
        await handle.writeFile(line)
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    isWhole = true
  } finally {
    if (!isWhole) await rm(file, { force: true })
  }
}

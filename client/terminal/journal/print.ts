// `ptc journal SESSION`: prints a history, for people or as it is.
import type { JournalService } from '../../../plugins/journal/types.ts'
import type { Sink } from '../streams.ts'
import { journalLines } from './lines.ts'

/** Resolves with the exit status. Throws for a session without a history. */
export async function printJournal(journal: JournalService, session: string, json: boolean, out: Sink): Promise<number> {
  let any = false
  if (json) {
    for await (const entry of journal.read(session)) {
      any = true
      await out.write(`${JSON.stringify(entry)}\n`)
    }
  } else {
    for (const line of await journalLines(journal.read(session))) {
      any = true
      await out.write(`${line}\n`)
    }
  }
  if (!any) throw noHistory(session)
  return 0
}

export function noHistory(session: string): Error {
  return new Error(`session ${JSON.stringify(session)} has no history here; "ptc sessions" lists those that have`)
}

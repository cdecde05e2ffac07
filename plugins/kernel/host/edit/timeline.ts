// Which cell of a session an edit is about (contract 3.6): the one that has settled last, whatever became of it. It reads the
// entries of the history, so a session that is opened again knows it as well.
//
// Owns: the two latest cells. Does not own: claims (`cell-edits.ts`).
import type { HistoryEntry } from '../../../journal/types.ts'
import type { EditTarget } from '../../types.ts'

type Opened = EditTarget & { readonly isDerived: boolean }

export class EditTimeline {
  private opened: Opened | undefined
  private settled: EditTarget | undefined

  get target(): EditTarget | undefined { return this.settled }
  /** The cell that was opened last. */
  get latest(): number | undefined { return this.opened?.callSeq }

  add(entry: HistoryEntry): void {
    if (entry.kind === 'cell-opened') this.opened = { callSeq: entry.seq, source: entry.source, isDerived: entry.derived !== undefined }
    if (entry.kind !== 'cell-settled' || this.opened?.callSeq !== entry.cell) return
    const { callSeq, source, isDerived } = this.opened
    // A cell without a source is the session's own note of what timers did. What an edit has made and nobody can parse is not
    // published: the edit is to be made again.
    if (source !== '' && !(isDerived && isParseRejected(entry.record))) this.settled = { callSeq, source }
  }
}

function isParseRejected(record: { readonly diagnostics?: readonly { readonly phase?: unknown }[] }): boolean {
  return Array.isArray(record.diagnostics) && record.diagnostics.some((diagnostic) => diagnostic?.phase === 'parse')
}

// What a host that keeps records itself has said about them. Its records are *tentative* between the append and the host's
// word, because whatever shapes a result on its way into the host's log may drop or change them.
//
// Owns: tentative records, verdicts, and submissions that never reached a kernel, by session.
// Does not own: the head (the fold's), and what a lost record means for live names (the kernel's).
// Crosses by: `appended` from open histories, `confirm` and `neverRan` from the host, `verdict` and `pending` from the kernel.
// Invariants:
//   J2  a record that was not kept as it was written is never confirmed, and a verdict is not taken back
import type { CellRecord, NewEntry, Verdict } from '../types.ts'
import { parseRecord } from '../record.ts'

interface Said {
  readonly tentative: Map<number, CellRecord>
  readonly verdicts: Map<number, Verdict>
  readonly neverRan: Set<number>
}

/** Equal records have one text: a parsed record has its fields in one order. Null for what is no record. */
function textOf(record: unknown): string | null {
  const parsed = parseRecord(record)
  return 'invalid' in parsed ? null : JSON.stringify(parsed)
}

export class Confirmations {
  private readonly sessions = new Map<string, Said>()

  /** An entry was appended. `byHost`: the host will speak about the records of this history. */
  appended(session: string, entry: NewEntry, byHost: boolean): void {
    if (entry.kind !== 'cell-settled') return
    // Kept as it is now: a caller can not change it while it waits for its verdict.
    if (byHost) this.of(session).tentative.set(entry.cell, structuredClone(entry.record))
    else this.clear(session, entry.record)
  }

  /** The record, if the host kept it; null when it is missing, changed, or not one that waits for a verdict. */
  confirm(session: string, cell: number, kept: unknown): CellRecord | null {
    const said = this.sessions.get(session)
    const record = said?.tentative.get(cell)
    if (!said || !record) return null
    said.tentative.delete(cell)
    const verdict = kept === undefined ? 'missing' : textOf(kept) === textOf(record) ? 'kept' : 'changed'
    said.verdicts.set(cell, verdict)
    if (verdict !== 'kept') return null
    this.clear(session, record)
    return record
  }

  /** Asked once for a cell; a record without a word by then is missing. */
  verdict(session: string, cell: number): Verdict {
    const said = this.sessions.get(session)
    const verdict = said?.verdicts.get(cell) ?? 'missing'
    said?.tentative.delete(cell)
    said?.verdicts.delete(cell)
    return verdict
  }

  /** Whether the verdict would be `kept` now. */
  isKept(session: string, cell: number): boolean {
    return this.sessions.get(session)?.verdicts.get(cell) === 'kept'
  }

  neverRan(session: string, cell: number): void {
    this.of(session).neverRan.add(cell)
  }

  /** Submissions that the next record confirms as never run; ascending. */
  pending(session: string): number[] {
    return [...this.sessions.get(session)?.neverRan ?? []].sort((a, b) => a - b)
  }

  private clear(session: string, { confirms }: CellRecord): void {
    for (const cell of confirms) this.sessions.get(session)?.neverRan.delete(cell)
  }

  private of(session: string): Said {
    let said = this.sessions.get(session)
    if (!said) this.sessions.set(session, said = { tentative: new Map(), verdicts: new Map(), neverRan: new Set() })
    return said
  }
}

// `ptc journal` and `/journal`: a history for people. One line a cell, and below it what it called and what went wrong.
import type { CellRecord, HistoryEntry } from '../../../plugins/journal/types.ts'
import { timeOf } from '../sessions.ts'

type CellOpened = Extract<HistoryEntry, { kind: 'cell-opened' }>

interface CellView {
  readonly opened: CellOpened
  readonly calls: { readonly target: string, ok: boolean | null }[]
  record: CellRecord | null
}

type View = CellView | Extract<HistoryEntry, { kind: 'boundary' }>

/** The last `count` cells and boundaries, oldest first. */
export async function journalLines(entries: AsyncIterable<HistoryEntry>, count = Infinity): Promise<string[]> {
  const views: View[] = []
  const cells = new Map<number, CellView>()
  for await (const entry of entries) {
    if (entry.kind === 'boundary') views.push(entry)
    else if (entry.kind === 'cell-opened') {
      const cell: CellView = { opened: entry, calls: [], record: null }
      cells.set(entry.seq, cell)
      views.push(cell)
    } else note(cells.get(entry.cell), entry)
  }
  return views.slice(count === Infinity ? 0 : Math.max(0, views.length - count)).flatMap(linesOf)
}

function note(cell: CellView | undefined, entry: Exclude<HistoryEntry, { kind: 'boundary' | 'cell-opened' }>): void {
  if (!cell) return
  if (entry.kind === 'cell-settled') cell.record = entry.record
  else if (entry.kind === 'call-opened') cell.calls[entry.call] = { target: `${entry.global}.${entry.member}`, ok: null }
  else {
    const call = cell.calls[entry.call]
    if (call) call.ok = entry.ok
  }
}

function linesOf(view: View): string[] {
  if (!('opened' in view)) {
    const rest = view.frontier === null ? 'an empty session' : `cell ${view.frontier}`
    return [`${timeOf(view.at)}  boundary: the replay of cell ${view.failed} failed, the history went back to ${rest}`]
  }
  const { opened, calls, record } = view
  const status = (record?.status ?? 'unsettled').padEnd(9)
  return [
    `${timeOf(opened.at)}  ${`#${opened.seq}`.padEnd(5)} ${status}  ${firstLine(opened.source)}${opened.derived === undefined ? '' : ` (edit of #${opened.derived.of})`}`,
    ...callsOf(record, calls).map(line => `    ${line}`),
    ...record?.volatileReason ? [`    ${record.status}: ${record.volatileReason}`] : [],
    ...failureOf(record).map(line => `    ${line}`),
    ...(record?.diagnostics ?? []).map(({ severity, code, message }) => `    ${severity}[${code}]: ${message}`),
  ]
}

/** The record knows how calls ended; without one, the entries tell how far they came. */
function callsOf(record: CellRecord | null, calls: CellView['calls']): string[] {
  if (record) return record.calls.map(call => `${call.global}.${call.member} ${call.ok ? 'ok' : `failed: ${call.error.name}: ${call.error.message}`}`)
  return calls.map(({ target, ok }) => `${target} ${ok === null ? 'in doubt' : ok ? 'ok' : 'failed'}`)
}

/** The thrown error, unless a diagnostic tells of it. */
function failureOf(record: CellRecord | null): string[] {
  if (record?.completion?.kind !== 'throw' || record.diagnostics.some(({ severity }) => severity === 'error')) return []
  const { kind, name, message } = record.completion.error
  return [`threw ${name ?? kind}: ${message}`]
}

function firstLine(source: string): string {
  const lines = source.split('\n').map(line => line.trim()).filter(line => line !== '')
  const line = lines[0] ?? ''
  const short = line.length > 100 ? `${line.slice(0, 99)}…` : line
  return lines.length > 1 ? `${short} (+${lines.length - 1} more)` : short
}

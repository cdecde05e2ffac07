// `ptc sessions`: which sessions have a history. Pure.
import type { SessionSummary } from '../../plugins/journal/types.ts'

export function sessionLines(sessions: readonly SessionSummary[], json: boolean): string[] {
  const sorted = [...sessions].sort((a, b) => b.updatedAt - a.updatedAt)
  if (json) return sorted.map(session => JSON.stringify(session))
  const rows = sorted.map(({ id, cells, updatedAt, bytes }) => [id, String(cells), timeOf(updatedAt), sizeOf(bytes)])
  return table([['SESSION', 'CELLS', 'CHANGED', 'SIZE'], ...rows])
}

/** Local time, to the second, in an order that sorts. */
export function timeOf(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows.map(row => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd())
}

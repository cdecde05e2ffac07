// The text in which people and models read a diagnostic (contract 10): one text, with or without colour.
import type { Diagnostic } from '../../journal/types.ts'

export type Style = 'red' | 'yellow' | 'cyan' | 'dim'
/** Puts a text into a style, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string

const unpainted: Paint = (_style, text) => text

/** `source` is the text of the cell that just ran, when the caller has it; places in other cells get no frame. */
export function renderDiagnostic(diagnostic: Diagnostic, source?: string, paint: Paint = unpainted): string {
  const colour = diagnostic.severity === 'error' ? 'red' : diagnostic.severity === 'warning' ? 'yellow' : 'cyan'
  const place = diagnostic.source
  return [
    `${paint(colour, `${diagnostic.severity}[${diagnostic.code}]`)}: ${diagnostic.message}`,
    ...place ? [` --> ${place.cell}:${place.start.line}:${place.start.column}`] : [],
    ...place?.cell === 'current' && source !== undefined ? frame(source, place, colour, paint) : [],
    ...[
      `phase: ${diagnostic.phase}`,
      ...diagnostic.dispatchState ? [`dispatch: ${diagnostic.dispatchState}`] : [],
      `state: ${diagnostic.stateEffect}`,
      ...diagnostic.cause ? [`cause: ${causeOf(diagnostic.cause)}`] : [],
    ].map((line) => paint('dim', line)),
    ...(diagnostic.help ?? []).map((line) => `help: ${line}`),
  ].join('\n')
}

function causeOf(cause: NonNullable<Diagnostic['cause']>): string {
  return cause.code === undefined ? cause.message : `${cause.code}: ${cause.message}`
}

/** Characters of a line that are shown around the place. */
const MAX_LINE = 160

/** The line itself and carets below it. Tabs stay tabs in both, so that the carets stand under their characters. */
function frame(source: string, place: NonNullable<Diagnostic['source']>, colour: Style, paint: Paint): string[] {
  const line = source.split(/\r\n|[\n\r\u2028\u2029]/)[place.start.line - 1]
  if (line === undefined) return []
  const from = Math.min(place.start.column - 1, line.length)
  const to = Math.min(place.end?.line === place.start.line ? place.end.column - 1 : from + 1, line.length)
  const cut = line.length <= MAX_LINE ? 0 : Math.max(0, Math.min(from - MAX_LINE / 2, line.length - MAX_LINE))
  const end = Math.min(cut + MAX_LINE, line.length)
  const before = `${cut > 0 ? '…' : ''}${line.slice(cut, from)}`
  const margin = String(place.start.line)
  const carets = '^'.repeat(Math.max(1, Math.min(to, end) - from))
  return [
    `${margin} | ${before}${line.slice(from, end)}${end < line.length ? '…' : ''}`,
    `${' '.repeat(margin.length)} | ${before.replace(/[^\t]/g, ' ')}${paint(colour, carets)}`,
  ]
}

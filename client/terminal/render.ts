// Turns values, errors and diagnostics into text for people. Pure; `Look` says how much room and colour there is.
import { inspect } from 'node:util'
import type { CellResult, Diagnostic } from '../../plugins/kernel/types.ts'

export interface Look {
  readonly colours: boolean
  readonly columns: number
}

export const plain: Look = { colours: false, columns: 80 }

const codes = { red: 31, yellow: 33, cyan: 36, dim: 2 } as const

export function paint(colour: keyof typeof codes, text: string, look: Look): string {
  return look.colours && text !== '' ? `\x1b[${codes[colour]}m${text}\x1b[0m` : text
}

/** What a person sees of a cell's value; null when it has none. */
export function renderValue(result: Pick<CellResult, 'hasValue' | 'value' | 'text'>, look: Look): string | null {
  if (!result.hasValue) return null
  if (result.text !== undefined) return result.text
  return inspect(result.value, {
    colors: look.colours, depth: 8, maxArrayLength: 200, maxStringLength: 20_000, breakLength: Math.max(look.columns, 40),
  })
}

/** The diagnostics of a cell, and its error when no diagnostic tells of it. Null when there is nothing to tell. */
export function renderTroubles(result: Pick<CellResult, 'diagnostics' | 'error'>, source: string, look: Look): string | null {
  const parts = result.diagnostics.map(diagnostic => renderDiagnostic(diagnostic, source, look))
  if (result.error && !result.diagnostics.some(({ severity }) => severity === 'error')) {
    const { kind, name, message } = result.error
    parts.push(`${paint('red', name ?? kind, look)}: ${message}`)
  }
  return parts.length === 0 ? null : parts.join('\n')
}

/** The rendered text of contract 10. `source` is the text of the cell that just ran; other cells get no frame. */
export function renderDiagnostic(diagnostic: Diagnostic, source: string, look: Look = plain): string {
  const colour = diagnostic.severity === 'error' ? 'red' : diagnostic.severity === 'warning' ? 'yellow' : 'cyan'
  const place = diagnostic.source
  return [
    `${paint(colour, `${diagnostic.severity}[${diagnostic.code}]`, look)}: ${diagnostic.message}`,
    ...place ? [` --> ${place.cell}:${place.start.line}:${place.start.column}`] : [],
    ...place?.cell === 'current' ? frame(source, place, colour, look) : [],
    ...[
      `phase: ${diagnostic.phase}`,
      ...diagnostic.dispatchState ? [`dispatch: ${diagnostic.dispatchState}`] : [],
      `state: ${diagnostic.stateEffect}`,
      ...diagnostic.cause ? [`cause: ${causeOf(diagnostic.cause)}`] : [],
    ].map(line => paint('dim', line, look)),
    ...(diagnostic.help ?? []).map(line => `help: ${line}`),
  ].join('\n')
}

function causeOf(cause: NonNullable<Diagnostic['cause']>): string {
  return cause.code === undefined ? cause.message : `${cause.code}: ${cause.message}`
}

const maxLine = 160

/** The line itself and carets below it. Tabs stay tabs in both, so that the carets stand under their characters. */
function frame(source: string, place: NonNullable<Diagnostic['source']>, colour: 'red' | 'yellow' | 'cyan', look: Look): string[] {
  const line = source.split(/\r\n|[\n\r\u2028\u2029]/)[place.start.line - 1]
  if (line === undefined) return []
  const from = Math.min(place.start.column - 1, line.length)
  const to = Math.min(place.end?.line === place.start.line ? place.end.column - 1 : from + 1, line.length)
  const cut = line.length <= maxLine ? 0 : Math.max(0, Math.min(from - maxLine / 2, line.length - maxLine))
  const end = Math.min(cut + maxLine, line.length)
  const before = `${cut > 0 ? '…' : ''}${line.slice(cut, from)}`
  const margin = String(place.start.line)
  const carets = '^'.repeat(Math.max(1, Math.min(to, end) - from))
  return [
    `${margin} | ${before}${line.slice(from, end)}${end < line.length ? '…' : ''}`,
    `${' '.repeat(margin.length)} | ${before.replace(/[^\t]/g, ' ')}${paint(colour, carets, look)}`,
  ]
}

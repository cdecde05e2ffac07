// Turns values, errors and diagnostics into text for people. Pure; `Look` says how much room and colour there is.
import { inspect } from 'node:util'
import { renderDiagnostic } from '../../plugins/kernel/host/render.ts'
import type { CellResult } from '../../plugins/kernel/types.ts'

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
  const parts = result.diagnostics.map(diagnostic => renderDiagnostic(diagnostic, source, (style, text) => paint(style, text, look)))
  if (result.error && !result.diagnostics.some(({ severity }) => severity === 'error')) {
    const { kind, name, message } = result.error
    parts.push(`${paint('red', name ?? kind, look)}: ${message}`)
  }
  return parts.length === 0 ? null : parts.join('\n')
}

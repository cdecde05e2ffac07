// V8 has the last word: what it does not compile is not a cell, whatever the other parsers thought of it.
import { Script } from 'node:vm'
import { syntaxError } from './refusal.ts'
import { originalPosition } from './segments.ts'
import type { PreparedCell, Segments } from './types.ts'

export function verify(cell: PreparedCell, source: string): void {
  compileText(cell.code, cell.segments, source)
  for (const { code, segments } of cell.functions) compileText(code, segments, source)
}

function compileText(code: string, segments: Segments | null, source: string): void {
  try {
    new Script(code, { filename: 'ptc-cell' })
  } catch (error) {
    const { message, stack } = error as Error
    const [line, column] = positionIn(stack ?? '')
    throw syntaxError(message, offsetOf(source, ...originalPosition(segments, line, column)))
  }
}

/** The stack of a syntax error begins with the place, the line, and a caret below the first wrong character. */
function positionIn(stack: string): [line: number, column: number] {
  const [place = '', , carets = ''] = stack.split('\n')
  const line = Number(/:(\d+)$/.exec(place)?.[1] ?? '1')
  return [line - 1, Math.max(0, carets.indexOf('^'))]
}

function offsetOf(source: string, line: number, column: number): number {
  let start = 0
  for (let at = 0; at < line; at += 1) {
    const end = /\r\n|[\n\r\u2028\u2029]/.exec(source.slice(start))
    if (end === null) break
    start += end.index + end[0].length
  }
  return Math.min(start + column, source.length)
}

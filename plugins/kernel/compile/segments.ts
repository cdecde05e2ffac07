// Where generated text came from. Kept text maps by the segment at its start; what the compiler wrote has none of its own.
import type MagicString from 'magic-string'
import type { Segments } from './types.ts'

export function segmentsOf(edits: MagicString): Segments {
  const segments: (readonly [number, number, number, number])[] = []
  const { mappings } = edits.generateDecodedMap()
  for (let line = 0; line < mappings.length; line += 1) {
    for (const segment of mappings[line]!) segments.push([line, segment[0]!, segment[2]!, segment[3]!])
  }
  return segments
}

/** The 0-based original position of a 0-based generated one; the generated one itself where nothing maps its line. */
export function originalPosition(segments: Segments | null, line: number, column: number): readonly [line: number, column: number] {
  if (segments === null) return [line, column]
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >> 1
    const segment = segments[middle]!
    if (segment[0] < line || (segment[0] === line && segment[1] <= column)) low = middle + 1
    else high = middle
  }
  const segment = segments[low - 1]
  if (segment === undefined || segment[0] !== line) {
    const next = segments[low]
    return next !== undefined && next[0] === line ? [next[2], next[3]] : [line, column]
  }
  return [segment[2], segment[3] + column - segment[1]]
}

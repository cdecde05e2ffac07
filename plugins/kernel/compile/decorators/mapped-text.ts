// Text that is put together from pieces of a source and from generated pieces, with where each of it came from.
import type { Segments } from '../types.ts'

export class MappedText {
  text = ''
  readonly segments: (readonly [number, number, number, number])[] = []
  private readonly source: string
  private readonly starts: readonly number[]
  private line = 0
  private column = 0

  constructor(source: string) {
    this.source = source
    this.starts = lineStarts(source)
  }

  /** A piece of the source, as it is. */
  copy(start: number, end: number): void {
    let at = start
    while (at < end) {
      const [line, column] = placeOf(this.starts, at)
      const next = Math.min(end, this.starts[line + 1] ?? end)
      this.segments.push([this.line, this.column, line, column])
      this.append(this.source.slice(at, next))
      at = next
    }
  }

  /** Text of ours that stands for what begins at `origin` in the source. */
  write(text: string, origin: number): void {
    this.segments.push([this.line, this.column, ...placeOf(this.starts, origin)])
    this.append(text)
  }

  /** Generated text with its own map. What the map does not know stands for what it knew last. */
  writeMapped(code: string, mappings: string, origin: number): void {
    let known = placeOf(this.starts, origin)
    const decoded = decode(mappings)
    const lines = code.split('\n')
    lines.forEach((text, index) => {
      const base = this.column
      const found = decoded[index] ?? []
      if (found[0]?.[0] !== 0) this.segments.push([this.line, base, ...known])
      for (const [column, line, originalColumn] of found) {
        known = [line, originalColumn]
        this.segments.push([this.line, base + column, line, originalColumn])
      }
      this.append(index < lines.length - 1 ? `${text}\n` : text)
    })
  }

  private append(text: string): void {
    this.text += text
    const last = text.lastIndexOf('\n')
    if (last < 0) { this.column += text.length; return }
    this.line += text.split('\n').length - 1
    this.column = text.length - last - 1
  }
}

export function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** 0-based line and column of an offset. */
export function placeOf(starts: readonly number[], offset: number): readonly [line: number, column: number] {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= offset) low = middle + 1
    else high = middle
  }
  return [low - 1, offset - starts[low - 1]!]
}

/** `outer` leads from a generated text to one that `inner` leads on from. Null stands for a text left where it was. */
export function composed(outer: Segments | null, inner: Segments, original: (line: number, column: number) => readonly [number, number]): Segments {
  if (outer === null) return inner
  const lines = new Map<number, (readonly [number, number, number, number])[]>()
  for (const segment of inner) {
    const known = lines.get(segment[0])
    if (known === undefined) lines.set(segment[0], [segment])
    else known.push(segment)
  }
  return outer.flatMap(([line, column, middleLine, middleColumn], index) => {
    const next = outer[index + 1]
    const end = next !== undefined && next[0] === line ? middleColumn + next[1] - column : Infinity
    const between = (lines.get(middleLine) ?? []).filter((segment) => segment[1] > middleColumn && segment[1] < end)
    return [
      [line, column, ...original(middleLine, middleColumn)] as const,
      ...between.map((segment) => [line, column + segment[1] - middleColumn, segment[2], segment[3]] as const),
    ]
  })
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Source map mappings by line: generated column, original line, original column. */
function decode(mappings: string): readonly (readonly (readonly [number, number, number])[])[] {
  let line = 0
  let column = 0
  return mappings.split(';').map((group) => {
    let generated = 0
    const found: [number, number, number][] = []
    for (const segment of group === '' ? [] : group.split(',')) {
      const [step = 0, , lineStep, columnStep] = numbers(segment)
      generated += step
      if (lineStep === undefined || columnStep === undefined) continue
      line += lineStep
      column += columnStep
      found.push([generated, line, column])
    }
    return found
  })
}

function numbers(segment: string): readonly number[] {
  const found: number[] = []
  let value = 0
  let shift = 0
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit)
    value += (bits & 31) << shift
    shift += 5
    if (bits >= 32) continue
    found.push((value & 1) === 1 ? -(value >> 1) : value >> 1)
    value = shift = 0
  }
  return found
}

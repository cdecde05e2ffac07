// Takes the types out of a cell without moving anything: every erased character becomes a blank, so the syntax tree of the
// source is the syntax tree of the result. amaro does the erasing; what it does not read is shown to it in disguise.
import { createRequire } from 'node:module'
import type { Analysis } from '../analysis/analyze.ts'
import { syntaxError } from '../refusal.ts'
import { disguises, type Disguise } from './disguise.ts'

type Strip = (source: string, options: { mode: 'strip-only' }) => { code: string }
interface StripError { readonly message: string, readonly startLine?: number, readonly startColumn?: number }

let strip: Strip | undefined

/** Loads the eraser, which takes a noticeable part of a second, ahead of the first cell that needs it. */
export function loadEraser(): Strip {
  strip ??= (createRequire(import.meta.url)('amaro') as { transformSync: Strip }).transformSync
  return strip
}

/** The source with blanks for types, of the same length, or a `Refusal`. */
export function eraseTypes(source: string, analysis: Analysis): string {
  const ranges = disguises(source, analysis)
  const kept = apply(source, ranges, 'kept')
  if (!analysis.types) return kept
  const shown = apply(source, ranges, 'shown')
  const erased = stripped(shown, source)
  if (ranges.length === 0) return erased
  let text = ''
  let at = 0
  for (const { start, end } of ranges) {
    text += erased.slice(at, start)
    for (let i = start; i < end; i += 1) text += erased[i] === shown[i] ? kept[i] : erased[i]
    at = end
  }
  return text + erased.slice(at)
}

function apply(source: string, ranges: readonly Disguise[], side: 'kept' | 'shown'): string {
  let text = ''
  let at = 0
  for (const range of ranges) {
    text += source.slice(at, range.start) + range[side]
    at = range.end
  }
  return text + source.slice(at)
}

function stripped(shown: string, source: string): string {
  let code: string
  try {
    ({ code } = loadEraser()(shown, { mode: 'strip-only' }))
  } catch (error) {
    const { message, startLine = 1, startColumn = 0 } = error as StripError
    throw syntaxError(message, offsetOf(source, startLine, startColumn))
  }
  if (code.length !== shown.length) throw syntaxError('The types of this cell cannot be erased', 0)
  return code
}

function offsetOf(source: string, line: number, column: number): number {
  let start = 0
  for (let at = 1; at < line; at += 1) {
    const next = source.indexOf('\n', start)
    if (next < 0) break
    start = next + 1
  }
  return Math.min(start + column, source.length)
}

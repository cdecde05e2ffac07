// Whether a cell that ends too early lacks nothing but its closing brackets (contract 6.6). Asked only when a cell has been refused
// at its very end, so a cell that parses pays nothing.
import { EDIT_LIMITS } from '../edit/limits.ts'
import type { EndRepair, Rejection } from './types.ts'
import { positionAt } from './text.ts'

const CLOSING = ['}', ')', ']'] as const
/** One or two closing brackets: twelve of them. */
const SUFFIXES = [...CLOSING, ...CLOSING.flatMap((first) => CLOSING.map((second) => first + second))]

/** Longest end of a source by which an edit may find it, UTF-16 units. */
export const MAX_ANCHOR = 256

/** `prepares`: whether a text is a cell, with everything else about it as it was. */
export function repairOfEnd(source: string, { diagnostic }: Rejection, prepares: (source: string) => boolean): EndRepair | undefined {
  const { code, source: place } = diagnostic
  const end = positionAt(source, source.length)
  if (code !== 'PTC-C001' || place?.start.line !== end.line || place.start.column !== end.column) return undefined
  if (source.length + 2 > EDIT_LIMITS.sourceLength) return undefined
  const anchor = uniqueEnd(source)
  if (anchor === undefined) return undefined
  let only: string | undefined
  for (const suffix of SUFFIXES) {
    if (!prepares(source + suffix)) continue
    if (only !== undefined) return undefined
    only = suffix
  }
  return only === undefined ? undefined : { anchor, suffix: only }
}

/** The shortest end that occurs nowhere else and begins with a whole character. Longer ends of a unique one are unique as well. */
function uniqueEnd(source: string): string | undefined {
  const isUnique = (length: number) => source.indexOf(source.slice(-length)) === source.length - length
  let longest = Math.min(MAX_ANCHOR, source.length)
  if (longest === 0 || !isUnique(longest)) return undefined
  for (let least = 1; least < longest;) {
    const middle = (least + longest) >> 1
    if (isUnique(middle)) longest = middle
    else least = middle + 1
  }
  const start = source.length - longest
  const isSplit = /[\udc00-\udfff]/.test(source[start]!) && /[\ud800-\udbff]/.test(source[start - 1] ?? '')
  if (!isSplit) return source.slice(start)
  return longest < MAX_ANCHOR ? source.slice(start - 1) : undefined
}

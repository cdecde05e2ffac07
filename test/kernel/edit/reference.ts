// What an edit has to do, written as simply as possible, and random edits to compare with it. The replacement of a regular
// expression is taken from the language itself, between two characters that occur nowhere else.
import { editSource } from '../../../plugins/kernel/edit/index.ts'
import type { ExactEdit, Operation, RegexEdit } from '../../../plugins/kernel/edit/types.ts'
import { Random } from '../../harness/random.ts'

interface Piece { readonly start: number, readonly end: number, readonly text: string }

function exactPieces(source: string, edits: readonly ExactEdit[]): Piece[] | undefined {
  const pieces: Piece[] = []
  for (const { old_string: old, new_string: text } of edits) {
    const places = Array.from({ length: source.length }, (_, start) => start).filter((start) => source.startsWith(old, start))
    if (places.length !== 1) return undefined
    pieces.push({ start: places[0]!, end: places[0]! + old.length, text })
  }
  return pieces
}

function regexPieces(source: string, edits: readonly RegexEdit[]): Piece[] | undefined {
  const pieces: Piece[] = []
  for (const { pattern, flags, replacement, expected_matches: expected } of edits) {
    const regex = new RegExp(pattern, [...new Set(`${flags}g`)].join(''))
    const found = [...source.matchAll(regex)]
    if (found.length !== expected || found.some(([whole]) => whole === '')) return undefined
    const texts = source.replace(regex, `\ue000${replacement}\ue001`).match(/\ue000[^\ue001]*\ue001/gu)!
    for (const [index, match] of found.entries()) pieces.push({ start: match.index, end: match.index + match[0].length, text: texts[index]!.slice(1, -1) })
  }
  return pieces
}

/** Undefined when the edit has to be refused. */
function reference(source: string, operation: Operation): string | undefined {
  const pieces = operation.kind === 'exact' ? exactPieces(source, operation.edits) : regexPieces(source, operation.edits)
  if (pieces === undefined) return undefined
  const owners = Array.from({ length: source.length }, (_, at) => pieces.filter(({ start, end }) => at >= start && at < end).length)
  if (owners.some((count) => count > 1)) return undefined
  let edited = source
  for (const { start, end, text } of pieces.sort((a, b) => b.start - a.start)) edited = edited.slice(0, start) + text + edited.slice(end)
  return edited === source ? undefined : edited
}

const LETTERS = ['a', 'b', 'ab', 'ba', '1', ' ', '\n', '$', '$1', '\u2028', '😀', 'let x = 1;', '(', '}']
const TOKENS = ['$$', '$&', '$`', "$'", '$0', '$00', '$1', '$01', '$2', '$10', '$9', '$99', '$<n>', '$<m>', '$<toString>', '$<', '$<>', '$', '\\1', 'x', '>', '']
const ATOMS = ['a', 'b', '[ab]', '.', '\\d', '(a)', '(?<n>b)', '(?<m>1)?', '(a|b)', '(?:ab)', 'a+', 'b*', '(x)?', '\\$', '\\n', '(a)(b)', '^', '$', '[^a]', '😀']

const text = (random: Random, most: number): string => Array.from({ length: random.below(most) }, () => random.pick(LETTERS)).join('')

function exactEdit(random: Random, source: string): ExactEdit {
  const start = random.below(source.length)
  const taken = random.chance(0.9) ? source.slice(start, start + 1 + random.below(8)) : text(random, 3)
  return { old_string: taken === '' ? 'a' : taken, new_string: `${text(random, 3)}${random.chance(0.2) ? taken : ''}z` }
}

function regexEdit(random: Random, source: string): RegexEdit {
  const flags = ['g', 'i', 'm', 's', 'u'].filter(() => random.chance(0.3)).join('')
  for (;;) {
    const pattern = Array.from({ length: 1 + random.below(3) }, () => random.pick(ATOMS)).join('')
    let count: number
    try { count = [...source.matchAll(new RegExp(pattern, [...new Set(`${flags}g`)].join('')))].length } catch { continue }
    const expected = Math.max(1, count + (random.chance(0.1) ? random.below(3) - 1 : 0))
    return { pattern, flags, replacement: Array.from({ length: random.below(5) }, () => random.pick(TOKENS)).join(''), expected_matches: expected }
  }
}

/** One case from one seed: what was edited and, when it is not what the reference says, how it differs. */
export function checkCase(seed: number): { readonly accepted: boolean, readonly problem?: string } {
  const random = new Random(seed)
  const source = text(random, 14) || 'a'
  const count = random.chance(0.6) ? 1 : 1 + random.below(4)
  const list = <T>(make: (random: Random, source: string) => T): T[] => Array.from({ length: count }, () => make(random, source))
  const operation: Operation = random.chance(0.5) ? { kind: 'exact', edits: list(exactEdit) } : { kind: 'regex', edits: list(regexEdit) }
  const expected = reference(source, operation)
  const came = editSource(source, operation)
  const edited = 'source' in came ? came.source : undefined
  return { accepted: edited !== undefined, ...edited === expected ? {} : { problem: JSON.stringify({ seed, source, operation, expected, came }) } }
}

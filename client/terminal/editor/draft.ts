// The text that is being typed and the cursor in it, and everything that one key can do to them. Pure.

export interface Draft { readonly text: string, readonly cursor: number }

export const empty: Draft = { text: '', cursor: 0 }

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export function insert({ text, cursor }: Draft, piece: string): Draft {
  return { text: text.slice(0, cursor) + piece + text.slice(cursor), cursor: cursor + piece.length }
}

export function withText(text: string): Draft {
  return { text, cursor: text.length }
}

export function lineStart({ text, cursor }: Draft): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1
}

export function lineEnd({ text, cursor }: Draft): number {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

/** Where the character before the cursor starts; a character is what a person takes for one. */
function left(draft: Draft): number {
  const start = lineStart(draft)
  if (start === draft.cursor) return Math.max(0, draft.cursor - 1)
  const line = draft.text.slice(start, draft.cursor)
  return start + ([...graphemes.segment(line)].at(-1)?.index ?? 0)
}

function right(draft: Draft): number {
  const end = lineEnd(draft)
  if (end === draft.cursor) return Math.min(draft.text.length, draft.cursor + 1)
  for (const { segment } of graphemes.segment(draft.text.slice(draft.cursor, end))) return draft.cursor + segment.length
  return end
}

function wordLeft({ text, cursor }: Draft): number {
  return /[\p{L}\p{N}_$]*[^\p{L}\p{N}_$]*$/u.exec(text.slice(0, cursor))?.index ?? 0
}

function wordRight({ text, cursor }: Draft): number {
  return cursor + (/^[^\p{L}\p{N}_$]*[\p{L}\p{N}_$]*/u.exec(text.slice(cursor))?.[0].length ?? 0)
}

function blankLeft({ text, cursor }: Draft): number {
  return /\S*\s*$/.exec(text.slice(0, cursor))?.index ?? 0
}

/** The same column one line up (or down); null when there is no such line. */
export function vertical(draft: Draft, direction: -1 | 1): Draft | null {
  const start = lineStart(draft)
  const edge = direction < 0 ? start - 1 : lineEnd(draft)
  if (edge < 0 || edge >= draft.text.length) return null
  const target = { text: draft.text, cursor: direction < 0 ? edge : edge + 1 }
  const from = lineStart(target)
  return { text: draft.text, cursor: Math.min(from + draft.cursor - start, lineEnd(target)) }
}

const moves: Readonly<Record<string, (draft: Draft) => number>> = {
  left, right, home: lineStart, end: lineEnd, 'C-b': left, 'C-f': right, 'C-a': lineStart, 'C-e': lineEnd,
  'C-left': wordLeft, 'C-right': wordRight, 'M-left': wordLeft, 'M-right': wordRight, 'M-b': wordLeft, 'M-f': wordRight,
}

/** Keys that take away the text between the cursor and a place. */
const cuts: Readonly<Record<string, (draft: Draft) => number>> = {
  backspace: left, delete: right, 'C-h': left, 'C-d': right,
  'C-w': blankLeft, 'M-backspace': wordLeft, 'C-backspace': wordLeft, 'M-d': wordRight, 'C-delete': wordRight,
  'C-u': lineStart, 'C-k': draft => lineEnd(draft) === draft.cursor ? right(draft) : lineEnd(draft),
}

export interface Edit {
  readonly draft: Draft
  /** What the key took away, when it was more than one character: Ctrl-Y brings it back. */
  readonly killed?: string
}

/** What a key does to a draft; null when it is no key of editing. */
export function edit(draft: Draft, key: string): Edit | null {
  const move = Object.hasOwn(moves, key) ? moves[key] : undefined
  if (move) return { draft: { text: draft.text, cursor: move(draft) } }
  const cut = Object.hasOwn(cuts, key) ? cuts[key] : undefined
  if (!cut) return null
  const [from, to] = [draft.cursor, cut(draft)].sort((a, b) => a - b) as [number, number]
  const killed = draft.text.slice(from, to)
  const after = { text: draft.text.slice(0, from) + draft.text.slice(to), cursor: from }
  return cut === left || cut === right ? { draft: after } : { draft: after, killed }
}

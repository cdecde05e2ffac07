// The replacement of a regular expression: read once, then expanded for each match. The tokens mean what they mean to
// `String.prototype.replace`; it is not used, because the length of the result has to be known before it is made.

/** A match, as `RegExp.prototype.exec` describes it. */
export interface Match {
  readonly index: number
  /** The whole match and then its groups. */
  readonly groups: readonly (string | undefined)[]
  /** Undefined when the pattern names no group. */
  readonly named: Readonly<Record<string, string | undefined>> | undefined
}

/** The parts of a text around and inside of a match, of which the whole source is the text. */
export type Part =
  | { readonly kind: 'literal', readonly text: string }
  | { readonly kind: 'before' }
  | { readonly kind: 'after' }
  | { readonly kind: 'group', readonly index: number }
  | { readonly kind: 'named', readonly name: string }

const TOKEN = /\$(?:[$&`']|\d{1,2}|<([^>]*)>)/gu

/** `groups`: how many groups the pattern has; `isNamed`: whether any has a name. */
export function parseTemplate(template: string, groups: number, isNamed: boolean): Part[] {
  const parts: Part[] = []
  let literal = ''
  let from = 0
  const add = (part: Part) => {
    if (literal !== '') parts.push({ kind: 'literal', text: literal })
    literal = ''
    parts.push(part)
  }
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(template); found !== null; found = TOKEN.exec(template)) {
    literal += template.slice(from, found.index)
    const [token, name] = found
    from = TOKEN.lastIndex
    if (token === '$$') literal += '$'
    else if (token === '$&') add({ kind: 'group', index: 0 })
    else if (token === '$`' || token === "$'") add({ kind: token === '$`' ? 'before' : 'after' })
    else if (name !== undefined) {
      if (isNamed) add({ kind: 'named', name })
      else { literal += '$<'; from = TOKEN.lastIndex = found.index + 2 }
    } else {
      const digits = token.slice(1)
      const both = Number(digits)
      const index = both >= 1 && both <= groups ? both : digits.length === 2 ? Number(digits[0]) : 0
      if (index < 1 || index > groups) { literal += token; continue }
      add({ kind: 'group', index })
      if (index !== both) literal += digits[1]!
    }
  }
  literal += template.slice(from)
  if (literal !== '') parts.push({ kind: 'literal', text: literal })
  return parts
}

/** What a part is in the place of this match, without making a new text of it. */
function rangeOf(part: Part, source: string, { index, groups, named }: Match): readonly [text: string, from: number, to: number] {
  if (part.kind === 'before') return [source, 0, index]
  if (part.kind === 'after') return [source, Math.min(index + groups[0]!.length, source.length), source.length]
  const text = part.kind === 'literal' ? part.text : (part.kind === 'group' ? groups[part.index] : named?.[part.name]) ?? ''
  return [text, 0, text.length]
}

export function expandedLength(parts: readonly Part[], source: string, match: Match): number {
  return parts.reduce((length, part) => { const [, from, to] = rangeOf(part, source, match); return length + to - from }, 0)
}

export function expand(parts: readonly Part[], source: string, match: Match): string {
  return parts.map((part) => { const [text, from, to] = rangeOf(part, source, match); return text.slice(from, to) }).join('')
}

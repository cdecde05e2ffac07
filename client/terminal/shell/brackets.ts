// Counts open brackets line by line, much faster than a parser. Pure. It does not know regular expressions from divisions
// and nothing of code inside of templates; `sure` says whether the text was plain enough for the count to be right.

export interface Brackets {
  readonly open: number
  readonly inside: 'code' | 'comment' | 'template'
  readonly sure: boolean
}

export const noBrackets: Brackets = { open: 0, inside: 'code', sure: true }

const ends = { comment: /\*\//g, template: /`/g } as const
const tokens = /\/\/.*|\/\*|`|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[()[\]{}]|\//g

/** One more line, without its newline. */
export function countBrackets(before: Brackets, line: string): Brackets {
  let { open, inside, sure } = before
  for (let at = 0; at <= line.length;) {
    const pattern = inside === 'code' ? tokens : ends[inside]
    pattern.lastIndex = at
    const token = pattern.exec(line)?.[0]
    const next = token === undefined ? line.length : pattern.lastIndex
    if (inside === 'template' && /\\|\$\{/.test(line.slice(at, next))) sure = false
    if (token === undefined) break
    at = next
    if (inside !== 'code') inside = 'code'
    else if (token === '/*') inside = 'comment'
    else if (token === '`') inside = 'template'
    else if (token === '/' || (/^["']/.test(token) && (token.length === 1 || token.at(-1) !== token[0]))) sure = false
    else if (token === '(' || token === '[' || token === '{') open++
    else if (token === ')' || token === ']' || token === '}') open = Math.max(0, open - 1)
  }
  return { open, inside, sure }
}

export function openBrackets(source: string): number {
  return source.split('\n').reduce(countBrackets, noBrackets).open
}

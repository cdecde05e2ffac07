// How does a JSON text stand in a program, so that the program has the value that the text has? Pure.

/** Containers within containers that a parser of programs is trusted with (contract 7.1). */
export const MAX_DEPTH = 128

const PROTO = '__proto__'
const QUOTE = 34
const BACKSLASH = 92
const COLON = 58

/** The end of the string that begins at `start`, after its closing quote. */
function endOfString(json: string, start: number): number {
  let at = start + 1
  while (json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at + 1
}

function isKey(json: string, after: number): boolean {
  let at = after
  while (' \t\n\r'.includes(json.charAt(at)) && at < json.length) at += 1
  return json.charCodeAt(at) === COLON
}

/**
 * An expression with the value of `json`, which must be valid: the text itself where it is one. A property `__proto__` would set the
 * prototype there, so its key is computed; a text nested deeper than `MAX_DEPTH` is parsed when the program runs.
 */
export function literalOf(json: string): string {
  let depth = 0
  let copied = 0
  let literal = ''
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at]
    if (char === '{' || char === '[') {
      depth += 1
      if (depth > MAX_DEPTH) return `JSON.parse(${JSON.stringify(json)})`
    } else if (char === '}' || char === ']') depth -= 1
    else if (char === '"') {
      const end = endOfString(json, at)
      const token = json.slice(at, end)
      // Escapes can spell the name as well.
      if (isKey(json, end) && (token === `"${PROTO}"` || token.includes('\\') && JSON.parse(token) === PROTO)) {
        literal += `${json.slice(copied, at)}["${PROTO}"]`
        copied = end
      }
      at = end - 1
    }
  }
  return literal + json.slice(copied)
}

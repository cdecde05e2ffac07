// Small pieces of TypeScript text: literals, keys, comments, indentation. Each is the same for the same input, byte by byte.

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/u

/** A property's name, quoted when it must be. */
export const keyText = (key: string): string => IDENTIFIER.test(key) ? key : JSON.stringify(key)

/** The type that has exactly this value of plain JSON. */
export function literalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, item]) => `${keyText(key)}: ${literalText(item)}`)
  return fields.length === 0 ? '{ [key: string]: never }' : `{ ${fields.join('; ')} }`
}

/** A doc comment and its line break, or nothing. What would end the comment is broken up. */
export function docText(description: unknown): string {
  if (typeof description !== 'string' || description.trim() === '') return ''
  const lines = description.trim().replaceAll('*/', '*\\/').split(/\r\n|[\n\r\u2028\u2029]/u).map(line => line.trimEnd())
  if (lines.length === 1) return `/** ${lines[0]!} */\n`
  return `/**\n${lines.map(line => line === '' ? ' *\n' : ` * ${line}\n`).join('')} */\n`
}

/** Two more spaces before each line. Literals are one line each, so nothing but layout moves. */
export const indented = (text: string): string => text.replace(/^(?=.)/gmu, '  ')

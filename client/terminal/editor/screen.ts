// Draws a draft on a terminal: wraps it to the width, shows the part around the cursor when it is higher than the
// terminal, and puts the cursor where it belongs. Owns the rows below the last finished line, and nothing above them.
import type { Draft } from './draft.ts'

export interface Prompts { readonly first: string, readonly next: string }

export interface Layout {
  readonly rows: readonly string[]
  readonly row: number
  readonly column: number
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const wide = /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

/** How a character is shown and how many columns that takes. */
function show(character: string): readonly [text: string, width: number] {
  if (character === '\t') return ['    ', 4]
  const code = character.codePointAt(0) ?? 0
  if (code < 32) return [`^${String.fromCharCode(code + 64)}`, 2]
  if (code < 127) return [character, 1]
  if (code < 160) return ['?', 1]
  return [character, invisible.test(character) ? 0 : wide.test(character) ? 2 : 1]
}

export function layout({ text, cursor }: Draft, prompts: Prompts, columns: number): Layout {
  const rows: string[] = []
  let current = ''
  let used = 0
  let place = { row: 0, column: 0 }
  const wrap = () => {
    rows.push(current)
    current = ''
    used = 0
  }
  /** `at`: where the character stands in the text. The last one at or before the cursor decides where it is shown. */
  const put = (character: string, at: number) => {
    const [shown, width] = show(character)
    if (used + width > columns) wrap()
    if (at <= cursor) place = { row: rows.length, column: used }
    current += shown
    used += width
  }
  let start = 0
  for (const line of text.split('\n')) {
    for (const character of start === 0 ? prompts.first : prompts.next) put(character, start)
    for (const { segment, index } of graphemes.segment(line)) put(segment, start + index)
    const end = start + line.length
    if (end <= cursor) {
      if (end === cursor && used === columns) wrap()
      place = { row: rows.length, column: used }
    }
    wrap()
    start = end + 1
  }
  return { rows, ...place }
}

export interface TerminalOutput {
  write(text: string): unknown
  readonly columns?: number
  readonly rows?: number
}

export class Screen {
  private readonly output: TerminalOutput
  /** How far below the top of the drawn part the cursor stands. */
  private depth = 0
  private top = 0

  constructor(output: TerminalOutput) {
    this.output = output
  }

  draw(draft: Draft, prompts: Prompts): void {
    const { rows, row, column } = layout(draft, prompts, this.output.columns || 80)
    const height = Math.max(2, this.output.rows || 24)
    this.top = Math.max(0, Math.min(Math.max(this.top, row - height + 1), row, rows.length - height))
    const visible = rows.slice(this.top, this.top + height)
    const below = visible.length - 1 - (row - this.top)
    this.output.write(this.toTop() + visible.join('\r\n') + up(below) + '\r' + (column > 0 ? `\x1b[${column}C` : ''))
    this.depth = row - this.top
  }

  /** Leaves the whole draft above, followed by `mark`, and goes to a fresh line. */
  finish(draft: Draft, prompts: Prompts, mark = ''): void {
    const { rows } = layout(draft, prompts, this.output.columns || 80)
    this.output.write(`${this.toTop()}${rows.join('\r\n')}${mark}\r\n`)
    this.forget()
  }

  /** Takes the draft off the terminal; what is printed next stands in its place. */
  clear(): void {
    this.output.write(this.toTop())
    this.forget()
  }

  clearAll(): void {
    this.output.write('\x1b[H\x1b[2J')
    this.forget()
  }

  private forget(): void {
    this.depth = 0
    this.top = 0
  }

  private toTop(): string {
    return `${up(this.depth)}\r\x1b[J`
  }
}

function up(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : ''
}

// A terminal made of text: understands exactly the control sequences that the editor writes, and fails on any other.

export class VirtualTerminal {
  readonly columns: number
  readonly rows: number
  private lines: string[][] = [[]]
  private row = 0
  private column = 0
  /** Full row: the cursor waits behind the last column, as terminals do. */
  private pending = false

  constructor(columns = 40, rows = 10) {
    this.columns = columns
    this.rows = rows
  }

  write(text: string): boolean {
    const graphemes = new Intl.Segmenter()
    for (const [piece] of text.matchAll(/\x1b\[[?\d;]*[A-Za-z]|[^\x1b]+|\x1b/g)) {
      if (piece.startsWith('\x1b')) this.control(piece)
      else for (const { segment } of graphemes.segment(piece)) this.put(segment)
    }
    return true
  }

  /** All that was ever shown, without trailing space; `|` marks the cursor. */
  get screen(): string[] {
    const lines = this.lines.map(line => Array.from(line, cell => cell ?? ' '))
    while (lines.length <= this.row) lines.push([])
    const current = lines[this.row] as string[]
    while (current.length < this.column) current.push(' ')
    current.splice(this.column, 0, '|')
    return lines.map(line => line.join('').trimEnd())
  }

  private put(character: string): void {
    if (character === '\r\n') { this.put('\r'); this.put('\n'); return }
    if (character === '\r') { this.column = 0; this.pending = false; return }
    if (character === '\n') { this.newLine(); return }
    if (this.pending) { this.newLine(); this.column = 0 }
    const width = /[\u3000-\u9fff]|\p{Emoji_Presentation}/u.test(character) ? 2 : 1
    const line = this.lines[this.row] ??= []
    line[this.column] = character
    for (let i = 1; i < width; i++) line[this.column + i] = ''
    this.column += width
    this.pending = this.column >= this.columns
    if (this.column > this.columns) throw new Error('wrote behind the last column')
    if (this.pending) this.column = this.columns - 1
  }

  private newLine(): void {
    this.row++
    this.pending = false
    while (this.lines.length <= this.row) this.lines.push([])
  }

  private control(sequence: string): void {
    const [, count, letter] = /^\x1b\[\??(\d*)(?:;\d+)*([A-Za-z])$/.exec(sequence) ?? []
    if (letter === 'm' || letter === 'h' || letter === 'l') return
    this.pending = false
    if (letter === 'A') this.row -= Number(count)
    else if (letter === 'C') this.column += Number(count)
    else if (sequence === '\x1b[H') this.row = this.column = 0
    else if (sequence === '\x1b[2J') this.lines = [[]]
    else if (sequence === '\x1b[J' || sequence === '\x1b[K') {
      if (letter === 'J') this.lines.length = this.row + 1
      const line = this.lines[this.row] ??= []
      line.length = Math.min(line.length, this.column)
    } else throw new Error(`unknown control sequence ${JSON.stringify(sequence)}`)
    if (this.row < 0 || this.column > this.columns) throw new Error(`${JSON.stringify(sequence)} leaves the terminal`)
  }
}

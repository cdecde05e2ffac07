// What was typed before, for Up, Down and Ctrl-R. Owns the file `history` in the home folder: one JSON string a line, so
// that a cell of many lines stays one entry, readable for its owner only. Without a file it lives in memory.
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const limit = 1000

export class InputHistory {
  readonly entries: string[] = []
  private readonly file: string | null

  constructor(file: string | null) {
    this.file = file
    if (file === null) return
    const lines = readLines(file)
    for (const line of lines) {
      const entry = parseEntry(line)
      if (entry !== null && entry !== this.entries.at(-1)) this.entries.push(entry)
    }
    this.entries.splice(0, this.entries.length - limit)
    if (lines.length > 2 * limit) this.rewrite(file)
  }

  add(entry: string): void {
    if (entry.trim() === '' || entry === this.entries.at(-1)) return
    this.entries.push(entry)
    if (this.file === null) return
    try {
      mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 })
      appendFileSync(this.file, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    } catch {
      // A terminal without a lasting history is still a terminal.
    }
  }

  /** The newest entry before `index` that contains `query`; -1 when there is none. */
  search(query: string, index: number): number {
    for (let i = Math.min(index, this.entries.length) - 1; i >= 0; i--) {
      if (this.entries[i]?.includes(query)) return i
    }
    return -1
  }

  private rewrite(file: string): void {
    try {
      writeFileSync(`${file}.new`, this.entries.map(entry => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    } catch {
      // It stays long, and the next start tries again.
    }
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(line => line !== '')
  } catch {
    return []
  }
}

/** Null for a line that is damaged. */
function parseEntry(line: string): string | null {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'string' ? entry : null
  } catch {
    return null
  }
}

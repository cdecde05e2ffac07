// Collects lines into cells, the same way for a person at a prompt and for text from a pipe. Owns the lines of the cell
// that is not finished yet, and nothing else.
import { countBrackets, noBrackets } from './brackets.ts'
import { completeness } from './completeness.ts'

export type Input =
  | { readonly kind: 'cell', readonly source: string }
  | { readonly kind: 'command', readonly name: string, readonly argument: string }

export class CellCollector {
  private lines: string[] = []
  private brackets = noBrackets

  /** Takes one line (or a pasted block of lines) and answers what it finished; null while the cell goes on. */
  add(line: string): Input | null {
    if (this.lines.length === 0) {
      const command = commandIn(line)
      if (command) return command
    }
    this.lines.push(line)
    // Parsing a long cell again at each of its lines would take quadratic time.
    this.brackets = countBrackets(this.brackets, line)
    const { open, inside, sure } = this.brackets
    if (sure && line.trim() !== '' && (open > 0 || inside !== 'code')) return null
    const source = this.lines.join('\n')
    const state = completeness(source)
    if (state === 'unfinished') return null
    if (state === 'broken' && line.trim() !== '') return null
    return this.take(state === 'blank' ? '' : source)
  }

  /** The text has ended: what is left is a cell, and the compiler will say what is missing. */
  end(): Input | null {
    const source = this.lines.join('\n')
    return this.take(completeness(source) === 'blank' ? '' : source)
  }

  private take(source: string): Input | null {
    this.lines = []
    this.brackets = noBrackets
    return source === '' ? null : { kind: 'cell', source }
  }
}

/** `/name argument`. A second slash makes the line a possible regular expression, so it is a cell then. */
export function commandIn(line: string): Input | null {
  const [, name, argument] = /^\/([a-z]+)(?:[ \t]+([^/]*?))?[ \t]*$/.exec(line) ?? []
  return name === undefined ? null : { kind: 'command', name, argument: argument ?? '' }
}

// Shows what cells do while they run and what became of them: output as it comes, then the value on stdout, then what
// went wrong on stderr. With `json` it is one line a cell instead, on stdout only.
import type { CellResult, LogEntry } from '../../plugins/kernel/types.ts'
import { resultLine } from './batch/result.ts'
import { paint, renderTroubles, renderValue, type Look } from './render.ts'
import type { Sink } from './streams.ts'

export interface PrinterOptions {
  readonly out: Sink
  readonly err: Sink
  readonly look: Look
  readonly json: boolean
}

export class Printer {
  private readonly options: PrinterOptions
  /** The stream whose last line has no newline yet. */
  private open: Sink | null = null

  constructor(options: PrinterOptions) {
    this.options = options
  }

  /** A piece of output of the running cell. Diagnostics come again, with their places, in the result. */
  readonly live = ({ channel, text }: LogEntry): void => {
    if (this.options.json || channel === 'diagnostic' || text === '') return
    const { out, err, look } = this.options
    const sink = channel === 'stdout' ? out : err
    void sink.write(channel === 'stdout' ? text : paint('dim', text, look))
    this.open = text.endsWith('\n') ? null : sink
  }

  async result(result: CellResult, source: string): Promise<void> {
    const { out, err, look, json } = this.options
    if (json) return out.write(`${JSON.stringify(resultLine(result))}\n`)
    if (this.open) await this.open.write('\n')
    this.open = null
    const value = renderValue(result, look)
    if (value !== null) await out.write(`${value}\n`)
    const troubles = renderTroubles(result, source, look)
    if (troubles !== null) await err.write(`${troubles}\n`)
    if (result.derived) await this.result(result.derived.result, result.derived.source)
  }
}

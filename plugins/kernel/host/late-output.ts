// Output that comes when no cell can own it: printed by code of a cell that has ended, or written to a descriptor between two
// cells (decision 15). Its worker is ended, so that nothing more of the kind comes, and the failure is said exactly once.
//
// Owns: what is said between two cells, from the moment it is noticed to the cell that reports it. Does not own: the helper.
import type { Diagnostic, RecordedError } from '../../journal/types.ts'
import type { LogEntry } from '../types.ts'
import { lateOutput } from './diagnostics.ts'
import type { HelperProcess } from './helper/helper-process.ts'

export interface LateOutput {
  /** The number of the cell whose code printed; 0 when that can not be known. */
  readonly cell: number
  readonly channel: 'stdout' | 'stderr'
  readonly text: string
}

const SHOWN_UNITS = 200

const shown = (text: string) => JSON.stringify(text.length > SHOWN_UNITS ? `${text.slice(0, SHOWN_UNITS)}…` : text)

export function lateError({ cell, channel, text }: LateOutput): RecordedError {
  const who = cell === 0 ? `something wrote to ${channel} while no cell ran` : `cell ${cell} wrote to ${channel} after it had ended`
  return { kind: 'worker-exit', message: `${who}, so its worker was reset: ${shown(text)}` }
}

/** What is kept of the reports that come between two cells. */
const MAX_REPORTS = 100
const MAX_REPORT_UNITS = 4_000

export interface Failure { readonly error: RecordedError, readonly diagnostic: Diagnostic }

export class BetweenCells {
  private reports: LogEntry[] = []
  private held: Failure | undefined
  /** Something has printed where no cell could own it. Timers that did would do it again after every recovery. */
  hasPrinted = false

  /** Hears what a helper says while no cell runs. */
  listen(helper: HelperProcess, onStirred: () => void): void {
    helper.listen({
      onMessage: (message) => {
        if (message.type === 'stirred') onStirred()
        else if (message.type === 'output' && message.isReport === true) this.report(message.channel, message.text)
        else if (message.type === 'output') this.hold(helper, message)
      },
      onStarted() {},
      onRejected() {},
      onOverflow() {},
      onDescriptor: (channel, text) => this.hold(helper, { cell: 0, channel, text }),
      onEnd() {},
    })
  }

  /** Ends the worker. Nothing more of its output is read: who prints between cells might never stop. */
  hold(helper: HelperProcess, late: LateOutput): void {
    const error = lateError(late)
    helper.listen(undefined)
    this.hasPrinted = true
    this.held ??= { error, diagnostic: lateOutput(error, false) }
    void helper.kill(error.message)
  }

  /** What the next cell fails with, once. */
  takeFailure(): Failure | undefined {
    const { held } = this
    this.held = undefined
    return held
  }

  /** What was said about programs, for the next cell to show. */
  takeReports(): LogEntry[] { return this.reports.splice(0) }

  private report(channel: LogEntry['channel'], text: string): void {
    if (this.reports.length < MAX_REPORTS) this.reports.push({ channel, text: text.slice(0, MAX_REPORT_UNITS) })
  }
}

// The line that shows how far a long recovery is, and disappears when the cell itself has something to say.
import type { Context } from 'cordis'
// The event is declared there.
import type {} from '../../../plugins/kernel/index.ts'
import type { TerminalOutput } from '../editor/screen.ts'

/** A recovery that is over sooner than this shows nothing. */
const patienceMs = 300

export class RecoveryProgress {
  private readonly terminal: TerminalOutput
  private since = 0
  private shown = false

  constructor(terminal: TerminalOutput) {
    this.terminal = terminal
  }

  /** Until the graph is unloaded. */
  listen(ctx: Context): void {
    ctx.on('ptc-journal/replaying', (session, done, of) => {
      if (this.since === 0) this.since = Date.now()
      if (Date.now() - this.since < patienceMs) return
      this.terminal.write(`\r\x1b[Kbringing ${session} back: ${done} of ${of} cells`)
      this.shown = true
    })
  }

  clear(): void {
    if (this.shown) this.terminal.write('\r\x1b[K')
    this.shown = false
    this.since = 0
  }
}

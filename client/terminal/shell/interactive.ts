// A session at a terminal. Ctrl-C ends the running cell, a second one its process; at an empty prompt the second leaves.
import { join } from 'node:path'
import type { LogEntry, RunOptions } from '../../../plugins/kernel/types.ts'
import type { Invocation } from '../args.ts'
import type { App } from '../compose.ts'
import { Editor, type Reading, type TerminalInput } from '../editor/editor.ts'
import { InputHistory } from '../editor/history.ts'
import type { TerminalOutput } from '../editor/screen.ts'
import type { Printer } from '../printer.ts'
import { openSession } from '../session.ts'
import type { Sink } from '../streams.ts'
import { commandIn } from './cells.ts'
import { runCommand, type Shell } from './commands.ts'
import { completeness } from './completeness.ts'
import { complete } from './completion.ts'
import type { Shown } from './edit.ts'
import { greeting } from './greeting.ts'
import { openOwnEditor } from './own-editor.ts'
import { RecoveryProgress } from './progress.ts'

export interface TerminalHost {
  readonly input: TerminalInput
  readonly terminal: TerminalOutput
  readonly out: Sink
  readonly err: Sink
}

/** Resolves with the exit status when the person leaves. */
export async function interactive(app: App, host: TerminalHost, invocation: Invocation, printer: Printer): Promise<number> {
  let close = () => {}
  const shell: Shell = {
    app, session: await openSession(app, invocation), choice: invocation, leaving: false,
    attend: work => dialogue.attend(work),
    async openEditor(file) {
      close()
      try { return await openOwnEditor(file, 'inherit') } finally { close = editor.open() }
    },
  }
  const dialogue = new Dialogue(shell, host, printer)
  const history = new InputHistory(invocation.memory ? null : join(invocation.home, 'history'))
  const editor = new Editor(host.input, host.terminal, history, {
    submits,
    interrupt: () => dialogue.interrupt(),
    complete: (text, cursor) => complete(text, cursor, { session: shell.session, capabilities: app.capabilities })
      .catch(() => ({ from: cursor, candidates: [] })),
  })
  await host.out.write(`${await greeting(app, shell.session)} - /help tells more\n`)
  close = editor.open()
  try {
    while (!shell.leaving) await dialogue.hear(await editor.read())
  } finally {
    close()
  }
  return 0
}

/** An unfinished cell gets a new line; a broken one with open brackets, too, until an empty line gives it up. */
function submits(text: string): boolean {
  if (commandIn(text)) return true
  const state = completeness(text)
  return state === 'broken' ? /\n[ \t]*$/.test(text) : state !== 'unfinished'
}

/** What the terminal does with what it reads. Owns the interruption of the cell that runs now. */
class Dialogue {
  private readonly shell: Shell
  private readonly host: TerminalHost
  private readonly printer: Printer
  private readonly progress: RecoveryProgress
  private running: AbortController | null = null
  /** The last reading was Ctrl-C at an empty prompt. */
  private warned = false

  constructor(shell: Shell, host: TerminalHost, printer: Printer) {
    this.shell = shell
    this.host = host
    this.printer = printer
    this.progress = new RecoveryProgress(host.terminal)
    this.progress.listen(shell.app.ctx)
  }

  async hear(reading: Reading): Promise<void> {
    const again = this.warned
    this.warned = reading.kind === 'cancelled' && reading.text === ''
    if (reading.kind === 'end' || (again && this.warned)) this.shell.leaving = true
    else if (this.warned) await this.host.out.write('(Ctrl-C again, Ctrl-D or /exit leaves)\n')
    else if (reading.kind === 'text') await this.answer(reading.text)
  }

  interrupt(): void {
    if (!this.running) return
    if (this.running.signal.aborted) void this.shell.session.kill()
    else this.running.abort(new Error('interrupted'))
  }

  private async answer(text: string): Promise<void> {
    const command = commandIn(text)
    if (command?.kind === 'command') {
      const { ok, text: answer } = await runCommand(this.shell, command.name, command.argument)
      return (ok ? this.host.out : this.host.err).write(answer)
    }
    if (completeness(text) === 'blank') return
    await this.attend(async options => ({ source: text, result: await this.shell.session.run(text, options) }))
  }

  async attend(work: (options: RunOptions) => Promise<Shown | undefined>): Promise<void> {
    const onOutput = (entry: LogEntry) => {
      this.progress.clear()
      this.printer.live(entry)
    }
    this.running = new AbortController()
    try {
      const shown = await work({ signal: this.running.signal, onOutput })
      this.progress.clear()
      if (shown) await this.printer.result(shown.result, shown.source)
    } catch (error) {
      // Not the program's failure; that is a result. The session or its journal can not work.
      this.progress.clear()
      await this.host.err.write(`${(error as Error).message}\n`)
    } finally {
      this.running = null
    }
  }
}

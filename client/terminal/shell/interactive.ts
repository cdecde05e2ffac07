// A session at a terminal. Ctrl-C ends the running cell, a second one its process; at an empty prompt the second leaves.
import { join } from 'node:path'
import type { Invocation } from '../args.ts'
import type { App } from '../compose.ts'
import { Editor, type TerminalInput } from '../editor/editor.ts'
import { InputHistory } from '../editor/history.ts'
import type { TerminalOutput } from '../editor/screen.ts'
import type { Printer } from '../printer.ts'
import { openSession } from '../session.ts'
import type { Sink } from '../streams.ts'
import { commandIn } from './cells.ts'
import { runCommand, type Shell } from './commands.ts'
import { completeness } from './completeness.ts'
import { complete } from './completion.ts'
import { greeting } from './greeting.ts'

export interface TerminalHost {
  readonly input: TerminalInput
  readonly terminal: TerminalOutput
  readonly out: Sink
  readonly err: Sink
}

/** Resolves with the exit status when the person leaves. */
export async function interactive(app: App, host: TerminalHost, invocation: Invocation, printer: Printer): Promise<number> {
  const shell: Shell = { app, session: await openSession(app, invocation), choice: invocation, leaving: false }
  const running = new Running(shell)
  const history = new InputHistory(invocation.memory ? null : join(invocation.home, 'history'))
  const editor = new Editor(host.input, host.terminal, history, {
    submits,
    interrupt: () => running.interrupt(),
    complete: (text, cursor) => complete(text, cursor, { session: shell.session, capabilities: app.capabilities })
      .catch(() => ({ from: cursor, candidates: [] })),
  })
  await host.out.write(`${await greeting(app, shell.session)} - /help tells more\n`)
  const close = editor.open()
  try {
    let warned = false
    while (!shell.leaving) {
      const reading = await editor.read()
      if (reading.kind === 'end') break
      if (reading.kind === 'cancelled') {
        if (warned && reading.text === '') break
        warned = reading.text === ''
        if (warned) await host.out.write('(Ctrl-C again, Ctrl-D or /exit leaves)\n')
        continue
      }
      warned = false
      await answer(shell, running, reading.text, host, printer)
    }
  } finally {
    close()
  }
  return 0
}

async function answer(shell: Shell, running: Running, text: string, host: TerminalHost, printer: Printer): Promise<void> {
  const command = commandIn(text)
  if (command?.kind === 'command') {
    const { ok, text: answer } = await runCommand(shell, command.name, command.argument)
    return (ok ? host.out : host.err).write(answer)
  }
  if (completeness(text) === 'blank') return
  try {
    const result = await running.run(signal => shell.session.run(text, { signal, onOutput: printer.live }))
    await printer.result(result, text)
  } catch (error) {
    await host.err.write(`${(error as Error).message}\n`)
  }
}

/** An unfinished cell gets a new line; a broken one with open brackets, too, until an empty line gives it up. */
function submits(text: string): boolean {
  if (commandIn(text)) return true
  const state = completeness(text)
  return state === 'broken' ? /\n[ \t]*$/.test(text) : state !== 'unfinished'
}

/** The cell that runs now, if any. */
class Running {
  private readonly shell: Shell
  private controller: AbortController | null = null

  constructor(shell: Shell) {
    this.shell = shell
  }

  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = this.controller = new AbortController()
    try {
      return await work(controller.signal)
    } finally {
      this.controller = null
    }
  }

  interrupt(): void {
    if (!this.controller) return
    if (this.controller.signal.aborted) void this.shell.session.kill()
    else this.controller.abort(new Error('interrupted'))
  }
}

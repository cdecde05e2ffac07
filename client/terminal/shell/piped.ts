// A session whose lines come from a pipe or a file: the same cells and slash commands as at the prompt, without prompts.
import type { Invocation } from '../args.ts'
import { readLines } from '../batch/lines.ts'
import type { App } from '../compose.ts'
import type { Printer } from '../printer.ts'
import { openSession } from '../session.ts'
import type { Sink } from '../streams.ts'
import { CellCollector, type Input } from './cells.ts'
import { runCommand, type Shell } from './commands.ts'
import { openOwnEditor } from './own-editor.ts'

export interface PipedHost {
  readonly input: AsyncIterable<Buffer | string>
  readonly out: Sink
  readonly err: Sink
  readonly signal: AbortSignal
}

/** Resolves with the exit status: a failed cell is shown and the rest goes on, as at the prompt. */
export async function piped(app: App, host: PipedHost, invocation: Invocation, printer: Printer): Promise<number> {
  const shell: Shell = {
    app, session: await openSession(app, invocation), choice: invocation, leaving: false,
    openEditor: file => openOwnEditor(file, 'ignore'),
    async attend(run) {
      try {
        const shown = await run({ signal: host.signal, onOutput: printer.live })
        if (shown) await printer.result(shown.result, shown.source)
      } catch (error) {
        await host.err.write(`${(error as Error).message}\n`)
      }
    },
  }
  const collector = new CellCollector()
  const work = async (input: Input | null) => {
    if (input?.kind === 'cell') {
      const result = await shell.session.run(input.source, { signal: host.signal, onOutput: printer.live })
      await printer.result(result, input.source)
    } else if (input) {
      const { ok, text } = await runCommand(shell, input.name, input.argument)
      await (ok && !invocation.json ? host.out : host.err).write(text)
    }
  }
  for await (const { text } of readLines(host.input)) {
    await work(collector.add(text))
    if (shell.leaving || host.signal.aborted) return 0
  }
  await work(collector.end())
  return 0
}

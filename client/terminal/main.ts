// The entry of the `ptc` command: reads the command line, boots the composition, runs one command, takes everything down
// again. Exit status 0: fine; 1: a cell of `run` failed, `journal --verify` found something, or the program could not work;
// 2: bad command line.
import { readFileSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { parseCommandLine, UsageError, type Invocation } from './args.ts'
import { batch } from './batch/index.ts'
import { boot, bootJournal, type App, type JournalApp } from './compose.ts'
import { help } from './help.ts'
import { exportTo } from './journal/export.ts'
import { importFrom } from './journal/import.ts'
import { printJournal } from './journal/print.ts'
import { verify } from './journal/verify.ts'
import { Printer } from './printer.ts'
import type { Look } from './render.ts'
import { readSources, run } from './run.ts'
import { sessionLines } from './sessions.ts'
import { interactive } from './shell/interactive.ts'
import { piped } from './shell/piped.ts'
import { claimStdout, sink, type Sink } from './streams.ts'

const graceMs = 15_000

/** Ends the process. */
export async function main(argv: readonly string[]): Promise<void> {
  const lifetime = new Lifetime()
  let status: number
  try {
    status = await dispatch(parseCommandLine(argv), lifetime)
  } catch (error) {
    const usage = error instanceof UsageError
    status = usage ? 2 : 1
    if (!lifetime.stopped) process.stderr.write(`ptc: ${(error as Error).message}\n${usage ? 'Try "ptc help".\n' : ''}`)
  }
  await lifetime.end(status)
}

async function dispatch(invocation: Invocation, lifetime: Lifetime): Promise<number> {
  const { command, json, memory, operands } = invocation
  if (command === 'help' || command === 'version') {
    await lifetime.output(false).write(command === 'help' ? help : `${version()}\n`)
    return 0
  }
  if (!statSync(invocation.cwd, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`--cwd ${invocation.cwd} is not a folder`)
  const terminal = command === 'shell' && process.stdin.isTTY && process.stdout.isTTY && process.env['TERM'] !== 'dumb'
  if (terminal && json) throw new UsageError('--json needs cells from a pipe or a file, not a terminal')
  if (memory && (command === 'sessions' || command === 'journal')) throw new UsageError(`"ptc ${command}" reads what is on disk; --memory has nothing there`)
  const { journal: task } = invocation
  const out = lifetime.output(command === 'batch' || json || (task?.task === 'export' && task.file === '-'))
  const err = sink(process.stderr)
  const signal = AbortSignal.any([out.gone, lifetime.signal])
  const printer = new Printer({ out, err, json, look: lookOf(terminal || command === 'run') })
  switch (command) {
    case 'batch': return batch({ input: process.stdin, output: out, boot: () => lifetime.boot(invocation) }, invocation)
    case 'run': {
      const sources = await readSources(operands, process.cwd())
      return run(await lifetime.boot(invocation), sources, invocation, printer, signal)
    }
    case 'sessions': {
      const { journal } = await lifetime.add(bootJournal(invocation))
      for (const line of sessionLines(await journal.list(), json)) await out.write(`${line}\n`)
      return 0
    }
    case 'journal': {
      const session = operands[0] ?? invocation.session
      if (task?.task === 'verify') return verify(await lifetime.boot(invocation), session, { json, out, signal })
      const { journal } = await lifetime.add(bootJournal(invocation))
      if (task?.task === 'export') return exportTo(journal, session, task.file, { json, out, err, signal })
      if (task?.task === 'import') return importFrom(journal, task, { json, out, err })
      return printJournal(journal, session, json, out)
    }
    case 'shell': {
      const app = await lifetime.boot(invocation)
      if (!terminal) return piped(app, { input: process.stdin, out, err, signal }, invocation, printer)
      return interactive(app, { input: process.stdin, terminal: process.stdout, out, err }, invocation, printer)
    }
  }
}

function lookOf(wanted: boolean): Look {
  const { NO_COLOR, TERM } = process.env
  const colours = wanted && process.stdout.isTTY && process.stderr.isTTY && !NO_COLOR && TERM !== 'dumb'
  return { colours, columns: process.stdout.columns || 80 }
}

function version(): string {
  // In a source checkout the package is two folders up, in a published one it is three.
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      return (JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as { version: string }).version
    } catch {
      continue
    }
  }
  return 'unknown'
}

/** Everything that has to be taken down before the process may end, also when a signal or a broken pipe ends it. */
class Lifetime {
  private readonly apps = new Set<Promise<JournalApp>>()
  private readonly controller = new AbortController()
  private ending: Promise<void> | null = null
  readonly signal = this.controller.signal

  constructor() {
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
      process.on(signal, () => void this.end(128 + constants.signals[signal]))
    }
    process.stderr.on('error', () => {})
    process.on('uncaughtException', error => {
      process.stderr.write(`ptc: ${error.stack ?? error.message}\n`)
      void this.end(1)
    })
  }

  get stopped(): boolean {
    return this.ending !== null
  }

  /** `claim` keeps stdout for the command's own lines. */
  output(claim: boolean): Sink {
    const out = claim ? claimStdout() : sink(process.stdout)
    out.gone.addEventListener('abort', () => void this.end(0))
    return out
  }

  boot(invocation: Invocation): Promise<App> {
    return this.add(boot(invocation))
  }

  /** A graph that is still starting counts, too. One that `restart` has taken down leaves the list. */
  async add<T extends JournalApp>(starting: Promise<T>): Promise<T> {
    this.apps.add(starting)
    const app = await starting
    return { ...app, dispose: () => app.dispose().finally(() => this.apps.delete(starting)) }
  }

  end(status: number): Promise<void> {
    this.ending ??= this.finish(status)
    return this.ending
  }

  private async finish(status: number): Promise<void> {
    this.controller.abort(new Error('ptc is ending'))
    setTimeout(() => process.exit(status || 1), graceMs)
    await Promise.allSettled([...this.apps].map(async app => (await app).dispose()))
    // What is still in the pipe must arrive; a pipe without a reader answers with an error, which is fine, too.
    process.stdout.write('', () => process.exit(status))
  }
}

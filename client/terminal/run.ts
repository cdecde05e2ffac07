// `ptc run FILE...`: every file is one cell of the session. It stops at the first cell that fails, because the files
// after it were written for a state that does not exist.
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { resolve } from 'node:path'
import { UsageError, type Invocation } from './args.ts'
import type { App } from './compose.ts'
import type { Printer } from './printer.ts'
import { openSession } from './session.ts'

/** Reads all files before the first one runs. Throws `UsageError` for one that can not be read. */
export async function readSources(files: readonly string[], here: string): Promise<string[]> {
  return Promise.all(files.map(async file => {
    try {
      return file === '-' ? await text(process.stdin) : await readFile(resolve(here, file), 'utf8')
    } catch (error) {
      throw new UsageError(`${file} can not be read: ${(error as Error).message}`)
    }
  }))
}

/** Resolves with the exit status. */
export async function run(app: App, sources: readonly string[], invocation: Invocation, printer: Printer, signal: AbortSignal): Promise<number> {
  const session = await openSession(app, invocation)
  for (const source of sources) {
    const result = await session.run(source, { signal, onOutput: printer.live })
    await printer.result(result, source)
    if (result.error ?? result.derived?.result.error) return 1
  }
  return 0
}

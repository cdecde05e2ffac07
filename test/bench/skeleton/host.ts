// The bare bones of the architecture, as a yardstick: a host, a helper process, a worker with a socket of its own, types
// stripped, a script run, an answer. No names kept, no limits, no record, no isolation: what is left is the machine's price.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Skeleton {
  run(source: string): Promise<unknown>
  readonly pid: number
  end(): Promise<void>
}

/** As JavaScript, so that its start is compared with that of what is published. */
function built(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ptc-skeleton-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['helper', 'worker']) {
    const text = readFileSync(new URL(`./${name}.ts`, import.meta.url), 'utf8').replace('./worker.ts', './worker.mjs')
    writeFileSync(join(folder, `${name}.mjs`), stripTypeScriptTypes(text))
  }
  return join(folder, 'helper.mjs')
}

let helper: string | undefined

/** Starts one; resolves when its worker is up. Calls of `echo` are answered at once. */
export async function startSkeleton(): Promise<Skeleton> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', helper ??= built()], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
  })
  const socket = child.stdio[4] as Socket
  const waiting: ((value: unknown) => void)[] = []
  let rest = ''
  const ready = new Promise<void>((resolve) => {
    socket.setEncoding('utf8').on('data', (text: string) => {
      rest += text
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
        const message = JSON.parse(rest.slice(0, end)) as { ready?: true, call?: number, args?: unknown, value?: unknown }
        rest = rest.slice(end + 1)
        if (message.ready === true) resolve()
        else if (message.call !== undefined) socket.write(`${JSON.stringify({ settle: message.call, value: message.args })}\n`)
        else waiting.shift()!(message.value)
      }
    })
  })
  await ready
  return {
    pid: child.pid!,
    run: (source) => new Promise((resolve) => { waiting.push(resolve); socket.write(`${JSON.stringify({ source })}\n`) }),
    end: () => new Promise((resolve) => { child.once('exit', () => resolve()); child.kill('SIGKILL') }),
  }
}

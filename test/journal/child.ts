// Starts `holder.ts` processes and talks to them; `endChildren` is for an `afterEach`.
import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const running = new Set<Child>()

export class Child {
  readonly process: ChildProcessWithoutNullStreams
  private readonly answers: AsyncIterator<string>

  constructor() {
    this.process = spawn(process.execPath, [fileURLToPath(new URL('holder.ts', import.meta.url))])
    this.answers = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]()
    running.add(this)
  }

  static async start(): Promise<Child> {
    const child = new Child()
    await child.answer()
    return child
  }

  /** One line out, one line in. */
  async ask(command: string): Promise<string> {
    this.process.stdin.write(`${command}\n`)
    return this.answer()
  }

  /** Resolves when the process is gone, by the signal or, without one, by the end of its input. */
  async end(signal?: NodeJS.Signals): Promise<void> {
    running.delete(this)
    if (this.process.exitCode !== null || this.process.signalCode !== null) return
    const exit = once(this.process, 'exit')
    if (signal) this.process.kill(signal)
    else this.process.stdin.end()
    await exit
  }

  private async answer(): Promise<string> {
    const { value, done } = await this.answers.next()
    if (done) throw new Error('the child ended without an answer')
    return value
  }
}

export async function endChildren(): Promise<void> {
  await Promise.all([...running].map((child) => child.end('SIGKILL')))
}

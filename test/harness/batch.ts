// `ptc batch` as a child process that a test talks to, one request and one answer at a time.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** One answer line, as loosely as a client reads it. */
export interface Answer {
  readonly ok?: boolean
  readonly status?: string
  readonly hasValue?: boolean
  readonly value?: unknown
  readonly text?: string
  readonly logs?: readonly { readonly channel: string, readonly text: string }[]
  readonly error?: { readonly kind: string, readonly name?: string, readonly message: string }
  readonly diagnostics?: readonly { readonly code: string, readonly message: string }[]
}

export class Batch {
  readonly child: ChildProcessWithoutNullStreams
  stderr = ''
  private readonly lines: AsyncIterator<string>

  /** Kills what a failed test left running. */
  static async killAll(): Promise<void> {
    for (const batch of Batch.running) await batch.kill()
    Batch.running.clear()
  }
  private static readonly running = new Set<Batch>()

  constructor(flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.child = spawn(process.execPath, ['bin/ptc.js', 'batch', ...flags], { cwd: root, env: { ...process.env, ...env } })
    this.child.stderr.on('data', (chunk: Buffer) => { this.stderr += chunk.toString() })
    Batch.running.add(this)
    this.child.stdin.on('error', () => {})
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]()
  }

  send(request: object): void { this.child.stdin.write(`${JSON.stringify(request)}\n`) }

  /** The next answer; undefined when the process has ended. */
  async next(): Promise<Answer | undefined> {
    const { value, done } = await this.lines.next() as IteratorResult<string, undefined>
    return done === true ? undefined : JSON.parse(value) as Answer
  }

  async ask(request: object): Promise<Answer> {
    this.send(request)
    const answer = await this.next()
    if (answer === undefined) throw new Error(`ptc batch ended: ${this.stderr}`)
    return answer
  }

  /** Ends its input; answers the exit status. */
  async end(): Promise<number | null> {
    const exit = this.child.exitCode === null ? once(this.child, 'exit') : undefined
    this.child.stdin.end()
    await exit
    return this.child.exitCode
  }

  /** SIGKILL; resolves when it is gone. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const exit = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await exit
  }
}

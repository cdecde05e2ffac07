// Another process over the same place, as the suite sees it: commands out, one answer each back, in order.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Place } from './index.ts'
import type { Answer, Command } from './visitor.ts'

export class OtherProcess {
  readonly pid: number
  readonly ready: Promise<unknown>
  private readonly child: ChildProcess
  private readonly exited: Promise<unknown>

  constructor(module: NonNullable<Place['module']>, flags: readonly string[]) {
    const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
    const visitor = fileURLToPath(new URL(`./visitor${extension}`, import.meta.url))
    this.child = fork(visitor, [module.url, JSON.stringify(module.options)], { execArgv: [...flags] })
    this.exited = once(this.child, 'exit')
    this.pid = this.child.pid!
    this.ready = this.answer()
  }

  /** Rejects with what the other process threw, its `code` included. */
  async ask(command: Command): Promise<Extract<Answer, { ok: true }>> {
    this.child.send(command)
    const answer = await this.answer()
    if (answer.ok) return answer
    throw Object.assign(new Error(answer.message), { code: answer.code })
  }

  /** Resolves when the process is gone. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.exited
  }

  private async answer(): Promise<Answer> {
    const answer = await Promise.race([once(this.child, 'message').then(([message]) => message as Answer), this.exited.then(() => null)])
    if (answer === null) throw new Error(`the other process ended (${this.child.signalCode ?? this.child.exitCode}) and gave no answer`)
    return answer
  }
}

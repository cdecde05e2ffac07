// `ptc batch`: answers each line of JSON with one line of JSON, strictly in order. It reads the next request only after
// the answer to the last one has been written, so a slow reader slows everything down and nothing piles up.
import { resolve } from 'node:path'
import type { CellResult, ReplSession } from '../../../plugins/kernel/types.ts'
import type { Invocation } from '../args.ts'
import type { App } from '../compose.ts'
import type { Sink } from '../streams.ts'
import { openSession } from '../session.ts'
import { readLines } from './lines.ts'
import { parseRequest, type Request } from './request.ts'
import { resultLine } from './result.ts'

export interface BatchHost {
  readonly input: AsyncIterable<Buffer | string>
  readonly output: Sink
  /** Boots a fresh graph; the one before has been disposed. */
  boot(): Promise<App>
}

/** Resolves with the exit status when the input has ended and all is answered. */
export async function batch(host: BatchHost, invocation: Invocation): Promise<number> {
  const app = await BatchApp.start(host, invocation)
  let status = 0
  for await (const line of readLines(host.input)) {
    if (host.output.gone.aborted) break
    if (!line.tooLong && line.text.trim() === '') continue
    const request = line.tooLong ? { kind: 'refused', message: 'the line is too long' } as const : parseRequest(line.text)
    let answer: unknown
    if (request.kind === 'refused') answer = { error: { kind: 'request', message: request.message } }
    else {
      try {
        answer = await app.answer(request)
      } catch (error) {
        // The kernel keeps what programs do wrong in results; this is the journal's disk, a lock, a fault of ours.
        status = 1
        answer = { error: { kind: 'internal', ...codeOf(error), message: (error as Error).message } }
      }
    }
    await host.output.write(`${JSON.stringify(answer)}\n`)
  }
  return status
}

function codeOf(error: unknown): object {
  const code = (error as { readonly code?: unknown }).code
  return typeof code === 'string' ? { code } : {}
}

/** The graph that `restart` replaces, and the session that lives in it. */
class BatchApp {
  private readonly host: BatchHost
  private readonly invocation: Invocation
  private app: App
  private session: ReplSession

  private constructor(host: BatchHost, invocation: Invocation, app: App, session: ReplSession) {
    this.host = host
    this.invocation = invocation
    this.app = app
    this.session = session
  }

  static async start(host: BatchHost, invocation: Invocation): Promise<BatchApp> {
    const app = await host.boot()
    return new BatchApp(host, invocation, app, await openSession(app, invocation))
  }

  async answer(request: Request): Promise<object> {
    switch (request.kind) {
      case 'cell': return resultLine(await this.run(request))
      case 'policy': this.session.policy = request.value; break
      case 'reset': await this.session.reset(); break
      case 'kill': await this.session.kill(); break
      case 'restart': await this.restart(); break
    }
    return { ok: true }
  }

  private run({ source, cwd, timeoutMs }: Extract<Request, { kind: 'cell' }>): Promise<CellResult> {
    return this.session.run(source, {
      signal: this.host.output.gone,
      ...cwd === undefined ? {} : { cwd: resolve(this.invocation.cwd, cwd) },
      ...timeoutMs === undefined ? {} : { limits: { maxWallMs: timeoutMs, computeMs: timeoutMs } },
    })
  }

  /** The policy that a request has set stays; everything else comes back from disk. */
  private async restart(): Promise<void> {
    const { policy } = this.session
    await this.app.dispose()
    this.app = await this.host.boot()
    this.session = await openSession(this.app, { ...this.invocation, policy })
  }
}

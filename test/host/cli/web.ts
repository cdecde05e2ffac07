// The host's web app, started as a process and driven by its remote calls, as a browser would.
//
// Owns: the process. `stop` or `kill` ends it.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Installed } from './install.ts'

interface Event { readonly type: string, readonly data: { readonly reason?: { readonly kind: string }, readonly message?: { readonly content: readonly { readonly content: readonly { readonly text?: string }[] }[] } } }

export interface Web {
  /** A session in code mode; answers its id. */
  create(): Promise<string>
  /** One turn; answers the results of its calls, as the model reads them. */
  ask(session: string): Promise<string[]>
  /** Begins a turn. */
  prompt(session: string): Promise<void>
  /** What the app lists, the latest first. */
  sessions(): Promise<string[]>
  /** As a user stops it. */
  stop(): Promise<void>
  /** As a crash stops it. */
  kill(): Promise<void>
}

const PATIENCE = 60_000
const STEP = 50

export async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let waited = 0; waited < PATIENCE; waited += STEP) {
    const seen = await look()
    if (seen !== undefined) return seen
    await pause(STEP)
  }
  throw new Error(`${what}: not within ${PATIENCE} ms`)
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => { child.kill('SIGKILL') }, PATIENCE)
  await ended
  clearTimeout(timer)
}

export async function startWeb(host: Installed, baseURL: string): Promise<Web> {
  let said = ''
  const child = host.start(['web', '--no-open', '--port', '0'], { DEEPSEEK_BASE_URL: baseURL }, (text) => { said += text })
  try {
    const address = await until('the web app', () => {
      if (child.exitCode !== null) throw new Error(`the web app ended:\n${said}`)
      return /http:\/\/127\.0\.0\.1:[1-9]\d*/u.exec(said)?.[0]
    })
    let calls = 0
    const call = async (method: string, payload: object = {}): Promise<Record<string, never>> => {
      const response = await fetch(`${address}/api/${method}`, {
        method: 'POST', headers: { 'content-type': 'application/json' }, signal: AbortSignal.timeout(PATIENCE),
        body: JSON.stringify({ type: 'client-request', rpcId: `call-${calls += 1}`, method, payload }),
      })
      const text = await response.text()
      const { result } = JSON.parse(text) as { result?: { ok: boolean, value: Record<string, never> } }
      if (result?.ok !== true) throw new Error(`${method}: ${text.slice(0, 1000)}`)
      return result.value
    }
    const eventsOf = async (sessionId: string): Promise<Event[]> => {
      const { events } = await call('session.history', { sessionId, maxMessages: 100 }) as unknown as { events: (Event | { event: Event })[] }
      return events.map((one) => 'event' in one ? one.event : one)
    }
    const ends = (events: readonly Event[]) => events.filter(({ type }) => type === 'turn/end')
    const prompt = async (sessionId: string) => { await call('session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text: 'Go on.' }] }) }
    return {
      prompt,
      create: async () => (await call('session.create', { cwd: host.workspace, agentPreset: 'code' })).sessionId!,
      async ask(sessionId) {
        const before = await eventsOf(sessionId)
        await prompt(sessionId)
        const events = await until('the end of the turn', async () => {
          const seen = await eventsOf(sessionId)
          return ends(seen).length > ends(before).length ? seen.slice(before.length) : undefined
        })
        const kind = ends(events).at(-1)!.data.reason?.kind
        if (kind !== 'completed') throw new Error(`the turn ended: ${JSON.stringify(ends(events).at(-1))}`)
        return events.filter(({ type }) => type === 'tool/result')
          .map(({ data }) => data.message!.content.flatMap(({ content }) => content.map(({ text = '' }) => text)).join(''))
      },
      async sessions() {
        const { items } = await call('session.list') as unknown as { items: { sessionId: string, updatedAt: number }[] }
        return items.toSorted((one, other) => other.updatedAt - one.updatedAt).map(({ sessionId }) => sessionId)
      },
      stop: () => end(child, 'SIGTERM'),
      kill: () => end(child, 'SIGKILL'),
    }
  } catch (error) {
    await end(child, 'SIGKILL')
    throw error
  }
}

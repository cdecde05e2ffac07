// The bridge's service: what is attached, and which session of the host has which kernel session.
//
// Owns: hosted sessions, published runtimes. Does not own: kernels (the kernel plugin's), the host's runtimes.
// Invariants: B1 no hosted session outlives its host's session, or the bridge.
import type { Context } from 'cordis'
import { plain } from '../journal/own.ts'
import type { ReplSession } from '../kernel/types.ts'
import { Executions } from './execution.ts'
import { hostOf } from './host/context.ts'
import { transportTools, type TransportTools } from './host/transport.ts'
import type { CodeRuntime, HostSession, PtcRuntime, SeamName, Seams } from './host/types.ts'
import { codeRuntime } from './seam/code-runtime.ts'
import { ptcRuntime, type Owners } from './seam/ptc-runtime.ts'
import { HostedSession, kernelId } from './session/hosted-session.ts'
import type { LiveSettings } from './live-settings.ts'
import type { Cells } from './messages/follow.ts'
import type { BridgeService } from './types.ts'

export interface Settings { readonly enabled: boolean, readonly officialReplPriority: boolean }

/** A runtime that keeps names itself, in the words of either generation. */
const retainsState = ({ retainsState: retains, programFormat }: Partial<PtcRuntime>): boolean => retains === true || programFormat === 'repl'

export class Bridge implements BridgeService {
  /** Through a context this is the caller's. */
  declare ctx: Context
  readonly enabled: boolean
  private readonly settings: Settings
  private readonly outcome: Pick<LiveSettings, 'work' | 'fail'>
  private readonly home: Context
  private readonly sessions = new Map<HostSession, HostedSession>()
  private readonly owners: Owners = new WeakMap()
  private readonly executions: Executions | undefined
  private readonly tools: TransportTools
  /** Attachments through which cells reach their kernels. */
  private attachments = 0
  /** Runtimes of the host that are there. */
  private seams = 0

  /** `outcome` is told whether these settings work. */
  constructor(ctx: Context, settings: Settings, outcome: Pick<LiveSettings, 'work' | 'fail'>) {
    const { enabled } = settings
    this.ctx = ctx
    this.home = ctx
    this.enabled = enabled
    this.settings = settings
    this.outcome = outcome
    this.tools = transportTools(ctx, hostOf(ctx).tools)
    this.executions = enabled ? new Executions(this.tools, (agent) => this.hosted(agent.session)) : undefined
  }

  /** Follows the host's executions and sessions; the disposer stops it and puts everything back. */
  follow(): () => Promise<void> {
    const { executions, home } = this
    if (executions === undefined) return async () => {}
    const host = hostOf(home)
    const off = [
      // Where cells are left to the host, none is followed.
      host.on('tools/execute', (exec, next) => this.attached ? executions.around(exec, next) : next()),
      // The first one in, so that what it adds is not taken for the cell's own.
      host.on('tools/post-execute', async (exec, result, next) => executions.shown(exec, result, await next()), { prepend: true }),
      host.on('tools/result', (exec, result) => { executions.final(exec, result, this.attached) }),
      host.on('session/disposed', (session) => { void this.drop(session) }),
      home.ptcJournal.visibility((id) => this.byKernelId(id)?.visible()),
    ]
    return async () => {
      for (const stop of off) stop()
      executions.restore()
      await Promise.all([...this.sessions.keys()].map((session) => this.drop(session)))
    }
  }

  /** Whether cells run in kernels now. */
  get attached(): boolean { return this.attachments > 0 && !this.tools.isUnreadable }

  /** Whether the host has a runtime. */
  get hasSeam(): boolean { return this.seams > 0 }

  attach<Name extends SeamName>(seam: Name, original: Seams[Name]): () => Promise<void> {
    try {
      const detach = this.attachNow(seam, original)
      this.outcome.work()
      this.seams += 1
      return () => { this.seams -= 1; return detach() }
    } catch (error) {
      if (!this.outcome.fail(error)) throw error
      return async () => {}
    }
  }

  private attachNow<Name extends SeamName>(seam: Name, original: Seams[Name]): () => Promise<void> {
    const { home, executions } = this
    if (executions === undefined || this.settings.officialReplPriority && retainsState(original)) return this.publish(seam, plain(original))
    if (original.language !== 'typescript') {
      home.logger.warn(`the host's ${seam} runs ${original.language}; its cells stay with it`)
      return this.publish(seam, plain(original))
    }
    const { tools } = this
    const attached = { original: original as PtcRuntime, gone: false }
    const withdraw = this.publish(seam, seam === 'codeRuntime'
      ? codeRuntime(original as CodeRuntime, executions, tools) : ptcRuntime(attached, executions, tools, this.owners))
    this.attachments += 1
    return async () => {
      attached.gone = true
      this.attachments -= 1
      await withdraw()
    }
  }

  private publish(seam: SeamName, runtime: object): () => Promise<void> {
    return this.home.provide(seam as never, runtime as never) as unknown as () => Promise<void>
  }

  session(id: string): ReplSession | undefined {
    return [...this.sessions.values()].find(({ log }) => log.session.id === id)?.kernel
  }

  /** What the host's log of a session has about its cells; undefined while none run in kernels. */
  get cells(): Cells | undefined {
    return this.attached ? { logOf: (session) => this.hosted(session).log } : undefined
  }

  private byKernelId(id: string): HostedSession | undefined {
    return [...this.sessions.values()].find(({ log }) => kernelId(log.session) === id)
  }

  private hosted(session: HostSession): HostedSession {
    const known = this.sessions.get(session)
    if (known !== undefined) return known
    const { replKernel: kernel, ptcJournal: journal } = this.home
    const made = new HostedSession(session, { kernel, journal })
    this.sessions.set(session, made)
    return made
  }

  /** B1. Never rejects: nobody waits for it who could do anything about it. */
  private async drop(session: HostSession): Promise<void> {
    const hosted = this.sessions.get(session)
    this.sessions.delete(session)
    try { await hosted?.close() } catch (error) { this.home.logger.error(error) }
    this.home.capabilityPlan.forget(kernelId(session))
  }
}

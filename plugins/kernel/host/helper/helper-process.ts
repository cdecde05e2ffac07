// One helper process as the host sees it: how it is started, spoken to and ended.
//
// Owns: the child process, its socket and pipes. Does not own: cells; whoever holds the process listens to its messages.
// Crosses by: `run`, `settle`, `activeMs`, `complete`, the listener, `kill`.
// Invariants: K4 `kill` resolves after the process has exited; W1 a listener only sees messages rebuilt by `guard`;
// W2 everything that waits for the process settles when it ends.
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { CompileRequest, Rejection } from '../../compile/types.ts'
import type { Edited, Operation } from '../../edit/types.ts'
import { parseFromHelper, parseFromWorker } from '../../protocol/guard.ts'
import { receiveLines, sendLines } from '../../protocol/lines.ts'
import { shortenOrders } from '../../protocol/repeated.ts'
import type { FromHelper, FromWorker, Observed, RunOrder, ToHelper, ToWorker } from '../../protocol/messages.ts'
import type { WorkerLimits } from '../../types.ts'
import type { HelperBoot } from '../../worker/helper.ts'
import { codeCacheVariables } from './code-cache.ts'
import { currentLocality, isSameLocality, type Locality, localityVariables } from './locality.ts'
import { DescriptorCapture } from './descriptor-capture.ts'

/** Where the worker finds its end of the socket. */
const SOCKET_FD = 4
/** A line holds at most one value and its frame; values are limited separately, this only bounds memory. */
const MAX_LINE_BYTES = 512 * 1024 * 1024
/** How long a helper whose socket or channel has closed may take to say why it ends. */
const LAST_WORDS_MS = 1_000

export interface HelperListener {
  onMessage(message: Exclude<FromWorker, { type: 'ready' | 'completed' | 'observed' }>): void
  /** `activeMs`: event-loop active time of the worker when the helper took the cell, milliseconds. */
  onStarted(cell: number, activeMs: number): void
  onRejected(cell: number, rejection: Rejection): void
  /** The cell has printed more than it may. */
  onOverflow(cell: number): void
  /** `isInside`: the bytes came between the fences of a cell. */
  onDescriptor(channel: 'stdout' | 'stderr', text: string, isInside: boolean): void
  onEnd(reason: string): void
}

export class HelperProcess {
  readonly pid: number
  readonly limits: WorkerLimits
  readonly locality: Locality
  /** Resolves when the worker is up, or when it never will be. */
  readonly ready: Promise<void>
  readonly exited: Promise<void>
  private readonly child: ChildProcess
  private readonly sendLine: (json: string) => void
  private readonly captures: readonly DescriptorCapture[]
  private readonly asked = new Map<number, (answer: unknown) => void>()
  private questions = 0
  private readonly shorten = shortenOrders()
  private readonly abandoned = new Set<number>()
  private losing: NodeJS.Timeout | undefined
  private listener: HelperListener | undefined
  private reason: string | undefined

  constructor(limits: WorkerLimits, locality: Locality) {
    this.limits = limits
    this.locality = locality
    const { maxOldGenerationSizeMb, startupProbeMs, workerReclaimMs } = limits
    const nonce = randomBytes(9).toString('base64url')
    const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
    const entry = fileURLToPath(new URL(`../../worker/helper${extension}`, import.meta.url))
    // What makes Node itself write or load something is for the host's Node; on our pipes it would read as output of cells.
    const { NODE_V8_COVERAGE: _coverage, NODE_OPTIONS: _options, NODE_DEBUG: _debug, NODE_DEBUG_NATIVE: _native, ...env } = process.env
    const codeCache = codeCacheVariables(env)
    const boot: HelperBoot = { fd: SOCKET_FD, nonce, maxLineBytes: MAX_LINE_BYTES, maxOldGenerationSizeMb, startupProbeMs, hidesCodeCache: codeCache !== null }
    this.child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, JSON.stringify(boot)], {
      detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
      env: { ...env, ...codeCache, ...isSameLocality(locality, currentLocality()) ? {} : localityVariables(locality) },
    })
    this.pid = this.child.pid ?? -1
    const socket = this.child.stdio[SOCKET_FD] as Socket
    this.sendLine = sendLines(socket)
    // A program can close any descriptor of its process, and without these two nothing is heard of it. A helper that ends
    // closes them as well, and says a better reason.
    const lost = (what: string) => () => { if (!this.ended) this.losing ??= setTimeout(() => this.fault(what), LAST_WORDS_MS) }
    socket.on('error', lost('the socket to the worker broke'))
    socket.on('close', lost('the socket to the worker was closed'))
    this.child.on('disconnect', lost('the channel to the helper was closed'))
    let ready: () => void = () => {}
    this.ready = new Promise((resolve) => { ready = resolve })
    receiveLines(socket, MAX_LINE_BYTES, (received) => {
      const message = parseFromWorker(received)
      if ('refused' in message) return this.fault(`the worker broke the protocol: ${message.refused}`)
      if (message.type === 'ready') return ready()
      if (message.type === 'completed') return this.answer(message.id, message.names)
      if (message.type === 'observed') return this.answer(message.id, message.values)
      this.listener?.onMessage(message)
    }, (fault) => this.fault(`the worker broke the protocol: ${fault}`))
    this.captures = (['stdout', 'stderr'] as const).map((channel) =>
      new DescriptorCapture(this.child[channel]!, nonce, (text, isInside) => this.listener?.onDescriptor(channel, text, isInside)))
    this.child.on('message', (received) => {
      const message = parseFromHelper(received)
      if ('refused' in message) this.fault(`the helper broke the protocol: ${message.refused}`)
      else this.hear(message)
    })
    this.child.on('error', (error) => { this.end(error.message); ready() })
    this.exited = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => {
        const gone = () => {
          this.end(signal === null ? `the helper exited with code ${code}` : `the helper was killed by ${signal}`)
          // Not `close`: a child of a cell may have inherited our pipes and outlive the helper.
          for (const stream of this.child.stdio) stream?.destroy()
          ready()
          resolve()
        }
        // What the helper said last (why its worker ended) may still be in the channel. A child of a cell may hold it open.
        if (!this.child.connected) return gone()
        const bound = setTimeout(() => this.child.disconnect(), workerReclaimMs)
        this.child.once('disconnect', () => { clearTimeout(bound); gone() })
      })
      this.child.once('error', () => { if (this.child.pid === undefined) resolve() })
    })
  }

  get ended(): boolean { return this.reason !== undefined }

  /** Why it ended, if it has. */
  get endReason(): string | undefined { return this.reason }

  listen(listener: HelperListener | undefined): void { this.listener = listener }

  /** With `startBy` the helper answers `started`, or leaves the cell alone when it is later than that. */
  run(request: CompileRequest, order: RunOrder, startBy?: number): void { this.tell({ type: 'run', request, order: this.shorten(order), ...startBy === undefined ? {} : { startBy } }) }

  /** The cell that was handed over last is said not to have started: if it does, the process ends. */
  abandon(cell: number): void { this.abandoned.add(cell) }

  settle(message: Extract<ToWorker, { type: 'settle' }>): void { this.sendLine(JSON.stringify(message)) }

  /** Event-loop active time of the worker, milliseconds; undefined when the process ends first. */
  async activeMs(): Promise<number | undefined> {
    return await this.ask((id) => this.tell({ type: 'sample', id })) as number | undefined
  }

  /** Moves the process to the directory that the running cell is in now; answers why it can not. */
  async enter(cwd: string): Promise<string | undefined> {
    return await this.ask((id) => this.tell({ type: 'enter', id, cwd })) as string | undefined
  }

  /** Edits a source within the bounds of `edit/limits.ts`. */
  async edit(source: string, operation: Operation): Promise<Edited> {
    return await this.ask((id) => this.tell({ type: 'edit', id, source, operation })) as Edited | undefined ?? { refused: 'the helper process has ended' }
  }

  async complete(path: string): Promise<{ name: string, kind: string }[]> {
    return (await this.ask((id) => this.sendLine(JSON.stringify({ type: 'complete', id, path } satisfies ToWorker))) ?? []) as { name: string, kind: string }[]
  }

  /** Undefined when the worker does not answer within `waitMs`, for example because a cell blocks it. */
  async observe(names: readonly string[] | undefined, waitMs: number): Promise<Observed[] | undefined> {
    let bound: NodeJS.Timeout | undefined
    let asked = 0
    const answer = this.ask((id) => { asked = id; this.sendLine(JSON.stringify({ type: 'observe', id, ...names === undefined ? {} : { names } } satisfies ToWorker)) })
    const late = new Promise<undefined>((resolve) => { bound = setTimeout(() => { this.asked.delete(asked); resolve(undefined) }, waitMs) })
    const values = await Promise.race([answer, late]) as Observed[] | undefined
    clearTimeout(bound)
    return values
  }

  /**
   * True when all that the cell wrote to the descriptors has been reported; false when its end does not come within
   * `workerReclaimMs`, which is how a program that has forged the end of its cell is found out.
   */
  async fenced(cell: number): Promise<boolean> {
    let bound: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => { bound = setTimeout(() => resolve(false), this.limits.workerReclaimMs) })
    const came = (async () => { for (const capture of this.captures) await capture.fenced(cell); return true })()
    const isComplete = await Promise.race([came, late])
    clearTimeout(bound)
    return isComplete
  }

  /**
   * K4. Takes the process group, so children of cells end with it. False when the process has not exited within
   * `workerReclaimMs`: the system holds it, and `exited` says when it lets go.
   */
  async kill(reason = 'the helper was killed'): Promise<boolean> {
    this.reason ??= reason
    clearTimeout(this.losing)
    if (this.child.exitCode === null && this.child.signalCode === null && this.pid > 0) {
      try { process.kill(-this.pid, 'SIGKILL') } catch { this.child.kill('SIGKILL') }
    }
    let bound: NodeJS.Timeout | undefined
    const held = new Promise<boolean>((resolve) => {
      bound = setTimeout(() => resolve(this.child.exitCode !== null || this.child.signalCode !== null), this.limits.workerReclaimMs)
    })
    const gone = await Promise.race([this.exited.then(() => true), held])
    clearTimeout(bound)
    if (gone) await this.exited
    return gone
  }

  private tell(message: ToHelper): void {
    if (this.child.connected) this.child.send(message, () => {})
  }

  private ask(send: (id: number) => void): Promise<unknown> {
    if (this.ended) return Promise.resolve(undefined)
    this.questions += 1
    const id = this.questions
    return new Promise((resolve) => { this.asked.set(id, resolve); send(id) })
  }

  private answer(id: number, value: unknown): void {
    const resolve = this.asked.get(id)
    this.asked.delete(id)
    resolve?.(value)
  }

  private hear(message: FromHelper): void {
    if (message.type === 'started') this.hearStart(message)
    else if (message.type === 'rejected') this.listener?.onRejected(message.cell, message.rejection)
    else if (message.type === 'overflow') this.listener?.onOverflow(message.cell)
    else if (message.type === 'sampled') this.answer(message.id, message.activeMs)
    else if (message.type === 'edited') this.answer(message.id, message.edited)
    else if (message.type === 'entered') this.answer(message.id, message.refusal)
    else this.end(message.reason)
  }

  private hearStart({ cell, activeMs }: Extract<FromHelper, { type: 'started' }>): void {
    if (this.abandoned.has(cell)) this.fault(`cell ${cell} was given up and has started`)
    else this.listener?.onStarted(cell, activeMs)
  }

  private fault(reason: string): void {
    this.end(reason)
    void this.kill()
  }

  /** W2. */
  private end(reason: string): void {
    this.reason ??= reason
    clearTimeout(this.losing)
    for (const resolve of this.asked.values()) resolve(undefined)
    this.asked.clear()
    const { listener } = this
    this.listener = undefined
    listener?.onEnd(this.reason)
  }
}

// One session: its queue of cells, its live helper and its history. The fourteen steps of a cell (docs/architecture.md) are
// `runSteps`, with those in the live helper in `cell/live.ts`.
//
// Owns: the helper while it is live, the history's writer, the order of cells. Does not own: the spare, the namespaces.
// Crosses by: the journal (history, fold), the capability plan (view, dispatch), the compiler's and worker's messages.
// Invariants: K1 one running cell; K2 one snapshot of limits per cell; K4 `close` returns after the helper has exited;
// J2 the head moves only with a durable record that is on disk; R1 recovery dispatches nothing.
import type { CellPlan, NamespaceView } from '../../capabilities/types.ts'
import type { Diagnostic, Fold, Frontier, History, NewEntry, PathCell, RecordedError } from '../../journal/types.ts'
import { MODULE_TRANSFORM } from '../compile/version.ts'
import { KernelError, messageOf } from '../errors.ts'
import type { BindingPolicy, CellResult, Edit, EditTarget, KernelLimits, LogEntry, NamePreview, OpenOptions, ReplSession, RunOptions, SessionState, ValuePreview, WorkerLimits } from '../types.ts'
import { notPreserved } from './diagnostics.ts'
import { type Job, jobOf } from './cell/job.ts'
import { runLive } from './cell/live.ts'
import { changedSurface, listedNames, namespacesNow, withKernelNamespaces } from './cell/namespaces.ts'
import { CellEdits, editNow, NO_EDITS } from './edit/cell-edits.ts'
import { EditTimeline } from './edit/timeline.ts'
import { resolveDoubt } from './past/doubt.ts'
import type { HelperProcess } from './helper/helper-process.ts'
import { BetweenCells } from './late-output.ts'
import { valueLimits, withLimits, workerLimits } from './limits.ts'
import { currentLocality, type Locality, localityOf } from './helper/locality.ts'
import { OutputLog } from './cell/output-log.ts'
import { observe } from './cell/observation.ts'
import { bringBack } from './past/bring-back.ts'
import { NOTHING } from './recovery.ts'
import { CellNumbers } from './past/numbers.ts'
import { WorkQueue } from './session/queue.ts'
import { Repetition } from './session/repetition.ts'
import { renderDiagnostic } from './render.ts'
import type { SessionHost } from './session-host.ts'
import { NOT_PRESERVED, Standing, unpreserved } from './past/standing.ts'
import { resultOf, settleNoop, type CellFacts, type Settled } from './cell/settlement.ts'

/** How long the recording of what timers did may hold up the end of a worker. */
const STIRRING_MS = 2_000

/** Contract 1.5: the one label of a session that is not to be replayed. */
const REPLAY_OFF = 'replay is disabled by configuration'

export class Session implements ReplSession {
  readonly id: string
  private readonly host: SessionHost
  private readonly history: History
  private readonly cwd: string
  private readonly limits: KernelLimits
  private readonly worker: WorkerLimits
  private readonly numbers = new CellNumbers()
  /** Without contents, so that what a session takes does not grow with what its cells said. */
  private readonly fold: Fold<PathCell>
  private readonly standing: Standing
  private readonly timeline = new EditTimeline()
  private readonly repetition = new Repetition()
  private helper: HelperProcess | undefined
  /** Was killed and has not exited: what it still does must not meet the next cell. */
  private unreclaimed: HelperProcess | undefined
  /** Cells in a row whose budget had nothing to measure from. */
  private unmeasured = 0
  private readonly queue: WorkQueue
  private running = false
  private recovering = false
  private closing: Promise<void> | undefined
  /** Why the live names can not be replayed, once they can not; ends with the helper that holds them. */
  private lostReason: string | undefined
  /** What opening or recovering the session found; said with the next cell. */
  private readonly unreported: Diagnostic[]
  private bindingPolicy: BindingPolicy
  /** Undefined before the first cell. */
  private locality: Locality | undefined
  /** Timers have fired since the last cell, so the live names are not quite those of the last record. */
  private stirred = false
  private readonly onStirred = () => { this.stirred = true }
  private readonly between = new BetweenCells()
  private readonly interrupts = new Set<AbortController>()

  private constructor(id: string, host: SessionHost, history: History, options: OpenOptions) {
    this.id = id
    this.host = host
    this.history = history
    this.cwd = options.cwd ?? process.cwd()
    this.limits = withLimits(host.limits, options.limits)
    this.worker = workerLimits(this.limits)
    this.queue = new WorkQueue(host.idleMs, () => { this.sleep().catch((error: unknown) => this.host.onCallerError(error)) })
    this.bindingPolicy = options.policy ?? 'stateful'
    this.fold = host.journal.newIndex()
    this.standing = new Standing(history, host.journal, this.fold)
    this.unreported = [...history.repairs]
  }

  static async open(id: string, host: SessionHost, options: OpenOptions): Promise<Session> {
    const history = await host.journal.history(id, options.source)
    try {
      const session = new Session(id, host, history, options)
      for await (const entry of history.entries()) {
        if (entry.kind === 'cell-opened') session.numbers.add(entry.seq)
        session.locality ??= localityOf(entry)
        session.standing.remember(entry)
        session.timeline.add(entry)
      }
      session.unreported.push(...host.plans.adopt(history, session.numbers.next > 1))
      session.refill()
      return session
    } catch (error) {
      await history.close()
      throw error
    }
  }

  get state(): SessionState {
    if (this.closing !== undefined) return 'closed'
    if (this.recovering) return 'recovering'
    if (this.running) return 'running'
    return this.isLive ? 'idle' : 'cold'
  }

  get policy(): BindingPolicy { return this.bindingPolicy }
  set policy(policy: BindingPolicy) {
    if (policy !== 'stateful' && policy !== 'protected') throw new KernelError('bad-policy', JSON.stringify(policy))
    this.bindingPolicy = policy
  }

  get editTarget(): EditTarget | undefined { return this.timeline.target }

  run(source: string, options: RunOptions = {}): Promise<CellResult> {
    if (typeof source !== 'string') return Promise.reject(new KernelError('bad-source'))
    return this.submit(options, (job) => this.runCell({ ...job, source }))
  }

  edit(request: unknown, options: RunOptions = {}): Promise<Edit> {
    return this.submit(options, async (job) => {
      await this.wake()
      return await editNow(request, this.newEdits(), this.helper, (derivation) => this.runCell({ ...job, ...derivation }))
    })
  }

  private submit<T>(options: RunOptions, work: (job: Omit<Job, 'source'>) => Promise<T>): Promise<T> {
    let job: Omit<Job, 'source'>
    try { job = jobOf(options, { cwd: this.cwd, limits: this.limits, capabilities: this.host.capabilities, onCallerError: this.host.onCallerError }) } catch (error) { return Promise.reject(error as Error) }
    return this.enqueue(() => work(job))
  }

  private newEdits(): CellEdits { return new CellEdits(this.timeline, this.history.confirmation === 'host') }

  recover(): Promise<void> {
    return this.enqueue(() => this.wake())
  }

  private async wake(): Promise<void> {
    await this.revalidate()
    if (!this.isLive) await this.goLive(undefined, this.unreported, this.host.capabilities)
  }

  async complete(path = ''): Promise<NamePreview[]> {
    return this.helper !== undefined && this.isLive ? await this.helper.complete(path) : []
  }

  observe(names?: readonly string[]): Promise<ValuePreview[]> { return observe(this.isLive ? this.helper : undefined, names) }

  /** Whether ending its worker now would cost nothing but a recovery. */
  get canSleep(): boolean { return this.isLive && this.queue.waiting === 0 && this.volatileReason === undefined && !this.standing.isWaiting && this.closing === undefined }

  /** Ends the worker if that is still possible; the next cell recovers. */
  async sleep(): Promise<void> {
    if (!this.canSleep) return
    await this.enqueue(async () => {
      await this.recordStirring()
      // A history that can not take it keeps its session awake.
      if (!this.stirred) await this.dropHelper()
    })
  }

  reset(): Promise<void> {
    return this.enqueue(() => this.dropHelper())
  }

  async kill(): Promise<void> {
    await this.helper?.kill('the helper was killed by SIGKILL')
  }

  close(): Promise<void> {
    return this.closing ??= (async () => {
      for (const interrupt of this.interrupts) interrupt.abort(new Error('the session was closed'))
      await this.queue.drain()
      await this.recordStirring()
      await this.dropHelper()
      this.host.plans.release(this.id)
      await this.history.close()
      this.host.onClosed(this)
    })()
  }

  private get volatileReason(): string | undefined { return this.host.durableReplay ? this.lostReason : REPLAY_OFF }

  private get isLive(): boolean { return this.helper !== undefined && !this.helper.ended }

  /** K1. */
  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (this.closing !== undefined) return Promise.reject(new KernelError('closed', this.id))
    return this.queue.add(work)
  }

  private append(entry: NewEntry, options?: { sync: boolean }): number {
    const seq = this.history.append(entry, options)
    if (entry.kind === 'cell-opened') this.numbers.add(seq)
    const written = { ...entry, seq, at: Date.now() }
    this.timeline.add(written)
    const isCertain = this.standing.add(written)
    if (isCertain && entry.kind === 'cell-settled' && entry.record.status === 'durable') this.host.onConfirmed(this.id, entry.cell)
    return seq
  }

  /** Before the worker is ended without need: what its timers did since the last cell is recorded by one without a source. */
  private async recordStirring(): Promise<void> {
    if (!this.stirred || !this.isLive || this.volatileReason !== undefined || this.standing.isWaiting) return
    const limits = { ...this.limits, maxWallMs: Math.min(this.limits.maxWallMs, STIRRING_MS) }
    await this.runSteps({ source: '', description: 'what timers did after the last cell', cwd: this.cwd, limits, plan: this.host.capabilities, signal: new AbortController().signal })
  }

  /** Before every cell (contract 3.3, 3.4): records that were lost make the live names volatile, cells out of sight take theirs along. */
  private async revalidate(): Promise<void> {
    if (this.standing.settle() && this.isLive) this.lostReason ??= NOT_PRESERVED
    const unseen = this.standing.unseen()
    if (unseen === undefined) return
    if (unseen !== 'live') this.contract(unseen.cell, unseen.parent)
    await this.dropHelper()
  }

  private async runCell(job: Job): Promise<CellResult> {
    const interrupt = new AbortController()
    this.interrupts.add(interrupt)
    if (this.closing !== undefined) interrupt.abort(new Error('the session was closed'))
    const signal = job.signal === undefined ? interrupt.signal : AbortSignal.any([job.signal, interrupt.signal])
    this.running = true
    try {
      const edits = this.newEdits()
      const result = await this.runSteps({ edits, ...job, signal })
      return await edits.follow(result, this.timeline.latest, (derivation) => this.runSteps({ ...job, ...derivation, signal }))
    } finally {
      this.running = false
      this.interrupts.delete(interrupt)
    }
  }

  private async runSteps(job: Job & { readonly signal: AbortSignal }): Promise<CellResult> {
    const { limits, signal } = job
    const log = new OutputLog(limits.maxOutputBytes, job.onOutput)
    const views = namespacesNow(job.plan, this.id, this.host.capabilities)
    const before: Diagnostic[] = []
    let settled: Settled
    let failure: RecordedError | undefined
    // Nothing may run on names that ought to be gone.
    try { await this.revalidate() } catch (error) { failure = { kind: 'recovery', message: messageOf(error) } }
    const held = failure !== undefined || signal.aborted ? undefined : this.between.takeFailure()
    if (signal.aborted) failure ??= { kind: 'abort', message: messageOf(signal.reason) }
    if (held !== undefined) { failure = held.error; before.push(held.diagnostic) }
    if (failure === undefined && !this.isLive) failure = await this.goLive(signal, this.unreported, job.plan)
    before.push(...this.unreported.splice(0))
    const cell = this.open(job, views)
    const facts: CellFacts = {
      number: cell === undefined ? this.numbers.next : this.numbers.of(cell), cwd: job.cwd, moduleTransform: MODULE_TRANSFORM,
      languageSemantics: this.bindingPolicy === 'protected' ? 'protected-v1' : 'stateful-v1', namespaces: listedNames(views),
      confirms: this.host.journal.pending(this.id),
    }
    for (const diagnostic of before) log.add('diagnostic', `${renderDiagnostic(diagnostic)}\n`)
    for (const { channel, text } of this.between.takeReports()) log.add(channel, text)
    if (cell === undefined) failure ??= { kind: 'recovery', message: 'the history can not be written, so the cell was not run' }
    if (failure !== undefined || cell === undefined) {
      settled = settleNoop(facts, failure!, before)
    } else {
      settled = await this.evaluate(job, cell, facts, views, log, before)
    }
    settled = this.repetition.after(settled, log)
    return this.finish(cell, settled, settled.error?.kind === 'output-limit' ? log.newest() : log.entries(), limits, job.onOutput)
  }

  /** Undefined when the history can not be written. */
  private open({ source, cwd, description, derived }: Job, views: readonly NamespaceView[]): number | undefined {
    try {
      const locality = this.locality === undefined ? this.locality = currentLocality() : {}
      const surface = changedSurface(views, this.standing.surface)
      return this.append({ kind: 'cell-opened', source, cwd, ...description === undefined ? {} : { description }, ...derived === undefined ? {} : { derived }, ...locality, ...surface === undefined ? {} : { surface } })
    } catch {
      return undefined
    }
  }

  private async evaluate(
    job: Job & { readonly signal: AbortSignal }, cell: number, facts: CellFacts, namespaces: readonly NamespaceView[], log: OutputLog, before: readonly Diagnostic[],
  ): Promise<Settled> {
    const helper = this.helper!
    const { settled, keepsWorker, measured, late, stirred } = await runLive({
      session: this.id, cell, facts, helper, capabilities: job.plan, namespaces, log, before,
      source: job.source, limits: job.limits, signal: job.signal, edits: job.edits ?? NO_EDITS,
      checkpoints: () => this.host.durableReplay ? this.fold.frontier().checkpoints.keys() : [], volatileReason: this.volatileReason, dropsTimers: this.between.hasPrinted,
      append: (entry) => { this.append(entry) },
      take: () => this.take(),
    })
    this.unmeasured = measured ? 0 : this.unmeasured + 1
    if (late !== undefined) this.between.hasPrinted = true
    if (!keepsWorker || this.unmeasured >= job.limits.unmeasuredCellLimit) await this.dropHelper()
    else {
      if (settled.record.status !== 'noop') this.stirred = stirred
      if (settled.record.status === 'volatile') this.lostReason ??= settled.record.volatileReason
      this.between.listen(helper, this.onStirred)
      if (late !== undefined) this.between.hold(helper, late)
    }
    return settled
  }

  private finish(
    cell: number | undefined, settled: Settled, logs: readonly LogEntry[], limits: KernelLimits, onOutput: RunOptions['onOutput'],
  ): CellResult {
    let final = settled
    let shown = logs
    if (cell !== undefined) {
      const { record } = settled
      try {
        this.append({ kind: 'cell-settled', cell, record }, { sync: record.status !== 'noop' })
      } catch (error) {
        const diagnostic = notPreserved(messageOf(error))
        if (record.status === 'durable') this.lostReason ??= NOT_PRESERVED
        const lost = record.status === 'durable' ? unpreserved(record) : record
        final = { ...settled, record: lost, diagnostics: [...settled.diagnostics, diagnostic] }
        const entry: LogEntry = { channel: 'diagnostic', text: renderDiagnostic(diagnostic) }
        shown = [...logs, entry]
        onOutput?.(entry)
      }
    }
    this.host.plans.called(this.id, settled.record.calls)
    const result = resultOf(final, shown, valueLimits(limits))
    this.host.onSettled(this, result)
    return result
  }

  /** Recovers. What was lost is added to `found`; answers why the cell can not run, if it can not. */
  private async goLive(signal: AbortSignal | undefined, found: Diagnostic[], plan: CellPlan): Promise<RecordedError | undefined> {
    await this.dropHelper()
    if (this.unreclaimed !== undefined) {
      return { kind: 'recovery', message: `the session's last helper (process ${this.unreclaimed.pid}) was killed and has not exited, so nothing was run beside it` }
    }
    this.recovering = true
    try {
      await this.host.admit(this)
      const { capabilities } = this.host
      const back = await bringBack({
        frontier: () => this.frontier(), namespaces: withKernelNamespaces(plan.view()), signal,
        numberOf: (cell) => this.numbers.of(cell),
        take: () => this.take(),
        onProgress: (done, of) => this.host.onReplaying(this.id, done, of),
        contract: (failed, parent) => this.contract(failed, parent),
        resolve: (call) => resolveDoubt(call, { session: this.id, cwd: this.cwd, capabilities, limits: this.limits, signal }),
      }, found)
      if ('kind' in back) return back
      this.helper = back
      this.between.listen(back, this.onStirred)
      return undefined
    } finally {
      this.recovering = false
      this.refill()
    }
  }

  private contract(failed: number, parent: number | null): void {
    this.append({ kind: 'boundary', failed, frontier: parent }, { sync: true })
    this.host.onContracted(this.id, parent)
  }

  /** Rejects when the history can not be read. */
  private async frontier(): Promise<Frontier> {
    return this.host.durableReplay ? await this.host.journal.contents(this.fold.frontier(), this.history.entries()) : NOTHING
  }

  private take(): HelperProcess { return this.host.take(this.worker, this.locality ?? currentLocality()) }
  private refill(): void { this.host.refill(this.worker, this.locality ?? currentLocality()) }

  private async dropHelper(): Promise<void> {
    const { helper } = this
    this.helper = undefined
    this.lostReason = undefined
    this.stirred = false
    this.standing.reset()
    this.unmeasured = 0
    if (helper === undefined || await helper.kill()) return
    this.host.onUnreclaimed(this.id, (this.unreclaimed = helper).pid)
    void helper.exited.then(() => { this.unreclaimed = undefined })
  }
}

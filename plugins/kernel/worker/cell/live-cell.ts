// The cell that is running: what it has called, in which order answers and timers reached it, and when it is over.
//
// Owns: the lease, open calls, the settle order, the ambient record of one cell. Does not own: evaluation, the socket.
// Crosses by: `openCall` (program side), `deliver` (whoever answers), `read` and timers (ambient side), `whenQuiet`.
// Invariants:
// K3 nothing is callable after its lease. J4 settle positions are handed out in order, each once.
// R1 a cell with a record sends no call. R2 answers and wakes are delivered one per turn of the loop.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { AmbientRead, Envelope, RecordedWake } from '../../../journal/types.ts'
import type { FromWorker, Recorded, RunOrder, ToWorker } from '../../protocol/messages.ts'
import { mapDelete, mapGet, mapHas, mapSet, NativeMap, NativePromise } from '../natives.ts'

export type Answer =
  | { readonly ok: true, readonly value: Envelope }
  | { readonly ok: false, readonly error: { readonly name: string, readonly message: string } }

/** Reads that one cell may record; a program that asks more often is volatile instead of filling the journal. */
const MAX_AMBIENT_READS = 20_000

export class LiveCell {
  readonly number: number
  readonly order: RunOrder
  readonly recorded: Recorded | undefined
  readonly settles: number[] = []
  readonly wakes: RecordedWake[] = []
  readonly ambient: AmbientRead[] = []
  closed = false
  volatile: string | undefined
  divergence: string | undefined
  calls = 0
  timers = 0
  /** Set by the replay driver: something the next recorded event may be waiting for now exists. */
  onProgress: (() => void) | undefined
  /** Set by the replay driver: compares a call with its record. */
  onCall: ((call: number, global: string, member: string, args: Envelope) => void) | undefined
  private readonly send: (message: FromWorker) => void
  private readonly waiting = new NativeMap<number, (answer: Answer) => void>()
  private open = 0
  private position = 0
  private reads = 0
  private quiet: (() => void) | undefined
  private readonly diverged: (reason: string) => void
  readonly whenDiverged: Promise<string>

  constructor(order: RunOrder, send: (message: FromWorker) => void) {
    this.number = order.cell
    this.order = order
    this.recorded = order.recorded
    this.send = send
    let diverged: (reason: string) => void = () => {}
    this.whenDiverged = new NativePromise<string>((resolve) => { diverged = resolve })
    this.diverged = diverged
  }

  /** Opens a call; `answered` hears of it exactly once, unless the cell is taken down before. */
  openCall(global: string, member: string, args: Envelope, answered: (answer: Answer) => void): void {
    const call = this.calls
    this.calls += 1
    this.open += 1
    mapSet(this.waiting, call, answered)
    if (this.recorded === undefined) this.send({ type: 'call', cell: this.number, call, global, member, args })
    else this.onCall?.(call, global, member, args)
    this.onProgress?.()
  }

  isOpen(call: number): boolean { return mapHas(this.waiting, call) }

  deliver(call: number, answer: Answer): void {
    const answered = mapGet(this.waiting, call) as ((answer: Answer) => void) | undefined
    if (answered === undefined) return
    mapDelete(this.waiting, call)
    this.settles[call] = this.position
    this.position += 1
    answered(answer)
    this.open -= 1
    if (this.open === 0 && this.quiet !== undefined) this.quiet()
  }

  wake(timer: number): void {
    this.wakes[this.wakes.length] = { timer, settle: this.position }
    this.position += 1
  }

  /** Resolves once no call is open; the program may still open more before the caller looks again. */
  whenQuiet(): Promise<void> | undefined {
    if (this.open === 0) return undefined
    return new NativePromise<void>((resolve) => { this.quiet = resolve })
  }

  touch(reason: string): void {
    if (this.volatile !== undefined || this.closed) return
    this.volatile = reason
    if (this.recorded !== undefined) return this.diverge(`the replay touched ${reason}`)
    this.send({ type: 'volatile', cell: this.number, reason })
  }

  /** One ambient read: recorded in a live cell, answered from the record in a replay. */
  read<T>(source: string, native: () => T): T {
    if (this.recorded !== undefined) {
      const entry = this.recorded.ambient[this.reads]
      this.reads += 1
      if (entry !== undefined && entry[0] === source) return entry[1] as T
      this.diverge(`the replay read ${source} where the record has ${entry === undefined ? 'nothing more' : entry[0]}`)
      return native()
    }
    const value = native()
    if (this.volatile === undefined) {
      if (this.reads >= MAX_AMBIENT_READS) this.touch(`more than ${MAX_AMBIENT_READS} ambient reads`)
      else this.ambient[this.ambient.length] = [source, value]
      this.reads += 1
    }
    return value
  }

  diverge(reason: string): void {
    if (this.divergence !== undefined) return
    this.divergence = reason
    this.diverged(reason)
  }

  /** What a finished replay left unused, if anything. */
  leftover(): string | undefined {
    if (this.recorded === undefined) return undefined
    const { calls, wakes, ambient } = this.recorded
    if (this.calls !== calls.length) return `the replay made ${this.calls} of ${calls.length} recorded calls`
    if (this.wakes.length !== wakes.length) return `the replay saw ${this.wakes.length} of ${wakes.length} recorded wakes`
    if (this.reads !== ambient.length) return `the replay made ${this.reads} of ${ambient.length} recorded ambient reads`
    return undefined
  }
}

/** Which cell a piece of running code belongs to: continuations keep theirs. */
export const scope = new AsyncLocalStorage<LiveCell>()

let running: LiveCell | undefined
let lateReason: string | undefined

/** The cell between its start and its close; attribution of ambient reads goes by this, not by async scope. */
export function runningCell(): LiveCell | undefined { return running }
export function setRunning(cell: LiveCell | undefined): void { running = cell }

/** Something volatile happened while no cell ran: the next one starts from state that no record explains. */
export function touch(reason: string): void {
  if (running !== undefined) running.touch(reason)
  else lateReason ??= reason
}

export function read<T>(source: string, native: () => T): T {
  if (running !== undefined) return running.read(source, native)
  touch(`late ${source}`)
  return native()
}

export function takeLateReason(): string | undefined {
  const reason = lateReason
  lateReason = undefined
  return reason
}

export type SettleMessage = Extract<ToWorker, { type: 'settle' }>

// The current cell: what it has called, in which order answers and timers reached it, and when it is over. It begins when
// the cell before it closes: what timers do between the two is its *early part*, recorded in front of what its body does.
//
// Owns: the lease, open calls, the settle order, the ambient record of one cell. Does not own: evaluation, the socket.
// Crosses by: `openCall` (program side), `deliver` (whoever answers), `read` and timers (ambient side), `whenQuiet`.
// Invariants: K1 one current cell.
// K3 nothing is callable after its lease. J4 settle positions are handed out in order, each once.
// R1 a cell with a record sends no call. R2 answers and wakes are delivered one by one.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { AmbientRead, Envelope, RecordedWake } from '../../../journal/types.ts'
import type { FromWorker, Recorded, RunOrder, ToWorker } from '../../protocol/messages.ts'
import { mapDelete, mapGet, mapHas, mapSet, NativeMap, NativePromise } from '../natives.ts'

export type Answer =
  | { readonly ok: true, readonly value: Envelope }
  | { readonly ok: false, readonly error: { readonly name: string, readonly message: string }, readonly origin: 'capability' | null }

/** Reads, and wakes, that one cell may record; a program that does more is volatile instead of filling the journal. */
const MAX_RECORDED = 20_000

export class LiveCell {
  /** The host's order; there is none between two cells. */
  private given: RunOrder | undefined
  readonly settles: number[] = []
  readonly wakes: RecordedWake[] = []
  readonly ambient: AmbientRead[] = []
  closed = false
  private entered = false
  private started = false
  private moved: string | undefined
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
  /** Of a replay: entries of the record that have been read, and how often the one after them. */
  private reads = 0
  private repeats = 0
  private quiet: (() => void) | undefined
  private readonly diverged: (reason: string) => void
  readonly whenDiverged: Promise<string>

  constructor(send: (message: FromWorker) => void) {
    this.send = send
    let diverged: (reason: string) => void = () => {}
    this.whenDiverged = new NativePromise<string>((resolve) => { diverged = resolve })
    this.diverged = diverged
  }

  /** Where the program is; a host tool may move it. */
  get directory(): string { return this.moved ?? this.order.cwd }
  move(directory: string): void { this.moved = directory }

  /** From the arrival of the cell's source to its close. In a replay what is between two cells comes before. */
  get isRunning(): boolean { return this.entered && !this.closed }
  get order(): RunOrder { return this.given! }
  get number(): number { return this.given!.cell }
  get recorded(): Recorded | undefined { return this.given?.recorded }

  /** Says which cell this is. */
  assign(order: RunOrder): void { this.given = order }

  enter(): void {
    this.entered = true
    if (this.volatile !== undefined) this.send({ type: 'volatile', cell: this.number, reason: this.volatile })
  }

  /** The body begins: what was so far is the early part. */
  start(): void { this.started = true }

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

  /** A timer of `owner` fires: of this cell, or of one before it. */
  wake(owner: LiveCell, timer: number): void {
    if (this.volatile !== undefined) return
    if (this.wakes.length >= MAX_RECORDED && this.recorded === undefined) return this.touch(`more than ${MAX_RECORDED} wakes`)
    if (!this.isRunning && this.recorded === undefined && this.wakes.length === 0) this.send({ type: 'stirred' })
    const settle = this.position
    const of = owner === this ? {} : { of: owner.number }
    this.wakes[this.wakes.length] = this.started ? { timer, settle, ...of } : { timer, settle, ...of, early: true }
    this.position += 1
  }

  /** Resolves once no call is open; the program may still open more before the caller looks again. */
  whenQuiet(): Promise<void> | undefined {
    if (this.open === 0) return undefined
    return new NativePromise<void>((resolve) => { this.quiet = resolve })
  }

  touch(reason: string): void {
    if (this.volatile !== undefined || this.closed) return
    this.volatile = this.isRunning ? reason : `late ${reason}`
    if (this.recorded !== undefined) return this.diverge(`the replay touched ${reason}`)
    if (this.isRunning) this.send({ type: 'volatile', cell: this.number, reason })
  }

  /** What a replay has to read next. */
  get nextSource(): string | undefined { return this.recorded?.ambient[this.reads]?.[0] }

  /** One ambient read: recorded in a live cell, answered from the record in a replay. */
  read<T>(source: string, native: () => T): T {
    if (this.recorded === undefined) {
      const value = native()
      if (this.volatile === undefined) this.record(source, value)
      return value
    }
    const entry = this.recorded.ambient[this.reads]
    if (entry === undefined || entry[0] !== source) {
      this.diverge(`the replay read ${source} where the record has ${entry === undefined ? 'nothing more' : entry[0]}`)
      return native()
    }
    this.repeats += 1
    if (this.repeats === (entry[2] ?? 1)) { this.reads += 1; this.repeats = 0 }
    return entry[1] as T
  }

  /** A loop that polls a clock reads the same again and again; that is one entry. */
  private record(source: string, value: unknown): void {
    const { ambient } = this
    const last = ambient[ambient.length - 1]
    if (last !== undefined && last[0] === source && last[1] === value) ambient[ambient.length - 1] = [source, value, (last[2] ?? 1) + 1]
    else if (ambient.length >= MAX_RECORDED) this.touch(`more than ${MAX_RECORDED} ambient reads`)
    else ambient[ambient.length] = [source, value]
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

let current: LiveCell | undefined
/** The cell before the current one. */
let previous: LiveCell | undefined
let replaying = false

/** What the ambient reads and wakes of this moment belong to, whoever asks. Undefined only while the worker boots. */
export function currentCell(): LiveCell | undefined { return current }

/** The current cell, unless nothing of its own has happened yet. */
export function runningCell(): LiveCell | undefined { return current?.isRunning === true ? current : undefined }

/** From the first replayed cell until a cell without a record comes; also between the cells. */
export function isReplaying(): boolean { return replaying }

/** Begins the early part of the next cell. */
export function expectCell(send: (message: FromWorker) => void): void {
  previous = current
  current = new LiveCell(send)
}

/** Where programs are at the moment; between two cells, where the first of them was. Undefined before any cell. */
export function currentDirectory(): string | undefined { return (runningCell() ?? previous)?.directory }

/** The current cell becomes the one that was ordered. */
export function assignCell(order: RunOrder, send: (message: FromWorker) => void): LiveCell {
  // The early part of a replayed cell comes from its record; nothing of this worker's own belongs to it.
  if (current === undefined || replaying || order.recorded !== undefined) current = new LiveCell(send)
  replaying = order.recorded !== undefined
  current.assign(order)
  return current
}

/** The program touched something that no record explains. */
export function touch(reason: string): void { current?.touch(reason) }

export function read<T>(source: string, native: () => T): T {
  return current === undefined ? native() : current.read(source, native)
}

export type SettleMessage = Extract<ToWorker, { type: 'settle' }>

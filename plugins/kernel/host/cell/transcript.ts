// The calls of one live cell: opened in the history before they are dispatched, answered by their owners, and put together
// with the order in which the worker delivered the answers.
//
// Owns: open calls of one cell and their abort signal. Does not own: dispatch, the history.
// Invariants: T1 a call is in the history before it is dispatched; T2 every opened call settles or its cell is discarded;
// J4 the recorded settle order is the worker's.
import type { CapabilityErrorCode } from '../../../capabilities/errors.ts'
import type { CallContext } from '../../../capabilities/types.ts'
import type { Envelope, NewEntry, RecordedCall } from '../../../journal/types.ts'
import type { CellLimits } from '../../types.ts'
import type { FromWorker, ToWorker } from '../../protocol/messages.ts'
import { directoryAfter } from '../../protocol/directory.ts'
import { decode, encode } from '../../wire/index.ts'
import type { ValueLimits } from '../../wire/limits.ts'
import { valueLimits } from '../limits.ts'

type CallMessage = Extract<FromWorker, { type: 'call' }>
type Settle = Extract<ToWorker, { type: 'settle' }>
type Answer = { ok: true, value: Envelope } | { ok: false, error: { name: string, message: string } }
/** `noted`: the call is in the history. */
type Opened = { noted: boolean, readonly global: string, readonly member: string, readonly args: Envelope, answer: Answer | undefined }

export interface Surroundings {
  readonly session: string
  /** The cell's `seq` in the history, and its number in the worker. */
  readonly cell: number
  readonly number: number
  /** Where the cell starts. */
  readonly cwd: string
  readonly limits: CellLimits
  /** Names that the cell was given; anything else is not dispatched. */
  allows(global: string, member: string): boolean
  append(entry: NewEntry): void
  dispatch(global: string, member: string, args: unknown, context: CallContext): Promise<unknown>
  settle(message: Settle): void
  /** The cell moves to another directory; answers why it can not. */
  enter(directory: string): Promise<string | undefined>
}

const describe = (thrown: unknown): { name: string, message: string } => thrown instanceof Error
  ? { name: thrown.name, message: thrown.message }
  : { name: 'Error', message: String(thrown) }

const UNCALLABLE: ReadonlySet<unknown> = new Set(['unknown-member', 'closed'] satisfies CapabilityErrorCode[])

/** The plan has no such member for the cell, so nothing was called. */
function isUncallable(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'CapabilityError' && UNCALLABLE.has((thrown as { code?: unknown }).code)
}

export class Transcript {
  private readonly calls: Opened[] = []
  private readonly around: Surroundings
  private readonly ended = new AbortController()
  private readonly limits: ValueLimits
  private directory: string

  constructor(around: Surroundings) {
    this.around = around
    this.limits = valueLimits(around.limits)
    this.directory = around.cwd
  }

  /** The first call without an answer, as `namespace.member`. */
  get firstOpen(): string | undefined {
    const open = this.calls.find(({ answer }) => answer === undefined)
    return open === undefined ? undefined : `${open.global}.${open.member}`
  }

  /** Aborts every open call. */
  close(reason: unknown): void { this.ended.abort(reason) }

  /** Answers a fault of the peer, if there is one; the call itself is answered later. */
  open({ call, global, member, args }: CallMessage): string | undefined {
    if (call !== this.calls.length) return `call ${call} came where call ${this.calls.length} was due`
    const opened: Opened = { noted: false, global, member, args, answer: undefined }
    this.calls.push(opened)
    void this.answer(opened, call)
    return undefined
  }

  /** The calls as they are recorded, or what is wrong with the worker's account of them. */
  recorded(settles: readonly number[]): RecordedCall[] | { fault: string } {
    if (settles.length !== this.calls.length) return { fault: `the worker settled ${settles.length} of ${this.calls.length} calls` }
    const recorded: RecordedCall[] = []
    for (const [call, { global, member, args, answer }] of this.calls.entries()) {
      const settle = settles[call]
      if (answer === undefined || settle === undefined) return { fault: `the worker settled call ${call} before it was answered` }
      recorded.push({ global, member, args, settle, ...answer })
    }
    return recorded
  }

  private async follow(directory: string | undefined): Promise<void> {
    if (directory === undefined) return
    const refusal = await this.around.enter(directory)
    if (refusal !== undefined) throw new Error(refusal)
    this.directory = directory
  }

  private async answer(opened: Opened, call: number): Promise<void> {
    const { global, member, args } = opened
    const { around, limits } = this
    const { cell } = around
    let answer: Answer
    let origin: 'capability' | null = null
    try {
      if (!around.allows(global, member)) throw new TypeError(`${global}.${member} is not a member of this cell's namespaces`)
      const argument = decode(args, limits)
      around.append({ kind: 'call-opened', cell, call, global, member, args })   // T1
      opened.noted = true
      const value = await around.dispatch(global, member, argument, { session: around.session, signal: this.ended.signal, cwd: this.directory })
      await this.follow(directoryAfter(global, member, value))
      answer = { ok: true, value: encode(value, limits) }
    } catch (thrown) {
      answer = { ok: false, error: describe(thrown) }
      origin = isUncallable(thrown) ? 'capability' : null
    }
    if (this.ended.signal.aborted) return
    if (opened.noted) {
      try { around.append({ kind: 'call-settled', cell, call, ok: answer.ok }) } catch { /* the cell's own record will fail as well, and say so */ }
    }
    opened.answer = answer
    around.settle({ type: 'settle', cell: around.number, call, ...answer.ok ? answer : { ...answer, origin } })
  }
}

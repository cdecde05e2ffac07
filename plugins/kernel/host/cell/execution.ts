// One cell in one helper process, from the run message to its end: the part that live cells and replays share.
import type { RecordedError } from '../../../journal/types.ts'
import type { CompileRequest, Rejection } from '../../compile/types.ts'
import type { FromWorker, RunOrder } from '../../protocol/messages.ts'
import { messageOf } from '../../errors.ts'
import type { CellLimits } from '../../types.ts'
import { Budget } from './budget.ts'
import type { HelperProcess } from '../helper/helper-process.ts'
import { lateError, type LateOutput } from '../late-output.ts'
import type { OutputLog } from './output-log.ts'
import type { Transcript } from './transcript.ts'

export type Done = Extract<FromWorker, { type: 'done' }>

export type Outcome =
  | { readonly kind: 'rejected', readonly rejection: Rejection }
  | { readonly kind: 'done', readonly done: Done, readonly volatileReason: string | undefined }
  /** It ended before it was handed to the worker, which is as it was. */
  | { readonly kind: 'unstarted', readonly error: RecordedError }
  /** The infrastructure ended it; the helper is being killed. `late`: because of output that was not this cell's. */
  | { readonly kind: 'ended', readonly error: RecordedError, readonly volatileReason: string | undefined, readonly late?: LateOutput }

export interface Execution {
  readonly request: CompileRequest
  readonly order: RunOrder
  readonly limits: CellLimits
  readonly log: OutputLog
  /** Absent in a replay: such a cell calls nobody (R1). */
  readonly transcript?: Transcript
  readonly signal?: AbortSignal
  /** Hears of output that is nobody's and came when the cell was done. */
  readonly onLate?: (late: LateOutput) => void
  /** Timers have fired when the cell was done. */
  readonly onStirred?: () => void
  /** Hears at once why the cell can not be replayed. */
  readonly onVolatile?: (reason: string) => void
}

/** How long an abort waits to hear whether the cell has started. */
const ABORT_MS = 100

const notKnown = ({ sampleBoundMs }: CellLimits) => `the worker's active time was not known within ${sampleBoundMs} ms`
const unmeasured = (message: string): RecordedError => ({ kind: 'budget-unavailable', message: `the cell was not started: ${message}` })

/** Never rejects. Resolves when the cell is over; after `ended` the caller drops the helper. */
export function execute(helper: HelperProcess, { request, order, limits, log, transcript, signal, onVolatile, onLate, onStirred }: Execution): Promise<Outcome> {
  return new Promise((resolve) => {
    let over = false
    let started = false
    let done: Done | undefined
    let volatileReason: string | undefined
    /** It was aborted while the helper may or may not have started it. */
    let aborted: RecordedError | undefined
    const onAbort = () => {
      if (started || helper.ended) return end('abort', messageOf(signal?.reason))
      aborted = { kind: 'abort', message: messageOf(signal?.reason) }
      budget.awaitStartFor(Math.min(ABORT_MS, limits.sampleBoundMs))
    }
    const finish = (outcome: Outcome) => {
      if (over) return
      over = true
      budget.stop()
      signal?.removeEventListener('abort', onAbort)
      helper.listen(undefined)
      resolve(outcome)
    }
    const end = (kind: RecordedError['kind'], message: string) => {
      if (over || done !== undefined) return
      const reason = transcript?.firstOpen ?? volatileReason
      finish({ kind: 'ended', error: { kind, message }, volatileReason: reason })
      transcript?.close(new Error(message))
      void helper.kill(message)
    }
    const overflow = () => end('output-limit', `the cell wrote more than ${limits.maxOutputBytes} bytes`)
    const print = (channel: 'stdout' | 'stderr', text: string) => { if (!log.add(channel, text)) overflow() }
    const outside = (late: LateOutput) => {
      if (transcript === undefined) return      // a replay shows nothing
      if (done !== undefined) return onLate?.(late)
      if (over) return
      const error = lateError(late)
      finish({ kind: 'ended', error, volatileReason: transcript.firstOpen ?? volatileReason, late })
      transcript.close(new Error(error.message))
      void helper.kill(error.message)
    }
    const start = (baseline: number) => {
      if (over) return
      started = true
      if (aborted !== undefined) return end('abort', aborted.message)
      budget.started(baseline)
    }
    const giveUp = () => {
      if (started) return end('timeout', notKnown(limits))
      helper.abandon(order.cell)
      finish({ kind: 'unstarted', error: aborted ?? unmeasured(notKnown(limits)) })
      // Its time to start may not be over, and then it must not meet the next cell.
      if (aborted !== undefined) void helper.kill(aborted.message)
    }
    const finishDone = async (message: Done) => {
      done = message
      budget.stop()
      // Also without fences this waits a microtask, in which what came in the same read of the socket is heard.
      if (!await (message.isFenced ? helper.fenced(order.cell) : true)) {
        done = undefined
        return end('protocol', 'the worker said that the cell had ended, and its output did not end')
      }
      finish({ kind: 'done', done: message, volatileReason })
    }

    helper.listen({
      onMessage(message) {
        if (message.type === 'output') {
          const { cell, channel, text, isReport } = message
          return isReport === true || (cell === order.cell && done === undefined) ? print(channel, text) : outside({ cell, channel, text })
        }
        // Before the end it came just before this cell, whose record has it.
        if (message.type === 'stirred') return done === undefined ? undefined : onStirred?.()
        // The two channels keep no order between them.
        if (message.cell === order.cell) started = true
        else return end('protocol', `the worker answered for cell ${message.cell} while cell ${order.cell} ran`)
        if (message.type === 'volatile') { volatileReason ??= message.reason; onVolatile?.(message.reason); return }
        if (message.type === 'done') { void finishDone(message); return }
        const fault = transcript === undefined ? 'a replay made a call' : transcript.open(message)
        if (fault !== undefined) end('protocol', `the worker broke the protocol: ${fault}`)
      },
      onStarted(cell, activeMs) { if (cell === order.cell) start(activeMs) },
      onRejected(_cell, rejection) { finish({ kind: 'rejected', rejection }) },
      onOverflow(cell) { if (cell === order.cell) overflow() },
      onDescriptor: (channel, text, isInside) => isInside ? print(channel, text) : outside({ cell: 0, channel, text }),
      onEnd(reason) {
        if (done !== undefined) return finish({ kind: 'done', done, volatileReason })
        end('worker-exit', reason)
      },
    })
    const budget = new Budget(limits, () => helper.activeMs(), { exceeded: (what) => end('timeout', what), unstarted: giveUp })
    if (signal?.aborted === true) return finish({ kind: 'unstarted', error: { kind: 'abort', message: messageOf(signal.reason) } })
    signal?.addEventListener('abort', onAbort, { once: true })
    if (helper.ended) return end('worker-exit', 'the helper had already ended')
    // A replay is held to no budget, so there is nothing to measure from.
    started = transcript === undefined
    helper.run(request, order, started ? undefined : budget.awaitStart())
  })
}

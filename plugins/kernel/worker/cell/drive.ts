// Who answers a running cell, and when. Live, answers come over the socket and timers by the clock; in a replay both come
// from the record, in the recorded order. Either way what one event set in motion has come to rest before the next reaches the
// program (R2), so a program that saw two answers apart sees them apart again.
import type { Envelope } from '../../../journal/types.ts'
import type { LiveCell, SettleMessage } from './live-cell.ts'
import { sameEnvelope } from '../../wire/index.ts'
import { cancelSleep, later, NativePromise, sleepUntil, toJson } from '../natives.ts'
import { fireTimer, isTimerPending } from '../realm/timers.ts'

/** Answers on their way to the program. */
let waiting = 0

/**
 * Answers that arrived in one read of the socket still reach the program apart, each in an immediate of its own, after which
 * Node lets microtasks and ticks run dry. A lone answer does not wait.
 */
export function deliverLive(cell: LiveCell, message: SettleMessage): void {
  const deliver = () => cell.deliver(message.call, message.ok ? message : { ok: false, error: message.error, origin: message.origin })
  waiting += 1
  if (waiting > 1) later(() => { waiting -= 1; deliver() })
  else { later(() => { waiting -= 1 }); deliver() }
}

/** How long a replay may sit with nothing to run before it counts as diverged. Real work (zlib, a module) takes less. */
const STALL_MS = 10_000
/** The same after the body has ended, when hardly anything can still come. */
const OVER_MS = 1_000

type Event = { readonly call: number } | { readonly timer: number, readonly of: number }

export interface ReplayDrive {
  /** Resolves when the cell's early part has been replayed. */
  readonly early: Promise<void>
  /** Resolves when every recorded event has reached the program. */
  readonly complete: Promise<void>
  /** The body begins: from now on it hears of what is not early. */
  begin(): void
  /** The body has ended. */
  end(): void
  stop(): void
}

/** Feeds a cell its record. */
export function driveReplay(cell: LiveCell): ReplayDrive {
  const { calls, wakes } = cell.recorded!
  const events: Event[] = []
  let early = 0
  for (let i = 0; i < calls.length; i += 1) events[calls[i]!.settle] = { call: i }
  for (let i = 0; i < wakes.length; i += 1) {
    const { timer, settle, of = cell.number, early: isEarly = false } = wakes[i]!
    events[settle] = { timer, of }
    if (isEarly) early += 1
  }
  const earlyDone = milestone()
  const complete = milestone()
  let next = 0
  let scheduled = false
  let stopped = false
  let begun = false
  let ended = false
  let stall: NodeJS.Timeout | undefined

  const isReady = (event: Event) => 'call' in event ? cell.isOpen(event.call) : isTimerPending(event.of, event.timer)
  const step = () => {
    scheduled = false
    const event = events[next]
    if (stopped || event === undefined || !isReady(event)) return
    next += 1
    try {
      if ('call' in event) {
        const call = calls[event.call]!
        cell.deliver(event.call, call.ok ? { ok: true, value: call.value } : { ok: false, error: call.error, origin: null })
      } else {
        fireTimer(event.of, event.timer)
      }
    } finally {
      schedule()   // also after a callback that throws: the program goes on without it
    }
  }
  const schedule = () => {
    if (stall !== undefined) cancelSleep(stall)
    stall = undefined
    if (stopped || scheduled) return
    if (next >= early) later(earlyDone.reach)   // a turn later: what the last of them started comes first
    const event = events[next]
    if (event === undefined) return complete.reach()
    if (next >= early && !begun) return
    if (isReady(event)) { scheduled = true; later(step); return }
    stall = sleepUntil(() => cell.diverge(`the replay waits for ${'call' in event ? 'an answer' : 'a timer'} that it never asked for`), ended ? OVER_MS : STALL_MS)
  }
  cell.onCall = (call, global, member, args) => checkCall(cell, call, global, member, args)
  cell.onProgress = schedule
  schedule()
  return {
    early: earlyDone.reached, complete: complete.reached,
    begin() { begun = true; schedule() },
    end() { begun = true; ended = true; schedule() },
    stop() { stopped = true; if (stall !== undefined) cancelSleep(stall) },
  }
}

function milestone(): { readonly reached: Promise<void>, reach(): void } {
  let reach = () => {}
  const reached = new NativePromise<void>((resolve) => { reach = resolve })
  return { reached, reach: () => reach() }
}

/** Compares one call of a replay with its record; a mismatch ends the replay. */
function checkCall(cell: LiveCell, call: number, global: string, member: string, args: Envelope): void {
  const recorded = cell.recorded?.calls[call]
  if (recorded === undefined) return cell.diverge(`the replay calls ${global}.${member}, which the record does not`)
  if (recorded.global !== global || recorded.member !== member) {
    return cell.diverge(`the replay calls ${global}.${member} where the record has ${recorded.global}.${recorded.member}`)
  }
  if (!sameEnvelope(recorded.args, args)) {
    cell.diverge(`the replay calls ${global}.${member} with other arguments than the record: ${toJson(args).slice(0, 200)}`)
  }
}

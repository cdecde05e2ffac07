// One call of one member, with an end: its answer, or the first signal that makes waiting for it pointless.
import type { Target } from './contract.ts'
import type { CallContext } from './types.ts'

/** A reason to stop waiting: when `signal` aborts, the call rejects with what `reason` makes. */
export interface Stop { readonly signal: AbortSignal, readonly reason: () => Error }

/**
 * Resolves or rejects with what the member does; rejects without calling it when its schema does not admit the argument; or rejects as soon as one of `stops` aborts, even when the member never
 * settles. Leaves no listener behind. A member is not called at all when a signal has aborted already.
 */
export function call(target: Target, args: unknown, context: CallContext, stops: readonly Stop[]): Promise<unknown> {
  const aborted = stops.find(stop => stop.signal.aborted)
  if (aborted) return Promise.reject(aborted.reason())
  return new Promise((resolve, reject) => {
    const removals = stops.map(({ signal, reason }) => whenAborted(signal, () => settle(() => reject(reason()))))
    // The first outcome counts. A member that settles after a stop is heard, so that nothing is unhandled, and ignored.
    let settled = false
    const settle = (outcome: () => void): void => {
      if (settled) return
      settled = true
      for (const remove of removals) remove()
      outcome()
    }
    // In an async function a throw and a rejection are the same thing.
    const answer = (async () => {
      target.check?.assert(args)
      return target.call(args, context)
    })()
    answer.then(value => settle(() => resolve(value)), (error: unknown) => settle(() => reject(error)))
  })
}

interface Waiting { readonly stops: Set<() => void>, readonly listener: () => void }

const waiting = new WeakMap<AbortSignal, Waiting>()

/** However many calls wait for a signal, it has one listener: adding one looks at all that there are. Answers how to stop waiting. */
function whenAborted(signal: AbortSignal, stop: () => void): () => void {
  let known = waiting.get(signal)
  if (known === undefined) {
    const stops = new Set<() => void>()
    waiting.set(signal, known = { stops, listener: () => { for (const each of stops) each() } })
    signal.addEventListener('abort', known.listener)
  }
  const { stops, listener } = known
  stops.add(stop)
  return () => {
    stops.delete(stop)
    if (stops.size > 0) return
    waiting.delete(signal)
    signal.removeEventListener('abort', listener)
  }
}

export function abortError(symbol: string, signal: AbortSignal): Error {
  const error = new Error(`the call of ${symbol} was aborted`, { cause: signal.reason })
  error.name = 'AbortError'
  return error
}

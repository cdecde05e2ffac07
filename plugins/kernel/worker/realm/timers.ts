// Timers of cells. Live they are Node's own, with the order in which they fire written down; in a replay they fire when the
// record says so and never wait. A timer that fires after its cell has closed runs, and makes the next cell volatile.
import { promisify } from 'node:util'
import { type LiveCell, runningCell, touch } from '../cell/live-cell.ts'
import { apply, defineProperty, mapDelete, mapGet, mapHas, mapSet, NativeMap, NativePromise } from '../natives.ts'

const native = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate }
const FAR_MS = 2 ** 31 - 1

type Pending = { readonly run: () => void, readonly repeats: boolean, readonly handle?: object }

/** Timers of the cell that is being replayed, by index. One cell runs at a time (K1). */
const pending = new NativeMap<number, Pending>()
const indexOf = new WeakMap<object, number>()
const weakGet = WeakMap.prototype.get
const weakSet = WeakMap.prototype.set

export function isTimerPending(_cell: LiveCell, timer: number): boolean { return mapHas(pending, timer) }

export function fireTimer(cell: LiveCell, timer: number): void {
  const found = mapGet(pending, timer) as Pending | undefined
  if (found === undefined) return
  if (!found.repeats) mapDelete(pending, timer)
  cell.wake(timer)
  found.run()
}

/** Called when a cell closes: what a replay has not fired by then never fires. */
export function dropReplayTimers(): void {
  pending.forEach(({ handle }) => { if (handle !== undefined) native.clearTimeout(handle as NodeJS.Timeout) })
  pending.clear()
}

function forget(handle: unknown): void {
  if (typeof handle !== 'object' || handle === null) return
  const timer = apply(weakGet, indexOf, [handle]) as number | undefined
  if (timer === undefined) return
  mapDelete(pending, timer)
  native.clearTimeout(handle as NodeJS.Timeout)
}

type Start = (callback: (...args: unknown[]) => void, ms: number | undefined) => object

function schedule(source: string, start: Start, repeats: boolean, callback: unknown, ms: number | undefined, args: unknown[]): object {
  const cell = runningCell()
  if (typeof callback !== 'function') return start(callback as never, ms)   // Node's own refusal
  if (cell === undefined) {
    touch(`late ${source}`)
    return start(() => apply(callback, undefined, args), ms)
  }
  const timer = cell.timers
  cell.timers += 1
  if (cell.recorded !== undefined) {
    const handle = native.setTimeout(() => {}, FAR_MS)
    apply(weakSet, indexOf, [handle, timer])
    const arm = () => {
      mapSet(pending, timer, { run: () => apply(callback, handle, args), repeats, handle })
      cell.onProgress?.()
      return handle
    }
    // A timer that has fired and is refreshed fires again, under the same index.
    defineProperty(handle, 'refresh', { value: () => cell.closed ? handle : arm(), writable: true, enumerable: false, configurable: true })
    return arm()
  }
  const handle: object = start(() => {
    if (cell.closed) touch(`late ${source}`)
    else cell.wake(timer)
    apply(callback, handle, args)
  }, ms)
  return handle
}

export const recordedTimeout = (callback: unknown, ms?: number, ...args: unknown[]): object =>
  schedule('setTimeout', (run, delay) => native.setTimeout(run, delay), false, callback, ms, args)
const recordedInterval = (callback: unknown, ms?: number, ...args: unknown[]): object =>
  schedule('setInterval', (run, delay) => native.setInterval(run, delay), true, callback, ms, args)
const recordedImmediate = (callback: unknown, ...args: unknown[]): object =>
  schedule('setImmediate', (run) => native.setImmediate(run), false, callback, undefined, args)

function clearing(clear: (handle: never) => void) {
  return (handle: unknown) => { forget(handle); clear(handle as never) }
}

/**
 * Something that Node does on other threads and ends at no certain time: a timer without a time. Call when it begins; hand
 * what is to run at its end to the function that comes back, when it has ended.
 */
export function recordedWork(source: string): (run: () => void) => void {
  const cell = runningCell()
  if (cell === undefined) return (run) => { touch(`late ${source}`); run() }
  const timer = cell.timers
  cell.timers += 1
  return (run) => {
    if (cell.closed) touch(`late ${source}`)
    else if (cell.recorded === undefined) cell.wake(timer)
    else {
      mapSet(pending, timer, { run, repeats: false })
      return cell.onProgress?.()
    }
    run()
  }
}

interface WaitOptions { readonly signal?: AbortSignal, readonly ref?: boolean }

/** `timers/promises` over the recorded timers: same values, same rejection. */
function promised(start: (callback: () => void) => object, value: unknown, options: WaitOptions | undefined): Promise<unknown> {
  const signal = options?.signal
  return new NativePromise((resolve, reject) => {
    const aborted = () => {
      const error = new DOMException('The operation was aborted', 'AbortError')
      defineProperty(error, 'cause', { value: signal!.reason, writable: true, configurable: true })
      reject(error)
    }
    if (signal?.aborted === true) return aborted()
    const stop = () => { forget(handle); native.clearTimeout(handle as NodeJS.Timeout); native.clearImmediate(handle as NodeJS.Immediate); aborted() }
    const handle = start(() => { signal?.removeEventListener('abort', stop); resolve(value) })
    if (options?.ref === false) (handle as NodeJS.Timeout).unref?.()
    signal?.addEventListener('abort', stop, { once: true })
  })
}

const promises = {
  setTimeout: (ms?: number, value?: unknown, options?: WaitOptions) => promised((run) => recordedTimeout(run, ms), value, options),
  setImmediate: (value?: unknown, options?: WaitOptions) => promised((run) => recordedImmediate(run), value, options),
  async* setInterval(ms?: number, value?: unknown, options?: WaitOptions) {
    for (;;) yield await promises.setTimeout(ms, value, options)
  },
}

/** The modules that hand out timers, as cells see them. Node's own stay as they are: its internals use them too. */
export interface TimerModules { readonly timers: Record<string, unknown>, readonly 'timers/promises': Record<string, unknown> }

/** Replaces the realm's timers by the recorded ones; answers the modules that go with them. */
export function installTimers(): TimerModules {
  const recorded: Record<string, (...args: never[]) => unknown> = {
    setTimeout: recordedTimeout, setInterval: recordedInterval, setImmediate: recordedImmediate,
    clearTimeout: clearing(native.clearTimeout), clearInterval: clearing(native.clearInterval),
    clearImmediate: clearing(native.clearImmediate),
  }
  const standIns: Record<string, unknown> = {}
  for (const [name, replacement] of Object.entries(recorded)) {
    const promise = (promises as Record<string, unknown>)[name]
    const standIn = new Proxy((native as unknown as Record<string, (...args: never[]) => unknown>)[name]!, {
      apply: (_target, _self, args: never[]) => apply(replacement, undefined, args),
      get: (target, key, receiver) => key === promisify.custom && promise !== undefined ? promise : Reflect.get(target, key, receiver),
    })
    standIns[name] = standIn
    defineProperty(globalThis, name, { value: standIn, writable: true, enumerable: true, configurable: true })
  }
  const scheduler = {
    wait: (ms: number, options?: WaitOptions) => promises.setTimeout(ms, undefined, options),
    yield: () => promises.setImmediate(),
  }
  return { timers: { ...standIns, promises: { ...promises, scheduler } }, 'timers/promises': { ...promises, scheduler } }
}

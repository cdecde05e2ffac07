// Timers of cells. Live they are Node's own, and the cell that is current when one fires writes that down. In a replay they
// fire when the record says so and never wait; those that are left when it ends go on as Node's own, with their full time.
//
// Owns: the timers that are pending in a replay. Does not own: the order in which they fire (cell/drive.ts).
// Invariant: R2 a timer is known by the cell in which it was made and its index there, in every worker of the session.
import { promisify } from 'node:util'
import { currentCell, isReplaying, type LiveCell, scope } from '../cell/live-cell.ts'
import { apply, getProperty, defineProperty, later, mapDelete, mapGet, mapHas, mapSet, NativeMap, NativePromise } from '../natives.ts'

const native = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate }
const FAR_MS = 2 ** 31 - 1

interface Pending {
  readonly owner: LiveCell
  readonly timer: number
  readonly repeats: boolean
  readonly run: () => void
  /** Goes on without a record. */
  readonly resume: () => void
}

/** By cell number and index. */
const pending = new NativeMap<string, Pending>()
/** Of the handles that a replay gave out: what stands for them in `pending`, and Node's own timer after it. */
const keys = new WeakMap<object, string>()
const resumed = new WeakMap<object, object>()
const weakGet = WeakMap.prototype.get
const weakSet = WeakMap.prototype.set
const { getStore, run: runIn } = scope

const keyOf = (cell: number, timer: number) => `${cell}/${timer}`

export function isTimerPending(cell: number, timer: number): boolean { return mapHas(pending, keyOf(cell, timer)) }

export function fireTimer(cell: number, timer: number): void {
  const key = keyOf(cell, timer)
  const found = mapGet(pending, key) as Pending | undefined
  if (found === undefined) return
  if (!found.repeats) mapDelete(pending, key)
  currentCell()?.wake(found.owner, timer)
  found.run()
}

/** Called before the first cell that has no record. What is left goes on, unless it `drops`. */
export function endReplay(drops: boolean): void {
  if (pending.size === 0) return
  if (!drops) pending.forEach(({ resume }) => resume())
  pending.clear()
}

/** `callback` in the async context of this moment. */
function inContext(callback: () => void): () => void {
  const cell = apply(getStore, scope, []) as LiveCell | undefined
  return cell === undefined ? callback : () => { apply(runIn, scope, [cell, callback]) }
}

function stop(handle: unknown): void {
  if (typeof handle !== 'object' || handle === null) return
  const key = apply(weakGet, keys, [handle]) as string | undefined
  if (key === undefined) return
  mapDelete(pending, key)
  const real = apply(weakGet, resumed, [handle]) as NodeJS.Timeout | undefined
  if (real !== undefined) native.clearTimeout(real)
  native.clearTimeout(handle as NodeJS.Timeout)
}

type Start = (callback: (...args: unknown[]) => void, ms: number | undefined) => object

function schedule(start: Start, repeats: boolean, callback: unknown, ms: number | undefined, args: unknown[]): object {
  const owner = currentCell()
  if (typeof callback !== 'function' || owner === undefined) return start(callback as never, ms)   // Node's own refusal
  const timer = owner.timers
  owner.timers += 1
  if (owner.recorded !== undefined) return scheduleReplayed(owner, timer, start, repeats, callback as () => void, ms, args)
  const handle: object = start(() => {
    currentCell()?.wake(owner, timer)
    apply(callback, handle, args)
  }, ms)
  return handle
}

function scheduleReplayed(
  owner: LiveCell, timer: number, start: Start, repeats: boolean, callback: () => void, ms: number | undefined, args: unknown[],
): object {
  const handle = native.setTimeout(() => {}, FAR_MS)
  const key = keyOf(owner.number, timer)
  const run = inContext(() => { apply(callback, handle, args) })
  const resume = () => {
    if ((handle as { _destroyed?: boolean })._destroyed === true) return   // closed by its own `close`, or by its number
    native.clearTimeout(handle)
    apply(weakSet, resumed, [handle, start(() => { currentCell()?.wake(owner, timer); run() }, ms)])
  }
  const arm = () => {
    mapSet(pending, key, { owner, timer, repeats, run, resume })
    currentCell()?.onProgress?.()
    return handle
  }
  apply(weakSet, keys, [handle, key])
  // A timer that has fired and is refreshed fires again, under the same index.
  const refresh = () => {
    const real = apply(weakGet, resumed, [handle]) as NodeJS.Timeout | undefined
    if (real !== undefined) real.refresh()
    else if (!isReplaying()) resume()
    else arm()
    return handle
  }
  defineProperty(handle, 'refresh', { value: refresh, writable: true, enumerable: false, configurable: true })
  return arm()
}

export const recordedTimeout = (callback: unknown, ms?: number, ...args: unknown[]): object =>
  schedule((run, delay) => native.setTimeout(run, delay), false, callback, ms, args)
const recordedInterval = (callback: unknown, ms?: number, ...args: unknown[]): object =>
  schedule((run, delay) => native.setInterval(run, delay), true, callback, ms, args)
const recordedImmediate = (callback: unknown, ...args: unknown[]): object =>
  schedule((run) => native.setImmediate(run), false, callback, undefined, args)

function clearing(clear: (handle: never) => void) {
  return (handle: unknown) => { stop(handle); clear(handle as never) }
}

/**
 * Something that Node does on other threads and ends at no certain time: a timer without a time. Call when it begins; hand
 * what is to run at its end to the function that comes back, when it has ended.
 */
export function recordedWork(): (run: () => void) => void {
  const owner = currentCell()
  if (owner === undefined) return (run) => run()
  const timer = owner.timers
  owner.timers += 1
  return (given) => {
    const current = currentCell()
    if (owner.recorded === undefined || !isReplaying()) {
      current?.wake(owner, timer)
      return given()
    }
    const run = inContext(given)
    const resume = () => { later(() => { currentCell()?.wake(owner, timer); run() }) }
    mapSet(pending, keyOf(owner.number, timer), { owner, timer, repeats: false, run, resume })
    current?.onProgress?.()
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
    const cancel = () => { stop(handle); native.clearTimeout(handle as NodeJS.Timeout); native.clearImmediate(handle as NodeJS.Immediate); aborted() }
    const handle = start(() => { signal?.removeEventListener('abort', cancel); resolve(value) })
    if (options?.ref === false) (handle as NodeJS.Timeout).unref?.()
    signal?.addEventListener('abort', cancel, { once: true })
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
      get: (target, key, receiver) => key === promisify.custom && promise !== undefined ? promise : getProperty(target, key, receiver),
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

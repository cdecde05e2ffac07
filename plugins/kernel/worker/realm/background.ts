// What Node does on other threads for a durable program: compression, blobs, compilation of WebAssembly. The results depend on
// the arguments alone, but the moment at which they come does not, so that moment is recorded like a timer's.
import { createBrotliCompress, createBrotliDecompress, createDeflate, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { touch } from '../cell/live-cell.ts'
import { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, NativePromise, NativeProxy } from '../natives.ts'
import { recordedTimeout, recordedWork } from './timers.ts'

type Callable = (...args: unknown[]) => unknown
type Handle = Record<string, unknown>

const weakGet = WeakMap.prototype.get
const weakSet = WeakMap.prototype.set
const weakDelete = WeakMap.prototype.delete

/** Writes of a compressor that are under way: what runs their completion. */
const writing = new WeakMap<object, (run: () => void) => void>()
const errorHandlers = new WeakMap<object, Callable>()

/** Calls `callback` at once, or at its recorded place when it completes a write that is under way. */
function completed(handle: object, callback: Callable, args: unknown[]): unknown {
  const end = apply(weakGet, writing, [handle]) as ((run: () => void) => void) | undefined
  if (end === undefined) return apply(callback, handle, args)
  apply(weakDelete, writing, [handle])
  return end(() => { apply(callback, handle, args) })
}

/** `prototype` is that of Node's native compressor: `init` is given what to call after a write, `onerror` is called instead. */
function recordWrites(prototype: Handle): void {
  const { init, write } = prototype as Record<string, Callable>
  defineProperty(prototype, 'init', {
    value(this: object, ...args: unknown[]) {
      const given: unknown[] = []
      for (let i = 0; i < args.length; i += 1) {
        const arg = args[i]
        given[i] = typeof arg === 'function' ? (...own: unknown[]) => completed(this, arg as Callable, own) : arg
      }
      return apply(init!, this, given)
    },
    writable: true, configurable: true,
  })
  defineProperty(prototype, 'write', {
    value(this: object, ...args: unknown[]) {
      apply(weakSet, writing, [this, recordedWork()])
      return apply(write!, this, args)
    },
    writable: true, configurable: true,
  })
  defineProperty(prototype, 'onerror', {
    get() { return (...args: unknown[]) => completed(this as object, apply(weakGet, errorHandlers, [this]) as Callable, args) },
    set(handler: Callable) { apply(weakSet, errorHandlers, [this, handler]) },
    configurable: true,
  })
}

function installCompression(): void {
  for (const create of [createDeflate, createBrotliCompress, createBrotliDecompress, createZstdCompress, createZstdDecompress]) {
    if (typeof create !== 'function') continue    // Zstandard came to Node later than the rest
    const stream = create()
    recordWrites(getPrototypeOf((stream as unknown as { _handle: object })._handle) as Handle)
    stream.destroy()
  }
}

/** A method whose promise settles at its recorded place. */
function recordPromise(holder: object, name: string): void {
  const found = getOwnPropertyDescriptor(holder, name)
  if (typeof found?.value !== 'function') return
  const value = new NativeProxy(found.value as Callable, {
    apply: (target, self, args) => {
      const end = recordedWork()
      const work = apply(target, self, args) as Promise<unknown>
      return new NativePromise((resolve, reject) => {
        void (async () => {
          let result: unknown
          try { result = await work } catch (error) { return end(() => reject(error)) }
          end(() => resolve(result))
        })()
      })
    },
  })
  defineProperty(holder, name, { ...found, value })
}

/** Node's signal keeps a timer of its own; ours is one that is recorded. What Node refuses, Node refuses. */
function installSignalTimeout(): void {
  const native = AbortSignal.timeout
  const Controller = AbortController
  const { abort } = AbortController.prototype
  const value = new NativeProxy(native, {
    apply(target, self, args: [number]) {
      const [ms] = args
      if (typeof ms !== 'number' || !(ms >= 0 && ms <= 2 ** 31 - 1)) return apply(target, self, args) as AbortSignal
      const controller = new Controller()
      const expire = () => apply(abort, controller, [new DOMException('The operation was aborted due to timeout', 'TimeoutError')])
      const timer = recordedTimeout(expire, ms) as NodeJS.Timeout
      timer.unref()
      return controller.signal
    },
  })
  defineProperty(AbortSignal, 'timeout', { value, writable: true, enumerable: true, configurable: true })
}

/** Called once, before user code. */
export function installBackground(): void {
  installCompression()
  installSignalTimeout()
  for (const name of ['arrayBuffer', 'bytes', 'text']) recordPromise(Blob.prototype, name)
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: object }
  for (const name of ['compile', 'instantiate']) recordPromise(WebAssembly, name)
  const { stream } = Blob.prototype
  defineProperty(Blob.prototype, 'stream', {
    value: new NativeProxy(stream, { apply: (target, self, args) => { touch('Blob.stream'); return apply(target, self, args) as ReadableStream } }),
    writable: true, enumerable: true, configurable: true,
  })
}

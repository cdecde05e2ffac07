// The world that a program can read without calling anyone: clocks, randomness, the environment. Reads of it are written
// down live and answered from the record in a replay; what can not be recorded makes the cell volatile, with its name as the
// reason. Everything is replaced at the source, so code inside imported modules is treated like code in the cell.
import { read, runningCell, touch } from '../cell/live-cell.ts'
import { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, NativeProxy, ownKeys } from '../natives.ts'

type Callable = (...args: never[]) => unknown
type Holder = Record<PropertyKey, unknown>

/** Replaces a method by a proxy of it: same name, length and text, other behaviour when called. */
function replace(holder: object, name: string, call: (native: () => unknown, self: unknown, args: unknown[]) => unknown): void {
  const found = getOwnPropertyDescriptor(holder, name)
  if (found === undefined || typeof found.value !== 'function' || found.configurable === false) return
  const value = new NativeProxy(found.value as Callable, {
    apply: (target, self, args) => call(() => apply(target, self, args), self, args),
  })
  defineProperty(holder, name, { ...found, value })
}

function recordMethod(holder: object, name: string, source: string): void {
  replace(holder, name, (native) => read(source, native))
}

function touchMethod(holder: object, name: string, source: string): void {
  replace(holder, name, (native) => { touch(source); return native() })
}

function touchConstructor(name: string): void {
  const found = getOwnPropertyDescriptor(globalThis, name)
  if (found === undefined || found.configurable === false) return
  const native = (found.value ?? (globalThis as Holder)[name]) as Callable
  if (typeof native !== 'function') return
  defineProperty(globalThis, name, {
    value: new NativeProxy(native, {
      construct: (target, args, newTarget) => { touch(name); return construct(target, args, newTarget) as object },
      apply: (target, self, args) => { touch(name); return apply(target, self, args) },
    }),
    writable: true, enumerable: found.enumerable ?? false, configurable: true,
  })
}

function touchGetter(holder: object, name: string, source: string): void {
  const found = getOwnPropertyDescriptor(holder, name)
  if (found?.get === undefined || found.configurable === false) return
  const native = found.get
  defineProperty(holder, name, { ...found, get() { touch(source); return apply(native, this, []) } })
}

/** For values that differ from process to process. A write makes the property an ordinary one. */
function touchValue(holder: object, name: string, source: string): void {
  const found = getOwnPropertyDescriptor(holder, name)
  if (found === undefined || found.configurable === false) return
  const native = () => found.get === undefined ? found.value as unknown : apply(found.get, holder, [])
  defineProperty(holder, name, {
    get: () => { touch(source); return native() },
    set: (value) => defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true }),
    enumerable: true, configurable: true,
  })
}

function installDate(): void {
  const NativeDate = Date
  const { now, prototype } = NativeDate
  const toText = prototype.toString
  recordMethod(NativeDate, 'now', 'Date.now')
  const RecordedDate: DateConstructor = new NativeProxy(NativeDate, {
    construct(target, args, newTarget) {
      const given = args.length === 0 ? [read('new Date', now)] : args
      return construct(target, given, newTarget) as object
    },
    apply: () => apply(toText, new NativeDate(read('Date', now)), []),
  })
  defineProperty(prototype, 'constructor', { value: RecordedDate, writable: true, enumerable: false, configurable: true })
  defineProperty(globalThis, 'Date', { value: RecordedDate, writable: true, enumerable: false, configurable: true })
}

function installCrypto(): void {
  const prototype = getPrototypeOf(globalThis.crypto) as object
  const { from } = Buffer
  const toBase64 = Buffer.prototype.toString
  recordMethod(prototype, 'randomUUID', 'crypto.randomUUID')
  replace(prototype, 'getRandomValues', (native, _self, args) => {
    const view = args[0] as Uint8Array
    const isView = ArrayBuffer.isView(view)
    const bytes = () => from(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength)
    if (!isView) return native()
    const recorded = read('crypto.getRandomValues', () => { native(); return apply(toBase64, bytes(), ['base64']) as string })
    bytes().set(from(recorded, 'base64'))
    return view
  })
  touchGetter(prototype, 'subtle', 'crypto.subtle')
}

function installProcess(): void {
  // The record says where its cell started, so this is an input that a replay has anyway.
  replace(process, 'cwd', (native) => runningCell()?.order.cwd ?? native())
  replace(process.hrtime, 'bigint', (native) => BigInt(read('process.hrtime.bigint', () => String(native()))))
  for (const name of ['uptime', 'cpuUsage', 'threadCpuUsage', 'memoryUsage', 'resourceUsage', 'availableMemory', 'constrainedMemory', 'hrtime', 'getActiveResourcesInfo', 'umask', 'binding', 'dlopen']) {
    touchMethod(process, name, `process.${name}`)
  }
  for (const name of ['exit', 'abort', 'kill', 'chdir', 'disconnect', 'send']) guardMethod(name)
  for (const name of ['pid', 'ppid', 'title']) touchValue(process, name, `process.${name}`)
  process.env = recordedEnv(process.env)
}

/** Variables that Node itself looks at while it loads modules. */
const NODES_OWN: ReadonlySet<PropertyKey> = new Set(['WATCH_REPORT_DEPENDENCIES', 'NODE_DEBUG', 'NODE_PENDING_DEPRECATION'])
const setHas = Set.prototype.has

function recordedEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const valueOf = (key: PropertyKey): string | null => {
    if (typeof key !== 'string') return null
    const native = () => env[key] ?? null
    // Between cells only Node reads the environment; a program that does runs in a late callback, which is noticed as such.
    return runningCell() === undefined || apply(setHas, NODES_OWN, [key]) ? native() : read(`process.env.${key}`, native)
  }
  return new NativeProxy(env, {
    get: (_target, key) => valueOf(key) ?? undefined,
    has: (_target, key) => valueOf(key) !== null,
    ownKeys: (target) => runningCell() === undefined ? ownKeys(target) : read('process.env', () => ownKeys(target) as string[]),
    getOwnPropertyDescriptor(_target, key) {
      const value = valueOf(key)
      return value === null ? undefined : { value, writable: true, enumerable: true, configurable: true }
    },
  })
}

function guardMethod(name: string): void {
  if (!(name in process)) return
  const value = () => {
    const error = new Error(`process.${name} is not available in a cell: the process belongs to the kernel`)
    defineProperty(error, 'code', { value: 'ERR_PTC_PROCESS_CONTROL', writable: true, enumerable: true, configurable: true })
    throw error
  }
  defineProperty(value, 'name', { value: name, configurable: true })
  defineProperty(process, name, { value, writable: false, enumerable: true, configurable: false })
}

/** Called once, before user code. */
export function installAmbient(): void {
  installDate()
  recordMethod(Math, 'random', 'Math.random')
  recordMethod(getPrototypeOf(performance) as object, 'now', 'performance.now')
  for (const name of ['mark', 'measure', 'timerify', 'eventLoopUtilization', 'toJSON', 'getEntries', 'getEntriesByName', 'getEntriesByType']) {
    touchMethod(getPrototypeOf(performance) as object, name, `performance.${name}`)
  }
  touchGetter(getPrototypeOf(performance) as object, 'timeOrigin', 'performance.timeOrigin')
  installCrypto()
  installProcess()
  touchMethod(globalThis, 'fetch', 'fetch')
  touchMethod(AbortSignal, 'timeout', 'AbortSignal.timeout')
  for (const name of ['WebSocket', 'EventSource', 'BroadcastChannel', 'MessageChannel', 'FinalizationRegistry']) touchConstructor(name)
}

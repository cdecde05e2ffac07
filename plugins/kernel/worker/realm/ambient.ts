// The world that a program can read without calling anyone: clocks, randomness, the environment. Reads of it are written
// down live and answered from the record in a replay; what can not be recorded makes the cell volatile, with its name as the
// reason. Everything is replaced at the source, so code inside imported modules is treated like code in the cell.
import { currentDirectory, read, touch } from '../cell/live-cell.ts'
import { installBackground } from './background.ts'
import { reachDescriptors } from './descriptors.ts'
import { installRandom } from './random.ts'
import { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, NativeError, NativeProxy, ownKeys } from '../natives.ts'

const { isArray } = Array

type Callable = (...args: never[]) => unknown

/** Replaces a method by a proxy of it: same name, length and text, other behaviour when called. */
function replace(holder: object, name: string, call: (native: () => unknown, self: unknown, args: unknown[]) => unknown): void {
  const found = getOwnPropertyDescriptor(holder, name)
  if (found === undefined || typeof found.value !== 'function' || found.configurable === false) return
  const value = new NativeProxy(found.value as Callable, {
    apply: (target, self, args) => call(() => apply(target, self, args), self, args),
  })
  defineProperty(holder, name, { ...found, value })
}

/**
 * Node's own is asked in a replay as well, because what it refuses was not recorded. The program gets a copy: what it does to
 * its own must not reach the record.
 */
function recordMethod(holder: object, name: string, source: string): void {
  replace(holder, name, (native) => {
    const fresh = native()
    const value = read(source, () => fresh)
    return typeof value !== 'object' || value === null ? value : isArray(value) ? [...value as unknown[]] : { ...value }
  })
}

function touchMethod(holder: object, name: string, source: string): void {
  replace(holder, name, (native) => { touch(source); return native() })
}

function touchConstructor(name: string): void {
  const found = getOwnPropertyDescriptor(globalThis, name)
  if (typeof found?.value !== 'function' || found.configurable === false) return
  defineProperty(globalThis, name, {
    value: new NativeProxy(found.value as Callable, {
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

function recordGetter(holder: object, name: string, source: string): void {
  const found = getOwnPropertyDescriptor(holder, name)
  if (found?.get === undefined || found.configurable === false) return
  const native = found.get
  defineProperty(holder, name, {
    ...found, get() { const fresh = apply(native, this, []); return isArray(fresh) ? [...read(source, () => fresh) as unknown[]] : read(source, () => fresh) },
  })
}

/** For values that differ from process to process. A write makes the property an ordinary one. */
function touchValue(holder: object, name: string, source: string, reach = () => {}): void {
  const found = getOwnPropertyDescriptor(holder, name)
  if (found === undefined || found.configurable === false) return
  const native = () => found.get === undefined ? found.value as unknown : apply(found.get, holder, [])
  defineProperty(holder, name, {
    get: () => { reach(); touch(source); return native() },
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

/** A formatter that is given no date formats now, without asking `Date`. */
function installIntl(): void {
  const { now } = Date
  const { prototype } = Intl.DateTimeFormat
  const { get: nativeGet, set: nativeSet } = WeakMap.prototype
  const bound = new WeakMap<object, object>()
  const dated = (args: unknown[]) => args[0] === undefined ? [read('Intl.DateTimeFormat', now)] : args
  const formatOf = getOwnPropertyDescriptor(prototype, 'format')!
  defineProperty(prototype, 'format', {
    ...formatOf,
    get: new NativeProxy(formatOf.get as Callable, {
      apply(target, self, args) {
        const native = apply(target, self, args) as Callable
        const known = apply(nativeGet, bound, [native]) as object | undefined
        if (known !== undefined) return known
        const format = new NativeProxy(native, { apply: (own, of, given) => apply(own, of, dated(given)) })
        apply(nativeSet, bound, [native, format])
        return format
      },
    }) as () => unknown,
  })
  const { formatToParts } = prototype
  replace(prototype, 'formatToParts', (_native, self, args) => apply(formatToParts, self, dated(args)))
}

function installCrypto(): void {
  const prototype = getPrototypeOf(globalThis.crypto) as object
  const { from } = Buffer
  const toBase64 = Buffer.prototype.toString
  recordMethod(prototype, 'randomUUID', 'crypto.randomUUID')
  replace(prototype, 'getRandomValues', (native, _self, args) => {
    const view = args[0] as Uint8Array
    native()    // in a replay, too: what it refuses was not recorded
    const bytes = () => from(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength)
    const recorded = read('crypto.getRandomValues', () => apply(toBase64, bytes(), ['base64']) as string)
    bytes().set(from(recorded, 'base64'))
    return view
  })
  touchGetter(prototype, 'subtle', 'crypto.subtle')
}

function installProcess(): void {
  // The record says where its cell started and what moved it, so this is an input that a replay has anyway.
  replace(process, 'cwd', (native) => currentDirectory() ?? native())
  replace(process.hrtime, 'bigint', (native) => BigInt(read('process.hrtime.bigint', () => String(native()))))
  recordMethod(process.memoryUsage, 'rss', 'process.memoryUsage.rss')
  for (const name of ['uptime', 'cpuUsage', 'threadCpuUsage', 'memoryUsage', 'resourceUsage', 'availableMemory', 'constrainedMemory', 'hrtime']) {
    recordMethod(process, name, `process.${name}`)
  }
  for (const name of ['getActiveResourcesInfo', 'umask']) touchMethod(process, name, `process.${name}`)
  for (const name of ['binding', '_linkedBinding', 'dlopen', '_rawDebug']) {
    replace(process, name, (native) => { reachDescriptors(); touch(`process.${name}`); return native() })
  }
  touchValue(process, 'report', 'process.report', reachDescriptors)
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
    return apply(setHas, NODES_OWN, [key]) ? native() : read(`process.env.${key}`, native)
  }
  return new NativeProxy(env, {
    get: (_target, key) => valueOf(key) ?? undefined,
    has: (_target, key) => valueOf(key) !== null,
    ownKeys: (target) => read('process.env', () => ownKeys(target) as string[]),
    getOwnPropertyDescriptor(_target, key) {
      const value = valueOf(key)
      return value === null ? undefined : { value, writable: true, enumerable: true, configurable: true }
    },
  })
}

function guardMethod(name: string): void {
  if (!(name in process)) return
  const value = () => {
    const error = new NativeError(`process.${name} is not available in a cell: the process belongs to the kernel`)
    defineProperty(error, 'code', { value: 'ERR_PTC_PROCESS_CONTROL', writable: true, enumerable: true, configurable: true })
    throw error
  }
  defineProperty(value, 'name', { value: name, configurable: true })
  defineProperty(process, name, { value, writable: false, enumerable: true, configurable: false })
}

/** Called once, before user code. */
export function installAmbient(): void {
  installIntl()
  installDate()
  installRandom()
  recordMethod(getPrototypeOf(performance) as object, 'now', 'performance.now')
  for (const name of ['mark', 'measure', 'timerify', 'eventLoopUtilization', 'toJSON', 'getEntries', 'getEntriesByName', 'getEntriesByType']) {
    touchMethod(getPrototypeOf(performance) as object, name, `performance.${name}`)
  }
  touchGetter(getPrototypeOf(performance) as object, 'timeOrigin', 'performance.timeOrigin')
  touchGetter(getPrototypeOf(performance) as object, 'nodeTiming', 'performance.nodeTiming')
  installCrypto()
  installProcess()
  recordGetter(Event.prototype, 'timeStamp', 'Event.timeStamp')
  recordGetter(File.prototype, 'lastModified', 'File.lastModified')
  for (const name of ['hardwareConcurrency', 'language', 'languages', 'platform', 'userAgent']) {
    if (typeof navigator === 'object') recordGetter(getPrototypeOf(navigator) as object, name, `navigator.${name}`)
  }
  touchMethod(globalThis, 'fetch', 'fetch')
  installBackground()
  // To look at `WebSocket` loads the web's part of Node, for 30 ms and 3 MB. Loaded later, in a cell, it would read the environment and make
  // registries there, in the cell's name.
  for (const name of ['WebSocket', 'EventSource', 'BroadcastChannel', 'MessageChannel', 'FinalizationRegistry']) touchConstructor(name)
}

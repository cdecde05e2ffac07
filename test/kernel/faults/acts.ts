// What hostile code can do, one act a row, and what has to come of the cell in which it is done. The acts are text of cells; the
// places at which they strike are in `places.ts`. What Node's own loop looks up in the realm (`Array.prototype.pop`, elements of
// arrays with holes) can not be defended by us: such acts are `fatal`, and bounded.

/** What may come of the cell: `ran` (with its own value or throw), or the kind of failure that the infrastructure gives it. */
export type Verdict = 'ran' | 'timeout' | 'worker-exit' | 'output-limit' | 'protocol'

export interface Act {
  readonly name: string
  readonly code: string
  /** What the contract says, for a cell that does it itself. */
  readonly verdict: readonly Verdict[]
  /** The session's worker is the same afterwards: what the act leaves in the realm, the next cell meets. */
  readonly survives: boolean
  readonly limits?: { readonly computeMs?: number, readonly maxWallMs?: number, readonly maxOutputBytes?: number }
}

const survived = (name: string, code: string): Act => ({ name, code, verdict: ['ran'], survives: true })
const fatal = (name: string, code: string, verdict: Verdict | readonly Verdict[], limits: Act['limits'] = {}): Act =>
  ({ name, code, verdict: typeof verdict === 'string' ? [verdict] : verdict, survives: false, limits })

/** Every function that can be reached from the global object through data properties becomes one that throws. */
const PATCH_ALL = `{
  const own = Reflect.ownKeys, find = Reflect.getOwnPropertyDescriptor, put = Reflect.defineProperty, up = Reflect.getPrototypeOf
  const skipped = new Set(['kept', 'notes', 'code', 'repl', 'capabilities', 'process', 'require', 'globalThis'])
  const has = Set.prototype.has.bind(new Set()), seen = new Set(), add = seen.add.bind(seen), known = seen.has.bind(seen), skip = skipped.has.bind(skipped)
  const queue = [], found = []; let size = 0, count = 0
  const visit = (value) => { if ((typeof value === 'object' && value !== null || typeof value === 'function') && !known(value)) { add(value); queue[size++] = value } }
  const keys = own(globalThis)
  for (let i = 0; i < keys.length; i += 1) if (!skip(keys[i])) { const d = find(globalThis, keys[i]); if (d && 'value' in d) visit(d.value) }
  for (let at = 0; at < size && at < 5000; at += 1) {
    visit(up(queue[at]))
    const names = own(queue[at])
    for (let i = 0; i < names.length; i += 1) {
      const d = find(queue[at], names[i])
      if (d && 'value' in d) { visit(d.value); if (typeof d.value === 'function' && (d.writable || d.configurable) && names[i] !== 'constructor' && names[i] !== 'pop') found[count++] = [queue[at], names[i]] }
    }
  }
  const broken = function () { throw 'patched' }
  for (let i = 0; i < count; i += 1) put(found[i][0], found[i][1], { value: broken, writable: true, configurable: true })
}`

export const ACTS: readonly Act[] = [
  survived('patch every reachable intrinsic', PATCH_ALL),
  survived('replace Promise and what it hands out', "{ const broken = () => { throw new TypeError('no') }; for (const name of ['then', 'catch', 'finally']) Promise.prototype[name] = broken; for (const name of ['resolve', 'reject', 'all', 'race', 'withResolvers']) Promise[name] = broken; globalThis.Promise = class { constructor() { broken() } } }"),
  survived('replace JSON', "JSON.stringify = () => '{\"type\":\"done\"}'; JSON.parse = () => { throw 1 }; globalThis.JSON = null"),
  survived('replace the methods of arrays, maps and weak maps', "for (const type of [Array, Map, Set, WeakMap, WeakSet, String, RegExp, Function]) for (const name of Reflect.ownKeys(type.prototype)) if (typeof Reflect.getOwnPropertyDescriptor(type.prototype, name).value === 'function' && name !== 'constructor' && name !== 'pop') type.prototype[name] = null"),
  fatal('replace what Node pops with', 'Array.prototype.pop = null', ['timeout', 'worker-exit'], { maxWallMs: 1_500 }),
  fatal('put accessors on the indices of every array', "for (let i = 0; i < 4; i += 1) Object.defineProperty(Array.prototype, i, { get() { return 'polluted' }, set() { throw 'polluted' }, configurable: true })", ['timeout', 'worker-exit'], { maxWallMs: 1_500 }),
  survived('put the fields of messages on every object', "for (const name of ['type', 'cell', 'kind', 'error', 'value', 'ok', 'recorded', 'isReport', 'of', 'early', 'divergence', 'withheld', 'signal', 'get', 'set', 'writable', 'configurable']) Object.prototype[name] = undefined"),
  survived('make every object a thenable', "Object.defineProperty(Object.prototype, 'then', { get() { return (resolve) => resolve('hijacked') }, configurable: true })"),
  survived('make every object a thenable that throws', "Object.defineProperty(Object.prototype, 'then', { get() { throw 'then' }, configurable: true })"),
  survived('put toJSON everywhere', "Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = () => 'json'"),
  survived('delete the globals', "const root = globalThis, drop = Reflect.deleteProperty; for (const name of Reflect.ownKeys(root)) if (name !== 'kept') drop(root, name)"),
  survived('break stack traces and errors', "Error.prepareStackTrace = () => { throw 1 }; Error.captureStackTrace = null; Error.stackTraceLimit = 'x'; Object.defineProperty(Error.prototype, 'message', { get() { throw 2 } }); Object.defineProperty(Error.prototype, 'name', { get() { throw 3 } })"),
  survived('break symbols of conversion', "for (const type of [Object, Function, Error]) { type.prototype[Symbol.toPrimitive] = () => { throw 1 }; type.prototype.toString = () => { throw 2 }; type.prototype.valueOf = () => { throw 3 } }"),
  survived('open thousands of handles', "for (let i = 0; i < 3000; i += 1) { setTimeout(() => {}, 600000); new EventTarget() } for (let i = 0; i < 100; i += 1) require('node:net').createServer().listen(0).unref()"),
  survived('leave rejections and exceptions behind', "for (let i = 0; i < 50; i += 1) { Promise.reject({ get message() { throw 1 } }); Promise.reject(new Proxy({}, { get() { throw 2 }, getPrototypeOf() { throw 3 } })); process.nextTick(() => { throw null }); queueMicrotask(() => { throw { toString() { throw 4 } } }) }"),
  survived('try to leave', "for (const name of ['exit', 'abort', 'kill', 'disconnect']) try { process[name]?.(process.pid, 9) } catch {}"),
  survived('fork children that hold stdio open', "require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit' })"),
  survived('break events and streams', "for (const name of ['emit', 'on', 'once', 'addListener', 'removeListener']) require('node:events').prototype[name] = () => { throw 'events' }"),
  fatal('leave by the back door', 'process.reallyExit(0)', 'worker-exit'),
  fatal('close the socket', "require('node:fs').closeSync(4)", ['ran', 'worker-exit', 'protocol'], { maxWallMs: 2_500 }),
  fatal('close the channel', "require('node:fs').closeSync(3)", ['ran', 'worker-exit', 'timeout'], { maxWallMs: 2_500 }),
  fatal('close its output', "require('node:fs').closeSync(1); require('node:fs').closeSync(2)", 'ran'),
  fatal('close every descriptor', "for (let fd = 0; fd < 64; fd += 1) try { require('node:fs').closeSync(fd) } catch {}", ['ran', 'worker-exit', 'timeout'], { maxWallMs: 2_500 }),
  fatal('flood output', "for (;;) console.log('x'.repeat(1000))", ['output-limit', 'worker-exit'], { maxOutputBytes: 50_000 }),
  fatal('flood a descriptor', "for (;;) require('node:fs').writeSync(1, 'x'.repeat(1000))", ['output-limit', 'worker-exit'], { maxOutputBytes: 50_000 }),
  fatal('block for ever', 'for (;;);', 'timeout', { computeMs: 400 }),
  fatal('sleep for ever', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', 'timeout', { computeMs: 400 }),
  fatal('exhaust memory', 'const rows = []; for (;;) rows.push(new Array(1e5).fill(rows.length))', 'worker-exit'),
  fatal('kill its own process', "require('node:child_process').execSync('kill -9 ' + process.pid)", 'worker-exit'),
  fatal('write a malformed frame', "require('node:fs').writeSync(4, '{\"type\":\"done\",\"cell\":-1}\\n')", ['worker-exit', 'protocol']),
]

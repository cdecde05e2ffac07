// Modules of cells are Node's own. This file only says where a cell's specifiers resolve from, serves the small virtual
// module that links a cell's static imports, and notices which modules make a cell volatile.
import { createRequire, isBuiltin, registerHooks } from 'node:module'
import { runningCell, scope, touch } from '../cell/live-cell.ts'
import { reachDescriptors } from './descriptors.ts'
import { transformModule } from './typescript-modules.ts'
import { apply, defineProperty, mapGet, mapSet, NativeError, NativeMap, sliceText, startsWith } from '../natives.ts'

/** Modules whose behaviour depends on nothing but their arguments, or whose ambient reads are recorded. */
const DURABLE: ReadonlySet<string> = new Set([
  'assert', 'assert/strict', 'buffer', 'events', 'path', 'path/posix', 'path/win32', 'punycode', 'querystring', 'stream',
  'stream/promises', 'string_decoder', 'timers', 'timers/promises', 'url', 'util', 'util/types', 'zlib',
])
const FORBIDDEN: ReadonlySet<string> = new Set(['worker_threads', 'cluster'])
const setHas = Set.prototype.has

export const CELL_SCHEME = 'ptc-cell:'
const IMPORTS_SCHEME = 'ptc-imports:'

const getStore = scope.getStore
const decoder = new TextDecoder()
const toUtf8 = (bytes: Uint8Array) => decoder.decode(bytes)
/** Base URL of each cell's specifiers, by cell number. */
const bases = new NativeMap<string, string>()
const virtualModules = new NativeMap<string, string>()
/** Builtins that cells get in another version than Node's internals: their virtual modules, by plain name. */
const standIns = new NativeMap<string, string>()
const STAND_IN_SCHEME = 'ptc-builtin:'
const standInValues = new NativeMap<string, unknown>()

function plainName(url: string): string {
  return startsWith(url, 'node:') ? sliceText(url, 5) : url
}

/** `parent` as a URL that relative specifiers resolve from, if it names a cell. */
function baseOf(parent: string | undefined): string | undefined {
  if (parent === undefined) return undefined
  if (startsWith(parent, CELL_SCHEME)) return mapGet(bases, sliceText(parent, CELL_SCHEME.length)) as string | undefined
  if (startsWith(parent, IMPORTS_SCHEME)) return mapGet(bases, sliceText(parent, IMPORTS_SCHEME.length)) as string | undefined
  return undefined
}

function refuse(name: string): never {
  const error = new NativeError(`${name} is not available in a cell: a session is one worker of one process`)
  defineProperty(error, 'code', { value: 'ERR_PTC_FORBIDDEN_MODULE', writable: true, enumerable: true, configurable: true })
  throw error
}

/** Called for everything that cells and their modules load. */
function classify(url: string, specifier: string, fromCell: boolean): void {
  if (!isBuiltin(url)) return touch(`import ${specifier}`)
  const name = plainName(url)
  if (fromCell && apply(setHas, FORBIDDEN, [name])) refuse(url)
  if (apply(setHas, DURABLE, [name])) return
  reachDescriptors()
  touch(`import ${startsWith(url, 'node:') ? url : `node:${url}`}`)
}

export function enterCell(number: number, url: string): void {
  mapSet(bases, `${number}`, url)
}

/** Links and evaluates the static imports of a cell; answers the namespace that its aliases read. */
export async function linkImports(number: number, code: string): Promise<Record<string, unknown>> {
  const url = `${IMPORTS_SCHEME}${number}`
  mapSet(virtualModules, url, code)
  return await import(url) as Record<string, unknown>
}

const requires = new NativeMap<string, NodeJS.Require>()

function requireOfCell(): NodeJS.Require | undefined {
  const cell = (apply(getStore, scope, []) ?? runningCell())
  if (cell === undefined) return undefined
  const base = mapGet(bases, `${cell.number}`) as string
  let require = mapGet(requires, base) as NodeJS.Require | undefined
  if (require === undefined) {
    require = createRequire(base)
    defineProperty(require, 'main', { value: undefined, configurable: true, writable: true, enumerable: true })
    mapSet(requires, base, require)
  }
  return require
}

/** A virtual module that exports what `value` has, read once through a global that is gone before user code runs. */
async function standIn(name: string, value: Record<string, unknown>): Promise<void> {
  const url = `${STAND_IN_SCHEME}${name}`
  const handOver = `ptc stand-in ${name}`
  defineProperty(globalThis, handOver, { value, configurable: true })
  const names = Object.keys(value).map((key) => `export const ${key} = m.${key}`).join('\n')
  mapSet(virtualModules, url, `const m = globalThis[${JSON.stringify(handOver)}]\n${names}\nexport default m\nexport { m as 'module.exports' }`)
  mapSet(standIns, name, url)
  mapSet(standInValues, name, value)
  await import(url)
  Reflect.deleteProperty(globalThis, handOver)
}

/** Called once, after everything that the worker itself needs has been loaded. `builtins` replace Node's for cells. */
export async function installModules(builtins: { readonly [name: string]: Record<string, unknown> }): Promise<void> {
  registerHooks({
    resolve(specifier, context, next) {
      if (startsWith(specifier, IMPORTS_SCHEME) || startsWith(specifier, STAND_IN_SCHEME)) return { url: specifier, format: 'module', shortCircuit: true }
      const replaced = mapGet(standIns, plainName(specifier)) as string | undefined
      if (replaced !== undefined) return { url: replaced, format: 'module', shortCircuit: true }
      const base = baseOf(context.parentURL)
      let found
      try {
        found = base === undefined ? next(specifier, context) : next(specifier, { ...context, parentURL: base })
      } catch (error) {
        touch(`import ${specifier}`)   // that there is no such module is as little recorded as what is in one
        throw error
      }
      classify(found.url, specifier, base !== undefined)
      return found
    },
    load(url, context, next) {
      const code = mapGet(virtualModules, url) as string | undefined
      if (code !== undefined) return { format: 'module', source: code, shortCircuit: true }
      const loaded = next(url, context)
      const { format, source } = loaded
      if (source === undefined || source === null || (format !== 'module-typescript' && format !== 'commonjs-typescript')) return loaded
      const transformed = transformModule(url, typeof source === 'string' ? source : toUtf8(source as Uint8Array))
      return transformed === undefined ? loaded : { ...loaded, format: format === 'module-typescript' ? 'module' : 'commonjs', source: transformed }
    },
  })
  defineProperty(globalThis, 'require', {
    get: requireOfCell,
    set: (value) => defineProperty(globalThis, 'require', { value, writable: true, enumerable: false, configurable: true }),
    enumerable: false, configurable: true,
  })
  for (const [name, value] of Object.entries(builtins)) await standIn(name, value)
  const { getBuiltinModule } = process
  process.getBuiltinModule = ((id: string) => {
    const replaced = mapGet(standInValues, plainName(id))
    if (replaced !== undefined) return replaced as object
    const found = apply(getBuiltinModule, process, [id]) as object | undefined
    if (found !== undefined) classify(id, id, true)
    return found
  }) as typeof process.getBuiltinModule
}

// The session's top-level names. They are ordinary properties of the realm's global object, or of the one that holds
// isolated names (`isolated.ts`), so reading and writing them is V8's own business; this file only creates them.
//
// Owns: which properties are session names, and of which kind. Does not own: their values.
// Crosses by: the cell ABI (`declare`, `ensure`, `publish`), imports, and the reserved names of a cell's namespaces.
// Invariants:
// N1 a session name is a configurable, non-enumerable property of the global object, or of the object of isolated names.
// N2 a name is declared only after the value that declares it exists; until then its old value stands.
// N3 an import alias reads its module until a successful write makes it an ordinary name.
import { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, getProperty, mapDelete, mapEach, mapGet, mapHas, mapSet, NativeMap, NativeTypeError, ownKeys } from '../natives.ts'
import { homeOf } from './isolated.ts'

const root = globalThis

const kinds = new NativeMap<string, string>()
/** Values of session names that a namespace of the current cell hides. */
const displaced = new NativeMap<string, PropertyDescriptor>()
/** Accessors that this file has put behind session names. */
const accessors = new NativeMap<string, () => unknown>()
const reserved = new NativeMap<string, () => unknown>()

function defineData(name: string, value: unknown): void {
  if (!defineProperty(homeOf(name), name, { value, writable: true, enumerable: false, configurable: true })) {
    throw new NativeTypeError(`Cannot declare ${name}: the realm does not allow it`)
  }
}

/** N2: called with the finished value. Writes it only where the compiled cell's own assignment could not. */
export function declare<T>(name: string, value: T): T {
  const found = getOwnPropertyDescriptor(homeOf(name), name)
  if (found === undefined || found.writable !== true) defineData(name, value)
  if (!mapHas(kinds, name)) mapSet(kinds, name, 'variable')
  return value
}

export function ensure(name: string): void {
  if (getOwnPropertyDescriptor(homeOf(name), name) === undefined) defineData(name, undefined)
  if (!mapHas(kinds, name)) mapSet(kinds, name, 'variable')
}

/** A hoisted `var`. One with an isolated name goes on reading what the realm has until something is assigned. */
export function hoist(name: string): void {
  const home = homeOf(name)
  if (home === root || !(name in root)) ensure(name)
}

export function publish(values: object): void {
  const names = ownKeys(values)
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i] as string
    const value = getProperty(values, name)
    const found = getOwnPropertyDescriptor(homeOf(name), name)
    if (found?.writable === true) (homeOf(name) as Record<string, unknown>)[name] = value
    else defineData(name, value)
    if (!mapHas(kinds, name)) mapSet(kinds, name, 'variable')
  }
}

export function exists(name: string): boolean {
  return getOwnPropertyDescriptor(homeOf(name), name) !== undefined
}

/** After a function declaration made its (enumerable) property: N1. */
export function hideFunction(name: string): void {
  const found = getOwnPropertyDescriptor(homeOf(name), name)
  if (found?.configurable === true) defineProperty(homeOf(name), name, { ...found, enumerable: false })
  mapSet(kinds, name, 'function')
}

function refuseWrite(): never { throw new NativeTypeError('Assignment to constant variable.') }

/** Names that only a new declaration changes. An accessor, because sloppy code would drop a write to plain data silently. */
export function publishConstants(values: object): void {
  const names = ownKeys(values)
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i] as string
    const value = getProperty(values, name)
    const get = () => value
    mapSet(accessors, name, get)
    defineProperty(homeOf(name), name, { get, set: refuseWrite, enumerable: false, configurable: true })
    if (!mapHas(kinds, name)) mapSet(kinds, name, 'variable')
  }
}

/** N3. */
export function follow(name: string, read: () => unknown, kind: string, isProtected: boolean): void {
  mapSet(accessors, name, read)
  defineProperty(homeOf(name), name, {
    get: read, set: isProtected ? refuseWrite : (value) => defineData(name, value), enumerable: false, configurable: true,
  })
  mapSet(kinds, name, kind)
}

export function noteKind(name: string, kind: string): void {
  if (mapHas(kinds, name)) mapSet(kinds, name, kind)
}

/** Puts a namespace under its name for as long as cells have it. A session name of that name waits meanwhile. */
export function reserve(name: string, read: () => unknown, soft: boolean): void {
  if (mapGet(reserved, name) === read && getOwnPropertyDescriptor(root, name)?.get === read) return
  const waiting = mapGet(displaced, name) as PropertyDescriptor | undefined
  if (soft && waiting !== undefined) {
    // The namespace could not be shadowed before, and can now: the session name has waited for this.
    mapDelete(reserved, name)
    mapDelete(displaced, name)
    defineProperty(root, name, waiting)
    return
  }
  const found = getOwnPropertyDescriptor(root, name)
  if (mapHas(kinds, name)) {
    if (soft) return
    if (found !== undefined && waiting === undefined) mapSet(displaced, name, found)
  }
  mapSet(reserved, name, read)
  defineProperty(root, name, {
    get: read, enumerable: false, configurable: true,
    ...soft ? { set: (value: unknown) => { defineData(name, value); mapSet(kinds, name, 'variable') } } : {},
  })
}

/** Takes away the namespaces that the next cell does not have. */
export function releaseOthers(kept: ReadonlyMap<string, unknown>): void {
  mapEach(reserved, ((read: () => unknown, name: string) => {
    if (mapHas(kept, name)) return
    mapDelete(reserved, name)
    if (getOwnPropertyDescriptor(root, name)?.get !== read) return
    const waiting = mapGet(displaced, name) as PropertyDescriptor | undefined
    mapDelete(displaced, name)
    if (waiting === undefined) deleteProperty(root, name)
    else defineProperty(root, name, waiting)
  }) as (value: unknown, key: unknown) => void)
}

export function sessionNames(): { name: string, kind: string }[] {
  const found: { name: string, kind: string }[] = []
  mapEach(kinds, ((kind: string, name: string) => {
    if (exists(name)) found[found.length] = { name, kind }
  }) as (value: unknown, key: unknown) => void)
  return found
}

export function isSessionName(name: string): boolean { return mapHas(kinds, name) }

/** The property behind a session name. */
export function find(name: string): PropertyDescriptor | undefined { return getOwnPropertyDescriptor(homeOf(name), name) }

/** Reads a session name without running code of the program: undefined for anything but plain data and our own accessors. */
export function peek(name: string): unknown {
  const found = getOwnPropertyDescriptor(homeOf(name), name)
  if (found === undefined) return undefined
  if ('value' in found) return found.value
  return found.get !== undefined && found.get === mapGet(accessors, name) ? apply(found.get, undefined, []) : undefined
}

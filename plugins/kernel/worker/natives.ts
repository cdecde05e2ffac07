// The intrinsics that worker code uses after user code has run in the same realm, taken once before it. A cell may replace
// `Promise`, patch `Array.prototype` or delete `JSON`; what is here keeps its meaning. Imported before everything else.
import { types } from 'node:util'

export const { apply, construct, deleteProperty, get: getProperty, getPrototypeOf, ownKeys } = Reflect
const ObjectPrototype = Object.prototype
const { defineProperty: define, getOwnPropertyDescriptor: describe, setPrototypeOf } = Reflect

/**
 * The same object without a prototype. A program can put `then`, `get` or `value` on the prototype of all objects: what is
 * returned by an async function, or read as a descriptor, must not inherit them.
 */
export function bare<T extends object>(fields: T): T {
  setPrototypeOf(fields, null)
  return fields
}

/** Gives an object of the kernel the methods that it inherits as its own, so that what a program does to prototypes misses it. */
export function keepMethods<T extends object>(object: T): T {
  for (let holder = getPrototypeOf(object); holder !== null && holder !== ObjectPrototype; holder = getPrototypeOf(holder)) {
    const keys = ownKeys(holder)
    for (let i = 0; i < keys.length; i += 1) {
      const key = keys[i]!
      if (describe(object, key) === undefined) define(object, key, { ...describe(holder, key), enumerable: false })
    }
  }
  return object
}

/** `descriptor` is one that the caller has made. */
export function defineProperty(target: object, key: PropertyKey, descriptor: PropertyDescriptor): boolean {
  return define(target, key, bare(descriptor))
}

export function getOwnPropertyDescriptor(target: object, key: PropertyKey): PropertyDescriptor | undefined {
  const found = describe(target, key)
  return found === undefined ? undefined : bare(found)
}
export const { freeze } = Object
export const create = Object.create as (prototype: object | null) => Record<PropertyKey, unknown>
export const NativeError = Error
export const NativeTypeError = TypeError
export const NativePromise = Promise
export const NativeMap = Map
export const NativeProxy = Proxy
export const toText = String
export const { isArray } = Array
/** Milliseconds, by the clock itself: nothing of it is recorded. */
export const clock = performance.now.bind(performance)
export const toNumber = Number
export const toObject = Object as (value: unknown) => object
export const indirectEval = eval
export const { isNativeError, isProxy } = types
export const later = setImmediate
export const sleepUntil = setTimeout
export const cancelSleep = clearTimeout
const stringify = JSON.stringify

/** Error constructors by name, so that an error that crossed as data gets its class back. */
export const ERRORS: Readonly<Record<string, ErrorConstructor>> = freeze(Object.assign(create(null), {
  Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError,
})) as Readonly<Record<string, ErrorConstructor>>

const uncurry = Function.prototype.bind.bind(Function.prototype.call) as
  <A extends unknown[], R>(method: (this: never, ...args: A) => R) => (self: unknown, ...args: A) => R
export const exec = uncurry(RegExp.prototype.exec as (text: string) => RegExpExecArray | null)
export const startsWith = uncurry(String.prototype.startsWith as (text: string) => boolean)
export const sliceText = uncurry(String.prototype.slice as (from?: number, to?: number) => string)
export const mapGet = uncurry(Map.prototype.get as (key: unknown) => unknown)
export const mapSet = uncurry(Map.prototype.set as (key: unknown, value: unknown) => unknown)
export const mapHas = uncurry(Map.prototype.has as (key: unknown) => boolean)
export const mapDelete = uncurry(Map.prototype.delete as (key: unknown) => boolean)
export const mapEach = uncurry(Map.prototype.forEach as (visit: (value: unknown, key: unknown) => void) => void)

const PROTOTYPES = [Object.prototype, Array.prototype]

/** `JSON.stringify` of plain data, also when a cell has put a `toJSON` on the prototypes that such data inherits from. */
export function toJson(value: unknown): string {
  const patched: { prototype: object, descriptor: PropertyDescriptor }[] = []
  for (let i = 0; i < PROTOTYPES.length; i += 1) {
    const prototype = PROTOTYPES[i]!
    const descriptor = getOwnPropertyDescriptor(prototype, 'toJSON')
    if (descriptor !== undefined && deleteProperty(prototype, 'toJSON')) patched[patched.length] = { prototype, descriptor }
  }
  try {
    return stringify(value)
  } finally {
    for (let i = 0; i < patched.length; i += 1) defineProperty(patched[i]!.prototype, 'toJSON', patched[i]!.descriptor)
  }
}

// The intrinsics that worker code uses after user code has run in the same realm, taken once before it. A cell may replace
// `Promise`, patch `Array.prototype` or delete `JSON`; what is here keeps its meaning. Imported before everything else.
import { types } from 'node:util'

export const { apply, construct, defineProperty, deleteProperty, get: getProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect
export const { freeze } = Object
export const create = Object.create as (prototype: object | null) => Record<PropertyKey, unknown>
export const NativeError = Error
export const NativeTypeError = TypeError
export const NativePromise = Promise
export const NativeMap = Map
export const NativeProxy = Proxy
export const toText = String
export const indirectEval = eval
export const { isNativeError, isProxy } = types
export const later = setImmediate
const { nextTick } = process
const soon = queueMicrotask
/** Runs `callback` when the microtasks are done, those included that they start; without a turn of the loop. */
export const whenDrained = (callback: () => void): void => soon(() => { nextTick(callback) })
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

// The realm's own functions, taken while this module loads. In a session worker the code of cells runs in the same realm
// and may patch every prototype later on; what is used from here on goes through these constants only (V3).
//
// The other files therefore never call a method on a value, never iterate with for-of, spread or array patterns, and
// write to lists through `append` and `defineSlot`.
import { types } from 'node:util'

type Method<S, A extends unknown[], R> = (this: S, ...args: A) => R

const { bind, call } = Function.prototype
const uncurry = bind.bind(call) as <S, A extends unknown[], R>(method: Method<S, A, R>) => (self: S, ...args: A) => R

export const ObjectPrototype: object = Object.prototype
export const ArrayPrototype: object = Array.prototype
const ArrayConstructor = Array
const TypeErrorConstructor = TypeError
const MapConstructor = Map
const SetConstructor = Set

export const {
  defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames, getOwnPropertySymbols, getPrototypeOf, is: sameValue, keys,
} = Object
export const { isArray } = Array
export const { isView } = ArrayBuffer
export const { isFinite, isInteger, isSafeInteger } = Number
export const stringify = JSON.stringify as (value: unknown) => string
export const toBigInt: (digits: string) => bigint = BigInt
export const { isProxy } = types

/** Tests for what has state outside its properties. None of them runs code of the value's. */
export const internals = {
  isArgumentsObject: types.isArgumentsObject,
  isBoxedPrimitive: types.isBoxedPrimitive,
  isDate: types.isDate,
  isExternal: types.isExternal,
  isAnyArrayBuffer: types.isAnyArrayBuffer,
  isGeneratorObject: types.isGeneratorObject,
  isMap: types.isMap,
  isMapIterator: types.isMapIterator,
  isModuleNamespaceObject: types.isModuleNamespaceObject,
  isNativeError: types.isNativeError,
  isPromise: types.isPromise,
  isRegExp: types.isRegExp,
  isSet: types.isSet,
  isSetIterator: types.isSetIterator,
  isWeakMap: types.isWeakMap,
  isWeakSet: types.isWeakSet,
} as const

export const hasOwn = Object.hasOwn
export const isEnumerable = uncurry(Object.prototype.propertyIsEnumerable) as (self: object, key: PropertyKey) => boolean
type Lookup = (self: object, key: PropertyKey) => unknown
type LookupMethod = Method<object, [PropertyKey], unknown>
const legacy = Object.prototype as unknown as { __lookupGetter__: LookupMethod, __lookupSetter__: LookupMethod }
export const lookupGetter: Lookup = uncurry(legacy.__lookupGetter__)
export const lookupSetter: Lookup = uncurry(legacy.__lookupSetter__)
export const sourceOf = uncurry(Function.prototype.toString)
export const charCodeAt = uncurry(String.prototype.charCodeAt)
export const slice = uncurry(String.prototype.slice)
export const radixText = uncurry(BigInt.prototype.toString) as (self: bigint, radix: number) => string
export const nativeByteLength = Buffer.byteLength as (text: string) => number

const mapGet = uncurry(Map.prototype.get)
const mapSet = uncurry(Map.prototype.set)
const setHas = uncurry(Set.prototype.has)
const setAdd = uncurry(Set.prototype.add)

/** Numbers for objects, by identity. */
export type Numbering = Map<object, number>
export const numbering = (): Numbering => new MapConstructor<object, number>()
export const numberOf = mapGet as (numbers: Numbering, object: object) => number | undefined
export const setNumber = mapSet as (numbers: Numbering, object: object, number: number) => unknown

export const names = (): Set<string> => new SetConstructor<string>()
export const hasName = setHas as (set: Set<string>, name: string) => boolean
export const addName = setAdd as (set: Set<string>, name: string) => unknown

export const typeError = (message: string): TypeError => new TypeErrorConstructor(message)
export const isLimit = (value: unknown): value is number => isSafeInteger(value) && (value as number) >= 1
export const holes = (length: number): unknown[] => new ArrayConstructor<unknown>(length)

/**
 * Whether `list[i] = value` can only ever make an own property. It can do something else when an index was defined on one of the
 * prototypes, or when something was put between or behind them. No user code runs during one encode or decode, so the
 * answer, asked for at its start, holds to its end. Hot loops read it themselves and store in place, everyone else uses
 * `append` and `defineSlot`.
 */
export let plainLists = true

export function surveyLists(): void {
  plainLists = getPrototypeOf(ArrayPrototype) === ObjectPrototype
    && !startsWithIndex(ArrayPrototype) && !startsWithIndex(ObjectPrototype)
}

// Own names list indices first.
function startsWithIndex(object: object): boolean {
  const first = getOwnPropertyNames(object)[0]
  return first !== undefined && isArrayIndex(first)
}

export function append<T>(list: T[], value: T): void {
  if (plainLists) list[list.length] = value
  else defineValue(list, list.length, value)
}

export function defineSlot(list: unknown[], index: number, value: unknown): void {
  if (plainLists) list[index] = value
  else defineValue(list, index, value)
}

/** An ordinary data property, whatever the prototypes hold. The descriptor inherits nothing. */
export function defineValue(target: object, key: PropertyKey, value: unknown): void {
  defineProperty(target, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true } as PropertyDescriptor)
}

/** Canonical text of an integer below 2^32 - 1: such keys come first in an object's own order. */
export function isArrayIndex(key: string): boolean {
  const { length } = key
  if (length === 0 || length > 10) return false
  let number = 0
  for (let i = 0; i < length; i++) {
    const digit = charCodeAt(key, i) - 48
    if (digit < 0 || digit > 9) return false
    if (i === 0 && digit === 0 && length > 1) return false
    number = number * 10 + digit
  }
  return number < 0xffffffff
}

/** Bytes of UTF-8; a lone surrogate counts as the three bytes of its replacement. */
export function byteLength(text: string): number {
  const { length } = text
  if (length > 40) return nativeByteLength(text)
  for (let i = 0; i < length; i++) if (charCodeAt(text, i) > 127) return nativeByteLength(text)
  return length
}

// Decides what a value is without running code of its own: no getter, no toJSON, no trap of a proxy (V3).
import {
  ArrayPrototype, getOwnPropertyDescriptor, getOwnPropertyNames, getOwnPropertySymbols, getPrototypeOf, hasOwn, internals, isArray,
  isEnumerable, isProxy, isView, lookupGetter, lookupSetter, ObjectPrototype, sourceOf,
} from './intrinsics.ts'

const {
  isAnyArrayBuffer, isArgumentsObject, isBoxedPrimitive, isDate, isExternal, isGeneratorObject, isMap, isMapIterator, isModuleNamespaceObject,
  isNativeError, isPromise, isRegExp, isSet, isSetIterator, isWeakMap, isWeakSet,
} = internals

/** What a plain object or array is, or why the value is neither. `names` are its own names; of an array, indices first. */
export type Shape =
  | { readonly kind: 'object', readonly prototype: 'object' | 'null', readonly names: string[] }
  | { readonly kind: 'array', readonly length: number }
  | { readonly kind: 'refused', readonly detail: string }

const refused = (detail: string): Shape => ({ kind: 'refused', detail })
const NULL_OBJECT = 'null'
const PLAIN_OBJECT = 'object'

export function classify(value: object): Shape {
  // First, because every other question could be answered by a trap, that is, by user code.
  if (isProxy(value)) return refused('a Proxy')
  const prototype = getPrototypeOf(value) as object | null
  if (isArray(value)) {
    if (!isGenuine(prototype, 'Array')) return refused('an array with a custom prototype')
    if (getOwnPropertySymbols(value).length > 0) return refused('a symbol key')
    return { kind: 'array', length: value.length }
  }
  if (prototype !== null && !isGenuine(prototype, 'Object')) return refused('not a plain object')
  if (hasInternalState(value)) return refused('an object with internal state')
  if (getOwnPropertySymbols(value).length > 0) return refused('a symbol key')
  return { kind: 'object', prototype: prototype === null ? NULL_OBJECT : PLAIN_OBJECT, names: getOwnPropertyNames(value) }
}

/** Only an object whose prototype was replaced gets here with state: a Map that pretends to be plain would lose its entries. */
function hasInternalState(value: object): boolean {
  return isView(value) || isMap(value) || isSet(value) || isDate(value) || isPromise(value) || isBoxedPrimitive(value)
    || isAnyArrayBuffer(value) || isRegExp(value) || isNativeError(value) || isWeakMap(value) || isWeakSet(value)
    || isArgumentsObject(value) || isGeneratorObject(value) || isMapIterator(value) || isSetIterator(value)
    || isModuleNamespaceObject(value) || isExternal(value)
}

/**
 * Whether `prototype` is the intrinsic of that name, of this realm (by identity) or of another one. A foreign intrinsic and its
 * native constructor point at each other, and no source text of a program reads like the native one.
 */
function isGenuine(prototype: object | null, name: 'Object' | 'Array'): boolean {
  if (prototype === (name === 'Object' ? ObjectPrototype : ArrayPrototype)) return true
  if (prototype === null || isProxy(prototype) || isArray(prototype) !== (name === 'Array')) return false
  const maker = ownValue(prototype, 'constructor')
  if (typeof maker !== 'function' || isProxy(maker)) return false
  if (ownValue(maker, 'prototype') !== prototype || ownValue(maker, 'name') !== name) return false
  if (sourceOf(maker) !== `function ${name}() { [native code] }`) return false
  const parent = getPrototypeOf(prototype) as object | null
  return name === 'Object' ? parent === null : isGenuine(parent, 'Object')
}

function ownValue(object: object, key: string): unknown {
  const descriptor = getOwnPropertyDescriptor(object, key)
  return descriptor !== undefined && hasOwn(descriptor, 'value') ? descriptor.value : undefined
}

/** A property as it may cross, or the reason why it may not. `value` is meaningful when `detail` is null. */
export interface Slot { value: unknown, detail: string | null }

/** Reads own property `key` of an object into `slot`. */
export function readProperty(object: object, key: string, slot: Slot): void {
  const descriptor = getOwnPropertyDescriptor(object, key)
  if (descriptor === undefined || !hasOwn(descriptor, 'value')) slot.detail = 'an accessor property'
  else if (descriptor.enumerable !== true) slot.detail = 'a non-enumerable property'
  else {
    slot.value = descriptor.value
    slot.detail = null
  }
}

/** The same for a slot of an array that is there. Cheaper than a descriptor, of which a long array would need many. */
export function readSlot(array: readonly unknown[], index: number, slot: Slot): void {
  if (!isEnumerable(array, index)) slot.detail = 'a non-enumerable array index'
  else if (lookupGetter(array, index) !== undefined) slot.detail = 'an accessor property'
  else {
    // Without a getter this reads a stored value, or nothing when there is only a setter.
    slot.value = array[index]
    slot.detail = slot.value === undefined && lookupSetter(array, index) !== undefined ? 'an accessor property' : null
  }
}

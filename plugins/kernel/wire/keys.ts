// The keys of an object in an envelope: proven to be in own-key order and unique, once for all objects that repeat them.
import { addName, byteLength, hasName, isArrayIndex, names, ObjectPrototype } from './intrinsics.ts'
import { refuseEnvelope } from './refusal.ts'

export interface KeyList {
  readonly list: readonly string[]
  /** UTF-8 of all of them. */
  readonly bytes: number
  /** Whether none of them is known to `Object.prototype`, so that plain assignment makes an own property. */
  readonly ordinary: boolean
}

export const NO_KEYS: KeyList = { list: [], bytes: 0, ordinary: true }

/** Own-key order is: array indices, ascending, then all others; no key twice. */
export function proveKeys(list: readonly string[], index: number): KeyList {
  let bytes = 0
  let ordinary = true
  let last = -1
  let named = 0
  const seen = list.length > 8 ? names() : null
  for (let i = 0; i < list.length; i++) {
    const key = list[i]!
    bytes += byteLength(key)
    if (key in ObjectPrototype) ordinary = false
    if (!isArrayIndex(key)) {
      if (seen !== null ? hasName(seen, key) : isAmong(list, key, i - named, i)) refuseEnvelope(`$nodes[${index}].${key}`, 'a duplicate key')
      if (seen !== null) addName(seen, key)
      named++
    } else if (named > 0 || +key <= last) refuseEnvelope(`$nodes[${index}].${key}`, 'an index key out of order')
    else last = +key
  }
  return { list, bytes, ordinary }
}

function isAmong(list: readonly string[], key: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (list[i] === key) return true
  return false
}

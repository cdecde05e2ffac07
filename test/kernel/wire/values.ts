// Rows that several tests share: a value, and the envelope that it must have. Titles are the rows of contract section 2.
import { CODEC } from '../../../plugins/kernel/wire/index.ts'

export const envelope = (root: unknown, ...nodes: unknown[]) => ({ codec: CODEC, root, nodes })
export const ref = (index: number) => ({ tag: 'reference', index })
export const UNDEF = { tag: 'undefined' }
export const obj = (...entries: unknown[]) => ({ type: 'object', prototype: 'object', entries })
export const bare = (...entries: unknown[]) => ({ type: 'object', prototype: 'null', entries })
export const arr = (length: number, ...entries: unknown[]) => ({ type: 'array', length, entries })
export const tree = (...nodes: unknown[]) => envelope(ref(0), ...nodes)

export interface Row { readonly title: string, readonly value: unknown, readonly envelope: unknown }

function sparse(length: number, at: Record<number, unknown> = {}): unknown[] {
  const list: unknown[] = new Array(length)
  for (const [index, value] of Object.entries(at)) list[Number(index)] = value
  return list
}

const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic
const shared = { value: 7 }
const loop: unknown[] = []
loop.push(loop, [loop])

/** Every row round-trips. */
export const ROUND_TRIPS: readonly Row[] = [
  { title: '2.6 encode -0', value: -0, envelope: envelope({ tag: 'number', value: '-0' }) },
  { title: '2.6 encode {b:2,a:1}', value: { b: 2, a: 1 }, envelope: tree(obj(['b', 2], ['a', 1])) },
  {
    title: '2.6 encode {a:[1],b:{}}', value: { a: [1], b: {} },
    envelope: tree(obj(['a', ref(1)], ['b', ref(2)]), arr(1, [0, 1]), obj()),
  },
  { title: '2.6 encode sparse length 4 with index1 undefined', value: sparse(4, { 1: undefined }), envelope: tree(arr(4, [1, UNDEF])) },
  { title: '2.1 null', value: null, envelope: envelope(null) },
  { title: '2.1 boolean', value: true, envelope: envelope(true) },
  { title: '2.1 string', value: 'héllo', envelope: envelope('héllo') },
  { title: '2.1 empty string', value: '', envelope: envelope('') },
  { title: '2.1 lone surrogate', value: '\ud800', envelope: envelope('\ud800') },
  { title: '2.1 number', value: -1.5e300, envelope: envelope(-1.5e300) },
  { title: '2.1 zero', value: 0, envelope: envelope(0) },
  { title: '2.1 undefined', value: undefined, envelope: envelope(UNDEF) },
  { title: '2.1 NaN', value: NaN, envelope: envelope({ tag: 'number', value: 'nan' }) },
  { title: '2.1 +Inf', value: Infinity, envelope: envelope({ tag: 'number', value: 'infinity' }) },
  { title: '2.1 -Inf', value: -Infinity, envelope: envelope({ tag: 'number', value: '-infinity' }) },
  { title: '2.1 BigInt', value: -120n, envelope: envelope({ tag: 'bigint', value: '-120' }) },
  { title: '2.1 BigInt 0', value: 0n, envelope: envelope({ tag: 'bigint', value: '0' }) },
  { title: '2.1 prototype null', value: Object.assign(Object.create(null), { a: 1 }), envelope: tree(bare(['a', 1])) },
  { title: '2.1 empty array', value: [], envelope: tree(arr(0)) },
  { title: '2.1 holes only', value: sparse(3), envelope: tree(arr(3)) },
  { title: '2.1 integer keys first', value: { b: 1, 10: 2, 2: 3, '01': 4 }, envelope: tree(obj(['2', 3], ['10', 2], ['b', 1], ['01', 4])) },
  {
    title: '2.1 the largest index key, and the first that is none', value: { a: 1, 4294967295: 2, 4294967294: 3 },
    envelope: tree(obj(['4294967294', 3], ['a', 1], ['4294967295', 2])),
  },
  {
    title: '2.1 breadth-first numbers', value: [[['deep']], ['wide']],
    envelope: tree(arr(2, [0, ref(1)], [1, ref(2)]), arr(1, [0, ref(3)]), arr(1, [0, 'wide']), arr(1, [0, 'deep'])),
  },
  { title: '2.1 __proto__ as data', value: JSON.parse('{"__proto__":{"x":1}}'), envelope: tree(obj(['__proto__', ref(1)]), obj(['x', 1])) },
  {
    title: '2.1 names of Object.prototype as data', value: { constructor: 1, toString: 2, toJSON: 3 },
    envelope: tree(obj(['constructor', 1], ['toString', 2], ['toJSON', 3])),
  },
  { title: '2.1 keys like fields', value: { tag: 'reference', index: 0 }, envelope: tree(obj(['tag', 'reference'], ['index', 0])) },
  { title: '2.2 cycle', value: cyclic, envelope: tree(obj(['self', ref(0)])) },
  { title: '2.2 cycle through arrays', value: loop, envelope: tree(arr(2, [0, ref(0)], [1, ref(1)]), arr(1, [0, ref(0)])) },
  { title: '2.2 shared reference', value: [shared, shared], envelope: tree(arr(2, [0, ref(1)], [1, ref(1)]), obj(['value', 7])) },
  { title: '2.2 all specials in one array', value: [undefined, NaN, -0, 1n, null], envelope: tree(arr(5, [0, UNDEF], [1, { tag: 'number', value: 'nan' }], [2, { tag: 'number', value: '-0' }], [3, { tag: 'bigint', value: '1' }], [4, null])) },
  { title: '2.2 frozen objects', value: Object.freeze({ a: Object.freeze([1]) }), envelope: tree(obj(['a', ref(1)]), arr(1, [0, 1])) },
]

/** Structural sameness that also sees holes, -0, prototypes and which objects are shared. */
export function same(a: unknown, b: unknown, seen = new Map<object, object>()): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return Object.is(a, b)
  if (seen.has(a)) return seen.get(a) === b
  seen.set(a, b)
  if (Array.isArray(a) !== Array.isArray(b) || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  const keys = Reflect.ownKeys(a)
  const other = Reflect.ownKeys(b)
  return keys.length === other.length && keys.every((key, i) =>
    key === other[i] && same((a as Record<PropertyKey, unknown>)[key], (b as Record<PropertyKey, unknown>)[key], seen))
}

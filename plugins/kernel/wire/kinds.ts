// The closed table of what an envelope may be made of, and nothing else: every file of this folder walks these rows, and
// a row that one of them forgets does not compile. A new row is a new codec id (docs/reference/values.md).

/** Persistent since record version 11. Another name means other rows or another canonical form. */
export const CODEC = 'ptc-value-graph/v1'

export type Reference = { readonly tag: 'reference', readonly index: number }
export type SpecialNumber = 'nan' | 'infinity' | '-infinity' | '-0'
export type TaggedAtom =
  | { readonly tag: 'undefined' }
  | { readonly tag: 'number', readonly value: SpecialNumber }
  | { readonly tag: 'bigint', readonly value: string }
  | Reference
/** An untagged atom is itself; the number is finite and not -0. */
export type Atom = null | boolean | string | number | TaggedAtom

export type ObjectNode = { readonly type: 'object', readonly prototype: 'object' | 'null', readonly entries: (readonly [key: string, value: Atom])[] }
export type ArrayNode = { readonly type: 'array', readonly length: number, readonly entries: (readonly [index: number, value: Atom])[] }
export type Node = ObjectNode | ArrayNode

/** The fields of every tagged atom, in their one order. Null prototype: any text may be looked up. */
export const ATOM_FIELDS: { readonly [Tag in TaggedAtom['tag']]: readonly string[] } = {
  __proto__: null,
  undefined: ['tag'],
  number: ['tag', 'value'],
  bigint: ['tag', 'value'],
  reference: ['tag', 'index'],
} as never

/** The fields of every node, in their one order. */
export const NODE_FIELDS: { readonly [Type in Node['type']]: readonly string[] } = {
  __proto__: null,
  object: ['type', 'prototype', 'entries'],
  array: ['type', 'length', 'entries'],
} as never

/** The fields of the envelope itself, in their one order. */
export const ENVELOPE_FIELDS: readonly string[] = ['codec', 'root', 'nodes']

/** The numbers that JSON has no text for. */
export const SPECIAL_NUMBERS: { readonly [Name in SpecialNumber]: number } = {
  __proto__: null,
  nan: NaN,
  infinity: Infinity,
  '-infinity': -Infinity,
  '-0': -0,
} as never

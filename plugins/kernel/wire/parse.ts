// Reads an untrusted envelope into a graph, or refuses it. Everything is decided here, in one pass that reads each field once:
// shape, canonical form, reachability and budgets (V2). What is left to do with a graph can not fail.
import {
  append, charCodeAt, defineValue, hasOwn, isArray, isFinite, isInteger, isProxy, isSafeInteger, keys as ownKeys, plainLists, sameValue,
  surveyLists, toBigInt,
} from './intrinsics.ts'
import { NO_KEYS, proveKeys, type KeyList } from './keys.ts'
import { ATOM_FIELDS, CODEC, ENVELOPE_FIELDS, NODE_FIELDS, SPECIAL_NUMBERS, type SpecialNumber, type TaggedAtom } from './kinds.ts'
import { LONGEST_ARRAY, meter, parseLimits, type Meter, type ValueLimits } from './limits.ts'
import { refuseEnvelope } from './refusal.ts'

export interface GraphNode {
  readonly kind: 'object' | 'bare-object' | 'array'
  /** Of an array; 0 otherwise. */
  readonly length: number
  /** Of an object: its keys. */
  readonly keys: KeyList
  /** Of an array with holes: the indices that are there. Null when all are. */
  readonly indices: readonly number[] | null
  /** In entry order. An object among them is a node, everything else is itself. */
  readonly values: readonly unknown[]
}

/** A node that has been mentioned: its contents are known as soon as its turn comes. */
export interface Mention { readonly index: number, count: number }

export interface Graph {
  readonly limits: ValueLimits
  /** A primitive or a `Mention`, like every value of a node. */
  readonly root: unknown
  readonly nodes: readonly GraphNode[]
  readonly mentions: readonly Mention[]
  /** Whether the value is a tree of JSON: nothing shared, no hole, nothing that JSON has no text for. */
  readonly isTree: boolean
}

interface Parse {
  readonly meter: Meter
  readonly nodeCount: number
  /** In the order in which references must be written: the next new one has the number of their count. */
  readonly mentions: Mention[]
  /** Keys of the last object. Rows of a table repeat them, and what was proven once need not be proven again. */
  keys: KeyList
  isTree: boolean
  /** What `readAtom` answers when it finds nothing wrong. */
  value: unknown
}

export function parseEnvelope(envelope: unknown, limits?: Partial<ValueLimits>): Graph {
  const complete = parseLimits(limits)
  if (!isRecord(envelope) || !hasFields(envelope, ENVELOPE_FIELDS)) return refuseEnvelope('$', 'its fields are not codec, root, nodes')
  const { codec, root, nodes } = envelope
  if (codec !== CODEC) refuseEnvelope('$', `the codec is not ${CODEC}`)
  if (!isList(nodes)) return refuseEnvelope('$', 'nodes is not an array')
  if (nodes.length > complete.maxNodes) refuseEnvelope('$', `node budget exceeded, maxNodes is ${complete.maxNodes}`)
  if (nodes.length > 0) surveyLists()
  const parse: Parse = { meter: meter(complete), nodeCount: nodes.length, mentions: [], keys: NO_KEYS, isTree: true, value: undefined }
  check('$', readAtom(parse, root))
  const proven = parse.value
  const graph: GraphNode[] = []
  for (let index = 0; index < parse.nodeCount; index++) {
    if (index >= parse.mentions.length) refuseEnvelope(`$nodes[${index}]`, 'an unreachable node')
    append(graph, readNode(parse, nodes[index], index))
  }
  return { limits: complete, root: proven, nodes: graph, mentions: parse.mentions, isTree: parse.isTree }
}

function readNode(parse: Parse, value: unknown, index: number): GraphNode {
  if (!isRecord(value)) return refuseEnvelope(`$nodes[${index}]`, 'a node is not an object')
  const type = hasOwn(value, 'type') ? value.type : undefined
  if (type !== 'object' && type !== 'array') return refuseEnvelope(`$nodes[${index}]`, 'an unknown node type')
  if (!hasFields(value, NODE_FIELDS[type])) refuseEnvelope(`$nodes[${index}]`, `its fields are not those of type ${type}`)
  const entries = value.entries
  if (!isList(entries)) return refuseEnvelope(`$nodes[${index}]`, 'entries is not an array')
  check(`$nodes[${index}]`, parse.meter.edges(entries.length))
  return type === 'array' ? readArray(parse, value.length, entries, index) : readObject(parse, value.prototype, entries, index)
}

function readObject(parse: Parse, prototype: unknown, entries: unknown[], index: number): GraphNode {
  if (prototype !== 'object' && prototype !== 'null') refuseEnvelope(`$nodes[${index}]`, 'an unknown prototype')
  const { list } = parse.keys
  const values: unknown[] = []
  const fresh: string[] = []
  let repeats = list.length === entries.length
  for (let i = 0; i < entries.length; i++) {
    const entry = pair(entries[i], index, i)
    const key = entry[0]
    if (typeof key !== 'string') return refuseEnvelope(`$nodes[${index}][${i}]`, 'a key is not a string')
    if (repeats && key !== list[i]) {
      repeats = false
      for (let j = 0; j < i; j++) append(fresh, list[j]!)
    }
    if (!repeats) append(fresh, key)
    const detail = readAtom(parse, entry[1])
    if (detail !== null) refuseEnvelope(`$nodes[${index}].${key}`, detail)
    if (plainLists) values[i] = parse.value
    else defineValue(values, i, parse.value)
  }
  if (!repeats) parse.keys = proveKeys(fresh, index)
  check(`$nodes[${index}]`, parse.meter.bytes(parse.keys.bytes))
  return { kind: prototype === 'object' ? 'object' : 'bare-object', length: 0, keys: parse.keys, indices: null, values }
}

function readArray(parse: Parse, length: unknown, entries: unknown[], index: number): GraphNode {
  const place = `$nodes[${index}]`
  if (typeof length !== 'number' || !isInteger(length) || length < 0 || length > LONGEST_ARRAY || sameValue(length, -0)) {
    return refuseEnvelope(place, 'an invalid length')
  }
  check(place, parse.meter.array(length))
  const values: unknown[] = []
  const indices: number[] = []
  const full = entries.length === length
  if (!full) parse.isTree = false
  let last = -1
  for (let i = 0; i < entries.length; i++) {
    const entry = pair(entries[i], index, i)
    const position = entry[0]
    if (typeof position !== 'number' || !isInteger(position) || position <= last || position >= length || sameValue(position, -0)) {
      return refuseEnvelope(`$nodes[${index}][${i}]`, 'its index is not an integer between the one before and the length')
    }
    last = position
    if (!full) append(indices, position)
    const detail = readAtom(parse, entry[1])
    if (detail !== null) refuseEnvelope(`$nodes[${index}][${position}]`, detail)
    if (plainLists) values[i] = parse.value
    else defineValue(values, i, parse.value)
  }
  return { kind: 'array', length, keys: NO_KEYS, indices: full ? null : indices, values }
}

function pair(entry: unknown, index: number, position: number): readonly unknown[] {
  return isList(entry) && entry.length === 2 ? entry : refuseEnvelope(`$nodes[${index}][${position}]`, 'an entry is not a pair')
}

/** Puts what an atom stands for into `parse.value`, or answers why it stands for nothing. */
function readAtom(parse: Parse, value: unknown): string | null {
  parse.value = value
  switch (typeof value) {
    case 'boolean': return null
    case 'string': return parse.meter.text(value)
    case 'number': return isFinite(value) && !sameValue(value, -0) ? null : 'a number that JSON has no text for'
    case 'object': return value === null ? null : isRecord(value) ? readTagged(parse, value) : 'a list in place of an atom'
    default: return `a ${typeof value} in place of an atom`
  }
}

function readTagged(parse: Parse, atom: Record<string, unknown>): string | null {
  const tag = hasOwn(atom, 'tag') ? atom.tag : undefined
  if (typeof tag !== 'string' || !hasOwn(ATOM_FIELDS, tag)) return 'an unknown tag'
  if (!hasFields(atom, ATOM_FIELDS[tag as TaggedAtom['tag']])) return `its fields are not those of tag ${tag}`
  if (tag !== 'reference') parse.isTree = false
  switch (tag as TaggedAtom['tag']) {
    case 'reference': return readReference(parse, atom.index)
    case 'undefined':
      parse.value = undefined
      return null
    case 'number': return readSpecial(parse, atom.value)
    case 'bigint': return readBigInt(parse, atom.value)
  }
}

function readReference(parse: Parse, index: unknown): string | null {
  if (!isSafeInteger(index) || (index as number) < 0 || sameValue(index, -0)) return 'an invalid reference'
  if ((index as number) >= parse.nodeCount) return 'a dangling reference'
  if ((index as number) > parse.mentions.length) return 'a reference out of order'
  if (index === parse.mentions.length) append(parse.mentions, { index, count: 0 })
  else parse.isTree = false
  const mention = parse.mentions[index as number]!
  mention.count++
  parse.value = mention
  return null
}

function readSpecial(parse: Parse, value: unknown): string | null {
  if (typeof value !== 'string' || !hasOwn(SPECIAL_NUMBERS, value)) return 'an unknown number'
  parse.value = SPECIAL_NUMBERS[value as SpecialNumber]
  return null
}

function readBigInt(parse: Parse, value: unknown): string | null {
  if (typeof value !== 'string') return 'a BigInt that is not a text'
  const start = value.length > 0 && charCodeAt(value, 0) === 45 ? 1 : 0
  const over = parse.meter.digits(value.length - start)
  if (over !== null) return over
  if (!isCanonicalInteger(value, start)) return 'a BigInt that is not canonical'
  parse.value = toBigInt(value)
  return null
}

function isCanonicalInteger(text: string, start: number): boolean {
  if (text.length === start) return false
  if (charCodeAt(text, start) === 48) return text.length === 1
  for (let i = start; i < text.length; i++) {
    const digit = charCodeAt(text, i) - 48
    if (digit < 0 || digit > 9) return false
  }
  return true
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !isProxy(value) && !isArray(value)
}

function isList(value: unknown): value is unknown[] {
  return isArray(value) && !isProxy(value)
}

/** Exactly these fields, in this order: another order would be a second text for the same value. */
function hasFields(value: object, fields: readonly string[]): boolean {
  const own = ownKeys(value)
  if (own.length !== fields.length) return false
  for (let i = 0; i < fields.length; i++) if (own[i] !== fields[i]) return false
  return true
}

function check(place: string, detail: string | null): void {
  if (detail !== null) refuseEnvelope(place, detail)
}

// Value to envelope. Nodes are numbered breadth first, in the order in which references to them are written, so that a graph has
// exactly one envelope (V1). Iterative: the depth of a value costs no stack.
import type { Envelope } from '../../journal/types.ts'
import { classify, readProperty, readSlot, type Slot } from './classify.ts'
import {
  append, defineValue, getOwnPropertyNames, isArrayIndex, isFinite, numberOf, numbering, plainLists, radixText, sameValue, setNumber,
  surveyLists, type Numbering,
} from './intrinsics.ts'
import { CODEC, type Atom, type Node } from './kinds.ts'
import { meter, parseLimits, type Meter, type ValueLimits } from './limits.ts'
import { pathOf, refuseValue } from './refusal.ts'

/** The work of one call: the nodes found so far, in number order, each with the place where it was found first. */
interface Walk {
  readonly meter: Meter
  readonly limits: ValueLimits
  readonly numbers: Numbering
  readonly found: object[]
  readonly parents: number[]
  readonly keys: (string | number)[]
}

/** Throws a TypeError that names the first part of the value that can not cross, or the limit that it exceeds. */
export function encode(value: unknown, limits?: Partial<ValueLimits>): Envelope {
  const complete = parseLimits(limits)
  if (typeof value === 'object' && value !== null) surveyLists()
  const walk: Walk = { meter: meter(complete), limits: complete, numbers: numbering(), found: [], parents: [], keys: [] }
  const root = atom(walk, value, -1, '')
  const nodes: Node[] = []
  for (let index = 0; index < walk.found.length; index++) append(nodes, node(walk, walk.found[index]!, index))
  return { codec: CODEC, root, nodes }
}

function node(walk: Walk, value: object, index: number): Node {
  const shape = classify(value)
  if (shape.kind === 'refused') return refuseAt(walk, index, undefined, shape.detail)
  return shape.kind === 'array'
    ? arrayNode(walk, value as unknown[], shape.length, index)
    : objectNode(walk, value, shape.prototype, shape.names, index)
}

function objectNode(walk: Walk, value: object, prototype: 'object' | 'null', names: string[], index: number): Node {
  const count = names.length
  check(walk, index, undefined, walk.meter.edges(count))
  const entries: [string, Atom][] = []
  const slot: Slot = { value: undefined, detail: null }
  for (let i = 0; i < count; i++) {
    const key = names[i]!
    readProperty(value, key, slot)
    check(walk, index, key, slot.detail)
    check(walk, index, key, walk.meter.text(key))
    const entry: [string, Atom] = [key, atom(walk, slot.value, index, key)]
    if (plainLists) entries[i] = entry
    else defineValue(entries, i, entry)
  }
  return { type: 'object', prototype, entries }
}

function arrayNode(walk: Walk, value: unknown[], length: number, index: number): Node {
  check(walk, index, undefined, walk.meter.array(length))
  const names = getOwnPropertyNames(value)
  // Own names are the indices that are there, ascending, then `length`, then whatever does not belong on an array.
  let count = names.length - 1
  while (count >= 0 && !isArrayIndex(names[count]!)) count--
  count++
  if (names.length > count + 1) {
    const extra = names[count] === 'length' ? names[count + 1]! : names[count]!
    refuseAt(walk, index, extra, 'an array with a property that is not an index')
  }
  check(walk, index, undefined, walk.meter.edges(count))
  const entries: [number, Atom][] = []
  const slot: Slot = { value: undefined, detail: null }
  for (let i = 0; i < count; i++) {
    const position = count === length ? i : +names[i]!
    readSlot(value, position, slot)
    check(walk, index, position, slot.detail)
    const entry: [number, Atom] = [position, atom(walk, slot.value, index, position)]
    if (plainLists) entries[i] = entry
    else defineValue(entries, i, entry)
  }
  return { type: 'array', length, entries }
}

function atom(walk: Walk, value: unknown, parent: number, key: string | number): Atom {
  switch (typeof value) {
    case 'boolean': return value
    case 'number': return number(value)
    case 'undefined': return { tag: 'undefined' }
    case 'string':
      check(walk, parent, key, walk.meter.text(value))
      return value
    case 'bigint': return { tag: 'bigint', value: decimal(walk, value, parent, key) }
    case 'object': return value === null ? null : { tag: 'reference', index: numberFor(walk, value, parent, key) }
    default: return refuseAt(walk, parent, key, `a ${typeof value}`)
  }
}

function number(value: number): Atom {
  if (isFinite(value)) return sameValue(value, -0) ? { tag: 'number', value: '-0' } : value
  if (value === Infinity) return { tag: 'number', value: 'infinity' }
  return { tag: 'number', value: value === -Infinity ? '-infinity' : 'nan' }
}

function decimal(walk: Walk, value: bigint, parent: number, key: string | number): string {
  // A hexadecimal digit is worth more than 1.2 decimal ones, and hexadecimal text costs linear time.
  const hexDigits = radixText(value, 16).length - (value < 0n ? 1 : 0)
  if ((hexDigits - 1) * 1.2 > walk.limits.maxBigIntDigits) check(walk, parent, key, walk.meter.digits(walk.limits.maxBigIntDigits + 1))
  const text = radixText(value, 10)
  check(walk, parent, key, walk.meter.digits(value < 0n ? text.length - 1 : text.length))
  return text
}

function numberFor(walk: Walk, value: object, parent: number, key: string | number): number {
  const known = numberOf(walk.numbers, value)
  if (known !== undefined) return known
  check(walk, parent, key, walk.meter.node())
  const index = walk.found.length
  setNumber(walk.numbers, value, index)
  append(walk.found, value)
  append(walk.parents, parent)
  append(walk.keys, key)
  return index
}

function check(walk: Walk, index: number, key: string | number | undefined, detail: string | null): void {
  if (detail !== null) refuseAt(walk, index, key, detail)
}

function refuseAt(walk: Walk, index: number, key: string | number | undefined, detail: string): never {
  refuseValue(pathTo(walk, index, key), detail)
}

/** The path of node `index`, or of its entry `key`. Node -1 stands for the place of the root. */
function pathTo(walk: Walk, index: number, key?: string | number): string {
  if (index < 0) return '$'
  const steps: (string | number)[] = []
  if (key !== undefined) append(steps, key)
  for (let at = index; walk.parents[at]! >= 0; at = walk.parents[at]!) append(steps, walk.keys[at]!)
  let path = '$'
  for (let i = steps.length - 1; i >= 0; i--) path = pathOf(path, steps[i]!)
  return path
}

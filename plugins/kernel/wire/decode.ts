// Envelope to value. Properties become ordinary data properties, also `__proto__`, and no setter on a prototype is ever met.
import { append, defineSlot, defineValue, holes, ObjectPrototype, plainLists } from './intrinsics.ts'
import type { ValueLimits } from './limits.ts'
import { parseEnvelope, type Graph, type GraphNode, type Mention } from './parse.ts'

/** Throws a TypeError for everything that `encode` would not have written, before any part of the value is made. */
export function decode(envelope: unknown, limits?: Partial<ValueLimits>): unknown {
  return build(parseEnvelope(envelope, limits))
}

/** Makes the value of a graph: first all nodes, then their contents, so that cycles need no order. */
export function build(graph: Graph): unknown {
  const made: object[] = []
  for (let i = 0; i < graph.nodes.length; i++) append(made, empty(graph.nodes[i]!))
  for (let i = 0; i < graph.nodes.length; i++) {
    const node = graph.nodes[i]!
    if (node.kind === 'array') fillArray(made[i] as unknown[], node, made)
    else fillObject(made[i] as Record<string, unknown>, node, made)
  }
  return resolve(graph.root, made)
}

function resolve(value: unknown, made: readonly object[]): unknown {
  return typeof value === 'object' && value !== null ? made[(value as Mention).index] : value
}

function empty(node: GraphNode): object {
  if (node.kind === 'object') return {}
  if (node.kind === 'bare-object') return { __proto__: null } as unknown as object
  // A full array grows as it is filled, which keeps its elements packed.
  return node.indices === null ? [] : holes(node.length)
}

function fillObject(target: Record<string, unknown>, node: GraphNode, made: readonly object[]): void {
  const { list, ordinary } = node.keys
  const direct = ordinary || node.kind === 'bare-object'
  for (let i = 0; i < list.length; i++) {
    const key = list[i]!
    const value = resolve(node.values[i], made)
    if (direct || !(key in ObjectPrototype)) target[key] = value
    else defineValue(target, key, value)
  }
}

function fillArray(target: unknown[], node: GraphNode, made: readonly object[]): void {
  const { indices, values } = node
  for (let i = 0; i < values.length; i++) {
    const value = resolve(values[i], made)
    if (indices !== null) defineSlot(target, indices[i]!, value)
    else if (plainLists) target[i] = value
    else defineValue(target, i, value)
  }
}

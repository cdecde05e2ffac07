// What a reader of a result is shown: the value itself when it is a plain JSON tree, otherwise one deterministic text
// in the notation of the language.
import { append, byteLength, charCodeAt, defineSlot, sameValue, stringify, typeError } from './intrinsics.ts'
import { build } from './decode.ts'
import type { ValueLimits } from './limits.ts'
import { parseEnvelope, type Graph, type GraphNode, type Mention } from './parse.ts'

export type Projection = { readonly value: unknown } | { readonly text: string }

/** Throws a TypeError for an envelope that is not valid, and for a text beyond `maxStringBytes`. */
export function project(envelope: unknown, limits?: Partial<ValueLimits>): Projection {
  const graph = parseEnvelope(envelope, limits)
  return graph.isTree ? { value: build(graph) } : { text: render(graph) }
}

/** What has been written of a node. */
const NOTHING = 0
const BEGINNING = 1
const ALL = 2

/** A node whose text has begun, and how far it got. `slot` counts the slots of an array, there or not. */
interface Open { readonly index: number, readonly node: GraphNode, entry: number, slot: number }

interface Text {
  readonly graph: Graph
  /** The number by which later mentions call a node; 0 for a node that is mentioned once. */
  readonly labels: readonly number[]
  readonly states: number[]
  readonly stack: Open[]
  depth: number
  bytes: number
  written: string
}

function render(graph: Graph): string {
  const text: Text = { graph, labels: labelsOf(graph.mentions), states: [], stack: [], depth: 0, bytes: 0, written: '' }
  for (let i = 0; i < graph.nodes.length; i++) append(text.states, NOTHING)
  mention(text, graph.root)
  while (text.depth > 0) {
    const open = text.stack[text.depth - 1]!
    if (open.node.kind === 'array') continueArray(text, open)
    else continueObject(text, open)
  }
  return text.written
}

/** Numbers the nodes that are mentioned more than once, in node order. */
function labelsOf(mentions: readonly Mention[]): number[] {
  const labels: number[] = []
  let last = 0
  for (let i = 0; i < mentions.length; i++) append(labels, mentions[i]!.count > 1 ? ++last : 0)
  return labels
}

function mention(text: Text, value: unknown): void {
  if (typeof value !== 'object' || value === null) return write(text, primitiveText(value))
  const { index } = value as Mention
  const label = text.labels[index]!
  if (text.states[index] !== NOTHING) return write(text, `[${text.states[index] === ALL ? 'Reference' : 'Circular'} *${label}]`)
  const node = text.graph.nodes[index]!
  write(text, `${label > 0 ? `<ref *${label}> ` : ''}${node.kind === 'array' ? '[' : '{'}`)
  text.states[index] = BEGINNING
  defineSlot(text.stack, text.depth++, { index, node, entry: 0, slot: 0 } satisfies Open)
}

function continueObject(text: Text, open: Open): void {
  const { keys, values } = open.node
  const entry = open.entry++
  if (entry === values.length) return finish(text, open, '}')
  const key = keys.list[entry]!
  write(text, `${entry > 0 ? ', ' : ''}${isBareKey(key) ? key : stringify(key)}: `)
  mention(text, values[entry])
}

function continueArray(text: Text, open: Open): void {
  const { indices, values, length } = open.node
  const slot = open.slot++
  // Like in a literal, a hole at the end needs a comma of its own.
  if (slot === length) return finish(text, open, length > 0 && !endsFull(open.node) ? ',]' : ']')
  if (slot > 0) write(text, ', ')
  if (indices === null || indices[open.entry] === slot) mention(text, values[open.entry++])
}

/** Whether the last slot of an array holds something. */
function endsFull({ indices, length }: GraphNode): boolean {
  return indices === null || (indices.length > 0 && indices[indices.length - 1] === length - 1)
}

function finish(text: Text, open: Open, bracket: string): void {
  write(text, bracket)
  text.states[open.index] = ALL
  text.depth--
}

function write(text: Text, part: string): void {
  text.bytes += byteLength(part)
  const { maxStringBytes } = text.graph.limits
  if (text.bytes > maxStringBytes) throw typeError(`$ has no PTC Value V1 text: string budget exceeded, maxStringBytes is ${maxStringBytes}`)
  text.written += part
}

function primitiveText(value: unknown): string {
  switch (typeof value) {
    case 'string': return stringify(value)
    case 'bigint': return `${value}n`
    case 'number': return sameValue(value, -0) ? '-0' : `${value}`
    default: return `${value as null | undefined | boolean}`
  }
}

/** `[A-Za-z_$][A-Za-z0-9_$]*` */
function isBareKey(key: string): boolean {
  for (let i = 0; i < key.length; i++) {
    const code = charCodeAt(key, i)
    const letter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36
    if (!letter && (i === 0 || code < 48 || code > 57)) return false
  }
  return key.length > 0
}

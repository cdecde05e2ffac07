// Rebuilds every message that arrives from a worker, field by field, before host code looks at it (W1). A worker runs code
// that nobody vouches for, so nothing it sends is used as it came; envelopes stay opaque and are checked when they are opened.
import type { AmbientRead, Envelope, FailureKind, RecordedError, RecordedWake } from '../../journal/types.ts'
import type { CellPosition, FromWorker, WorkerCompletion } from './messages.ts'

type Fields = { readonly [key: string]: unknown }

class Refusal extends Error {}

const fields = (value: unknown): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal('not an object')
  return value as Fields
}
const text = (value: unknown): string => {
  if (typeof value !== 'string') throw new Refusal('not a string')
  return value
}
const index = (value: unknown): number => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Refusal('not an index')
  return value as number
}
const list = <T>(value: unknown, each: (item: unknown) => T): T[] => {
  if (!Array.isArray(value)) throw new Refusal('not a list')
  return value.map(each)
}
const envelope = (value: unknown): Envelope => {
  const { codec, root, nodes } = fields(value)
  return { codec: text(codec), root, nodes: list(nodes, (node) => node) }
}

const THROWN: readonly string[] = ['exception', 'invalid-output'] satisfies FailureKind[]

const error = (value: unknown): RecordedError => {
  const { kind, name, message } = fields(value)
  if (!THROWN.includes(text(kind))) throw new Refusal('not a kind of a thrown error')
  return { kind: kind as FailureKind, ...name === undefined ? {} : { name: text(name) }, message: text(message) }
}
const position = (value: unknown): CellPosition => {
  const { cell, line, column } = fields(value)
  return { cell: index(cell), line: index(line), column: index(column) }
}
const completion = (value: unknown): WorkerCompletion => {
  const { kind, hasValue, value: returned, error: thrown, at, withheld } = fields(value)
  if (kind === 'throw') return { kind, error: error(thrown), ...at === undefined ? {} : { at: position(at) } }
  if (kind !== 'return') throw new Refusal('not a completion')
  if (hasValue === true) return { kind, hasValue, value: envelope(returned) }
  return { kind, hasValue: false, ...withheld === undefined ? {} : { withheld: text(withheld) } }
}
const wake = (value: unknown): RecordedWake => {
  const { timer, settle, of, early } = fields(value)
  return { timer: index(timer), settle: index(settle), ...of === undefined ? {} : { of: index(of) }, ...early === true ? { early } : {} }
}
const ambient = (value: unknown): AmbientRead => {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) throw new Refusal('not an ambient read')
  return value.length === 2 ? [text(value[0]), value[1]] : [text(value[0]), value[1], index(value[2])]
}

/** One row per message: a message without a row does not compile, one without a known type is refused. */
const rows: { readonly [T in FromWorker['type']]: (message: Fields) => Extract<FromWorker, { type: T }> } = {
  ready: () => ({ type: 'ready' }),
  stirred: () => ({ type: 'stirred' }),
  call: ({ cell, call, global, member, args }) => ({
    type: 'call', cell: index(cell), call: index(call), global: text(global), member: text(member), args: envelope(args),
  }),
  output: ({ cell, channel, text: written, isReport }) => ({
    type: 'output', cell: index(cell), channel: channel === 'stderr' ? 'stderr' : 'stdout', text: text(written),
    ...isReport === true ? { isReport } : {},
  }),
  volatile: ({ cell, reason }) => ({ type: 'volatile', cell: index(cell), reason: text(reason).replace(/\s+/gu, ' ').slice(0, 200) }),
  done: ({ cell, completion: outcome, settles, wakes, ambient: reads, divergence }) => ({
    type: 'done', cell: index(cell), completion: completion(outcome), settles: list(settles, index),
    wakes: list(wakes, wake), ambient: list(reads, ambient),
    ...divergence === undefined ? {} : { divergence: text(divergence) },
  }),
  completed: ({ id, names }) => ({
    type: 'completed', id: index(id),
    names: list(names, (item) => { const { name, kind } = fields(item); return { name: text(name), kind: text(kind) } }),
  }),
}

/** The message rebuilt, or what is wrong with it. */
export function parseFromWorker(message: unknown): FromWorker | { readonly refused: string } {
  try {
    const given = fields(message)
    const type = text(given.type)
    if (!Object.hasOwn(rows, type)) return { refused: `unknown message ${JSON.stringify(type.slice(0, 40))}` }
    return rows[type as FromWorker['type']](given)
  } catch (problem) {
    if (problem instanceof Refusal) return { refused: `malformed message: ${problem.message}` }
    throw problem
  }
}

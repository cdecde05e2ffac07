// Rebuilds every message that arrives from a worker or its helper, field by field, before host code looks at it (W1). A helper runs
// no user code, but its channel is a descriptor like others, that a program can write to. A worker runs code
// that nobody vouches for, so nothing it sends is used as it came; envelopes stay opaque and are checked when they are opened.
import type { AmbientRead, Envelope, FailureKind, RecordedError, RecordedWake } from '../../journal/types.ts'
import type { Rejection } from '../compile/types.ts'
import type { CellPosition, FromHelper, FromWorker, WorkerCompletion } from './messages.ts'

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
  const { kind, hasValue, value: returned, error: thrown, at, withheld, origin } = fields(value)
  if (kind === 'throw') {
    if (origin !== undefined && origin !== 'lease' && origin !== 'capability') throw new Refusal('not an origin')
    return { kind, error: error(thrown), ...at === undefined ? {} : { at: position(at) }, ...origin === undefined ? {} : { origin } }
  }
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
  done: ({ cell, isFenced, completion: outcome, settles, wakes, ambient: reads, divergence }) => ({
    type: 'done', cell: index(cell), isFenced: isFenced === true, completion: completion(outcome), settles: list(settles, index),
    wakes: list(wakes, wake), ambient: list(reads, ambient),
    ...divergence === undefined ? {} : { divergence: text(divergence) },
  }),
  observed: ({ id, values }) => ({
    type: 'observed', id: index(id),
    values: list(values, (item) => {
      const { name, status, text: shown, truncated } = fields(item)
      return { name: text(name), status: status === 'readable' ? 'readable' as const : 'unreadable' as const, text: text(shown).slice(0, 512), truncated: truncated === true }
    }).slice(0, 128),
  }),
  completed: ({ id, names }) => ({
    type: 'completed', id: index(id),
    names: list(names, (item) => { const { name, kind } = fields(item); return { name: text(name), kind: text(kind) } }),
  }),
}

const oneLine = (value: unknown): string => text(value).replace(/\s+/gu, ' ').slice(0, 2_000)
/** Compiled by our own thread or forged: only what a rejection can have is kept, as what it can be. */
const rejection = (value: unknown): Rejection => {
  const { error: thrown, diagnostic, repair } = fields(value)
  const { name, message } = fields(thrown)
  return {
    kind: 'rejected', error: { name: text(name), message: text(message) }, diagnostic: parsedDiagnostic(fields(diagnostic)),
    ...repair === undefined ? {} : { repair: parsedRepair(fields(repair)) },
  }
}
const parsedRepair = ({ anchor, suffix }: Fields) => {
  if (!/^[^]{1,256}$/.test(text(anchor)) || !/^[})\]]{1,2}$/.test(text(suffix))) throw new Refusal('not a repair')
  return { anchor: text(anchor), suffix: text(suffix) }
}
const place = (value: unknown) => {
  const { line, column } = fields(value)
  return { line: Math.max(1, index(line)), column: Math.max(1, index(column)) }
}

function parsedDiagnostic({ code, severity, phase, message, stateEffect, source, help, collisions }: Fields): Rejection['diagnostic'] {
  if (severity !== 'error' || (phase !== 'parse' && phase !== 'preflight') || stateEffect !== 'unchanged') throw new Refusal('not a refusal')
  if (!/^[A-Z][A-Z0-9-]{2,31}$/u.test(text(code))) throw new Refusal('not a code')
  return {
    code: text(code), severity, phase, message: oneLine(message), stateEffect,
    ...source === undefined ? {} : { source: parsedSource(fields(source)) },
    ...help === undefined ? {} : { help: list(help, oneLine).slice(0, 3) },
    ...collisions === undefined ? {} : { collisions: list(collisions, (item) => {
      const { name, kind, reason, start, end } = fields(item)
      return { name: text(name), kind: text(kind), reason: text(reason), start: place(start), ...end === undefined ? {} : { end: place(end) } }
    }) },
  }
}

function parsedSource({ cell, start, end }: Fields): { cell: string, start: { line: number, column: number }, end?: { line: number, column: number } } {
  return { cell: text(cell), start: place(start), ...end === undefined ? {} : { end: place(end) } }
}

const duration = (value: unknown): number => {
  if (typeof value !== 'number' || !(value >= 0)) throw new Refusal('not a time')
  return value
}

const helperRows: { readonly [T in FromHelper['type']]: (message: Fields) => Extract<FromHelper, { type: T }> } = {
  'rejected': ({ cell, rejection: refused }) => ({ type: 'rejected', cell: index(cell), rejection: rejection(refused) }),
  'started': ({ cell, activeMs }) => ({ type: 'started', cell: index(cell), activeMs: duration(activeMs) }),
  'sampled': ({ id, activeMs }) => ({ type: 'sampled', id: index(id), activeMs: duration(activeMs) }),
  'edited': ({ id, edited }) => {
    const { source, refused } = fields(edited)
    return { type: 'edited', id: index(id), edited: refused === undefined ? { source: text(source) } : { refused: oneLine(refused) } }
  },
  'entered': ({ id, refusal }) => ({ type: 'entered', id: index(id), ...refusal === undefined ? {} : { refusal: oneLine(refusal) } }),
  'overflow': ({ cell }) => ({ type: 'overflow', cell: index(cell) }),
  'worker-ended': ({ reason }) => ({ type: 'worker-ended', reason: oneLine(reason) }),
}

type Row<M> = { readonly [type: string]: (message: Fields) => M }

/** The message rebuilt, or what is wrong with it. */
function parse<M>(table: Row<M>, message: unknown): M | { readonly refused: string } {
  try {
    const given = fields(message)
    const type = text(given.type)
    if (!Object.hasOwn(table, type)) return { refused: `unknown message ${JSON.stringify(type.slice(0, 40))}` }
    return table[type]!(given)
  } catch (problem) {
    if (problem instanceof Refusal) return { refused: `malformed message: ${problem.message}` }
    throw problem
  }
}

export const parseFromWorker = (message: unknown) => parse(rows as Row<FromWorker>, message)
export const parseFromHelper = (message: unknown) => parse(helperRows as Row<FromHelper>, message)

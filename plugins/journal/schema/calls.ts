// The parts of a record that tell what a program did and how it ended: calls, wakes, ambient reads, state operations and
// the completion. Value envelopes are looked at from outside only.
import type {
  AmbientRead, Completion, Envelope, FailureKind, RecordedCall, RecordedError, RecordedWake, StateOperation,
} from '../types.ts'
import { closed, integer, json, label, list, literal, matching, object, oneOf, refuse, text } from './closed.ts'
import type { Parse } from './closed.ts'

/** The nodes are shared with the input: the envelope is opaque here, and nobody writes to one. */
export const envelope = closed<Envelope>({
  codec: literal('ptc-value-graph/v1'),
  root: (value) => value,
  nodes: (value) => Array.isArray(value) ? value as readonly unknown[] : refuse('is not a list'),
}, {})

type Arm<T, K extends string, V> = Extract<T, { readonly [key in K]: V }>

const callError = closed<{ readonly name: string, readonly message: string }>({ name: text, message: text }, {})
const place = { global: label, member: label, args: envelope, settle: integer(0) }
const answered = closed<Arm<RecordedCall, 'ok', true>>({ ...place, ok: literal(true), value: envelope }, {})
const failed = closed<Arm<RecordedCall, 'ok', false>>({ ...place, ok: literal(false), error: callError }, {})
const call: Parse<RecordedCall> = (value) => object(value).ok === true ? answered(value) : failed(value)

export const calls: Parse<RecordedCall[]> = list(call)
export const wakes: Parse<RecordedWake[]> = list(closed<RecordedWake>({ timer: integer(0), settle: integer(0) }, { of: integer(1), early: literal(true) }))

/** J4: calls and wakes settle in one sequence, 0 to n-1, each position once; early wakes come before everything else. */
export function checkSettleOrder(made: readonly RecordedCall[], fired: readonly RecordedWake[]): void {
  const total = made.length + fired.length
  const seen = new Uint8Array(total)
  for (const list of [made, fired]) {
    for (const { settle } of list) {
      if (settle >= total || seen[settle] === 1) refuse(`settle positions are not exactly 0 to ${total - 1}`)
      seen[settle] = 1
    }
  }
  const early = fired.filter((wake) => wake.early === true)
  if (early.some(({ settle }) => settle >= early.length)) refuse('an early wake settles after something of the cell itself')
}

export const ambient: Parse<AmbientRead[]> = list((value) => {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) refuse('is not a source, a value and at most how often')
  const [source, read, times] = value as unknown[]
  return value.length === 2 ? [label(source), json(read)] as const : [label(source), json(read), integer(2)(times)] as const
})

/** Since version 1; stored in histories and typed by people, so it can only ever grow. */
const checkpointName = matching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'a checkpoint name')

const operation: Parse<StateOperation> = (value) => {
  const parsed = closed<StateOperation>({ action: oneOf('save', 'restore', 'delete') }, { name: checkpointName })(value)
  return parsed.name === undefined && parsed.action !== 'restore' ? refuse('needs a name') : parsed
}

export const operations: Parse<StateOperation[]> = list(operation)

const FAILURES: { readonly [K in FailureKind]: true } = {
  'exception': true, 'timeout': true, 'abort': true, 'worker-exit': true, 'invalid-output': true, 'output-limit': true,
  'recovery': true, 'budget-unavailable': true, 'protocol': true,
}

const failure = closed<RecordedError>({
  kind: oneOf(...Object.keys(FAILURES) as FailureKind[]),
  message: text,
}, { name: text })

const thrown = closed<Arm<Completion, 'kind', 'throw'>>({ kind: literal('throw'), error: failure }, {})
const nothing = closed<Arm<Completion, 'hasValue', false>>({ kind: literal('return'), hasValue: literal(false) }, {})
const returned = closed<Arm<Completion, 'hasValue', true>>({
  kind: literal('return'), hasValue: literal(true), value: envelope,
}, {})

export const completion: Parse<Completion> = (value) => {
  const { kind, hasValue } = object(value)
  if (kind === 'throw') return thrown(value)
  return hasValue === true ? returned(value) : nothing(value)
}

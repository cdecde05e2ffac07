// The closed diagnostic record (contract 10), read from untrusted input. Its rendering is not here.
import type { Diagnostic, SourcePosition } from '../types.ts'
import { closed, fieldsOf, integer, label, line, list, matching, oneOf, refuse } from './closed.ts'
import type { Parse } from './closed.ts'

/** Diagnostics in one chain of causes, the outermost included. */
const DEEPEST_CAUSE = 16
const MOST_HELP = 3

type Source = NonNullable<Diagnostic['source']>
type Collision = NonNullable<Diagnostic['collisions']>[number]
type PlainCause = { readonly code?: string, readonly message: string }

const position = closed<SourcePosition>({ line: integer(1), column: integer(1) }, {})

function inOrder<T extends { readonly start: SourcePosition, readonly end?: SourcePosition }>(span: T): T {
  const { start, end } = span
  if (end && (end.line < start.line || (end.line === start.line && end.column < start.column))) {
    refuse('ends before it starts')
  }
  return span
}

const source = closed<Source>({ cell: label, start: position }, { end: position })
const collision = closed<Collision>({ name: label, kind: label, reason: label, start: position }, { end: position })
const plainCause = closed<PlainCause>({ message: line }, { code: label })

const collisions: Parse<Collision[]> = (value) => {
  const found = list((item) => inOrder(collision(item)))(value)
  return found.length > 0 ? found : refuse('is empty')
}

const help: Parse<string[]> = (value) => {
  const lines = list(line)(value)
  return lines.length <= MOST_HELP ? lines : refuse(`has more than ${MOST_HELP} lines`)
}

/** One parser for each depth, built when a chain gets that deep. */
function diagnosticAt(depth: number): Parse<Diagnostic> {
  let deeper: Parse<Diagnostic> | undefined
  const cause = (value: unknown): PlainCause | Diagnostic => {
    if (!Object.hasOwn(fieldsOf(value), 'severity')) return plainCause(value)
    if (depth >= DEEPEST_CAUSE) refuse(`nests deeper than ${DEEPEST_CAUSE}`)
    deeper ??= diagnosticAt(depth + 1)
    return deeper(value)
  }
  return closed<Diagnostic>({
    code: matching(/^[A-Z][A-Z0-9-]{2,31}$/, 'a diagnostic code'),
    severity: oneOf('error', 'warning', 'note'),
    phase: oneOf('parse', 'preflight', 'execute', 'tool-dispatch', 'replay', 'recover'),
    message: line,
    stateEffect: oneOf('unchanged', 'partially-applied', 'rolled-back', 'unknown'),
  }, {
    dispatchState: oneOf('not-dispatched', 'dispatched', 'completed', 'unknown'),
    source: (value) => inOrder(source(value)),
    cause,
    collisions,
    help,
  })
}

export const diagnostic: Parse<Diagnostic> = diagnosticAt(1)

// Turns what became of a cell into its record and its result. Pure: the same outcome always reads the same.
import type { CellRecord, Completion, Diagnostic, LanguageSemantics, RecordedCall, RecordedError } from '../../../journal/types.ts'
import type { CellResult, LogEntry } from '../../types.ts'
import { project } from '../../wire/index.ts'
import { endedCell, failedCell, lateOutput, unstartedCell, withheldValue } from '../diagnostics.ts'
import type { ErrorOrigin } from '../../protocol/messages.ts'
import type { Outcome } from './execution.ts'
import type { StateOperations } from './state-operations.ts'
import type { ValueLimits } from '../../wire/limits.ts'

/** What is known about a cell before it runs. */
export interface CellFacts {
  readonly number: number
  readonly cwd: string
  readonly languageSemantics: LanguageSemantics
  readonly moduleTransform: string
  readonly namespaces: readonly string[]
  /** Earlier submissions that never ran, which this record says. */
  readonly confirms: readonly number[]
}

export interface Settled {
  readonly record: CellRecord
  readonly error: RecordedError | undefined
  /** Of an error that the kernel made. */
  readonly origin?: ErrorOrigin
  readonly diagnostics: readonly Diagnostic[]
}

type Part = Pick<CellRecord, 'status'> & Partial<CellRecord>

function recordOf({ cwd, languageSemantics, moduleTransform, namespaces, confirms }: CellFacts, part: Part): CellRecord {
  return {
    version: 11, languageSemantics, moduleTransform, cwd, namespaces: [...namespaces].sort(), userBindingsFingerprint: null, userBindingNames: null,
    calls: [], wakes: [], ambient: [], operations: [], confirms, diagnostics: [], ...part,
  }
}

/** A cell that never ran. */
export function settleNoop(facts: CellFacts, error: RecordedError, diagnostics: readonly Diagnostic[]): Settled {
  return { record: recordOf(facts, { status: 'noop', diagnostics }), error, diagnostics }
}

/** `calls` are the recorded calls, `sessionVolatile` the reason for which the live session can not be replayed any more. */
export function settle(
  facts: CellFacts, outcome: Outcome, calls: readonly RecordedCall[], sessionVolatile: string | undefined, before: readonly Diagnostic[], operations: StateOperations,
): Settled {
  if (outcome.kind === 'rejected') {
    const { diagnostic, error } = outcome.rejection
    return settleNoop(facts, { kind: 'exception', ...error }, [...before, diagnostic])
  }
  if (outcome.kind === 'unstarted') {
    const { error } = outcome
    return settleNoop(facts, error, error.kind === 'abort' ? before : [...before, unstartedCell(error)])
  }
  if (outcome.kind === 'ended') {
    const { error, volatileReason, late } = outcome
    const diagnostics = [...before, late === undefined ? endedCell(error) : lateOutput(error, true)]
    const record = recordOf(facts, { status: 'discarded', diagnostics, ...volatileReason === undefined ? {} : { volatileReason } })
    return { record, error, diagnostics }
  }
  const { completion: came, wakes, ambient } = outcome.done
  const completion: Completion = came.kind === 'throw' ? { kind: 'throw', error: came.error } : came.hasValue ? came : { kind: 'return', hasValue: false }
  const error = came.kind === 'throw' ? came.error : undefined
  const diagnostics = [...before]
  if (came.kind === 'throw') diagnostics.push(failedCell(came.error, came.at, facts.number, came.origin))
  else if (!came.hasValue && came.withheld !== undefined) diagnostics.push(withheldValue(came.withheld))
  const volatileReason = sessionVolatile ?? outcome.volatileReason
  const status = volatileReason === undefined ? 'durable' : 'volatile'
  const record = recordOf(facts, {
    status, operations: operations.recorded(status), calls, wakes, ambient: volatileReason === undefined ? ambient : [], completion, diagnostics,
    ...volatileReason === undefined ? {} : { volatileReason },
  })
  const origin = came.kind === 'throw' ? came.origin : undefined
  return { record, error, diagnostics, ...origin === undefined ? {} : { origin } }
}

/** What is said in addition, also in the record. */
export function withDiagnostic(settled: Settled, diagnostic: Diagnostic): Settled {
  const { record, diagnostics } = settled
  return { ...settled, diagnostics: [...diagnostics, diagnostic], record: { ...record, diagnostics: [...record.diagnostics, diagnostic] } }
}

export function resultOf({ record, error, diagnostics }: Settled, logs: readonly LogEntry[], limits: ValueLimits): CellResult {
  const { completion } = record
  const returned = completion?.kind === 'return' && completion.hasValue ? project(completion.value, limits) : undefined
  return {
    status: record.status, hasValue: returned !== undefined, ...returned, logs, output: logs.map(({ text }) => text).join('\n'),
    ...error === undefined ? {} : { error }, diagnostics, record,
  }
}

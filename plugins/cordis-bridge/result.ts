// What became of a cell, in the host's terms. Pure.
import type { CellResult, FailureKind, LogEntry } from '../kernel/types.ts'
import { renderDiagnostic } from '../kernel/host/render.ts'
import type { ImageOutput } from './seam/images.ts'

/** The kinds of failure that the host's seam has; of ours, those that it does not have are told as the nearest. */
const KINDS: { readonly [Kind in FailureKind]: string } = {
  'exception': 'exception', 'timeout': 'timeout', 'abort': 'abort', 'worker-exit': 'worker-exit', 'invalid-output': 'invalid-output',
  'output-limit': 'output-limit', 'protocol': 'worker-exit', 'recovery': 'worker-exit', 'budget-unavailable': 'timeout',
}

export interface RunResult {
  readonly logs: string[]
  readonly value?: unknown
  readonly error?: { readonly kind: string, readonly message: string }
}

/** One entry is one print: the kernel has put the parts of a line together and taken off the newline that ends it. */
const logsOf = (entries: readonly LogEntry[]): string[] => entries.map(({ text }) => text)

/** `source` is the cell's, for the frames of its diagnostics. */
export function toRunResult({ error, diagnostics, hasValue, value, text, logs }: CellResult, source: string): RunResult {
  if (error === undefined) return { logs: logsOf(logs), ...hasValue ? { value: text ?? value } : {} }
  const rendered = [...diagnostics].sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
    .map((diagnostic) => renderDiagnostic(diagnostic, source))
  return {
    logs: logsOf(logs.filter(({ channel }) => channel !== 'diagnostic')),
    error: { kind: KINDS[error.kind], message: rendered.length > 0 ? rendered.join('\n') : error.message },
  }
}

export interface PtcRunResult extends RunResult {
  readonly output: readonly ({ readonly type: 'text', readonly text: string } | ImageOutput)[]
}

/** The same for hosts that take output in parts, images among them. Both forms are there, so that either kind of host finds its own. */
export function toPtcRunResult(result: CellResult, source: string, images: readonly ImageOutput[]): PtcRunResult {
  const made = toRunResult(result, source)
  const { error } = result
  return {
    ...made, output: [...made.logs.map((text) => ({ type: 'text' as const, text: `${text}\n` })), ...images],
    ...made.error === undefined || error?.kind !== 'protocol' ? {} : { error: { ...made.error, kind: 'protocol' } },
  }
}

// The line of JSON that stands for what became of one cell.
import type { CellResult } from '../../../plugins/kernel/types.ts'

export function resultLine({ status, hasValue, value, text, logs, error, diagnostics, derived }: CellResult): object {
  return {
    status, hasValue,
    ...!hasValue ? {} : text === undefined ? { value } : { text },
    logs: logs.map(({ channel, text }) => ({ channel, text })),
    ...error === undefined ? {} : { error },
    diagnostics,
    ...derived === undefined ? {} : { derived: { target: derived.target, source: derived.source, result: resultLine(derived.result) } },
  }
}

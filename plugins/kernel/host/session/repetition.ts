// Notices that a session fails in the same way again and again, and says so once, at the third time (contract 10).
//
// Owns: the last failure and how often it came. Does not own: the failure's own diagnostic.
import type { OutputLog } from '../cell/output-log.ts'
import { withDiagnostic, type Settled } from '../cell/settlement.ts'
import { repeatedFailure, type RepeatedCause } from '../diagnostics.ts'
import { renderDiagnostic } from '../render.ts'

const TIMES = 3

/** What V8 says of a name that is not there, or not yet. */
const LEXICAL = /^(?:.* is not defined|Cannot access '.*' before initialization)$/su

function causeOf({ error, origin, diagnostics }: Settled): RepeatedCause {
  if (origin !== undefined) return origin
  const isLexical = diagnostics.some(({ code }) => code === 'PTC-N001') || (error?.name === 'ReferenceError' && LEXICAL.test(error.message))
  return isLexical ? 'lexical' : 'other'
}

export class Repetition {
  private last: string | undefined
  private count = 0

  /**
   * After every cell: the cell, with the warning when it is due. An abort is a decision of somebody else's, so it is neither the same
   * failure nor another one.
   */
  after(settled: Settled, log: OutputLog): Settled {
    const { error, diagnostics } = settled
    if (error?.kind === 'abort') return settled
    const failure = error === undefined ? undefined : `${error.kind} ${error.message}`
    this.count = failure === this.last ? this.count + 1 : 1
    this.last = failure
    if (error === undefined || this.count !== TIMES) return settled
    const warning = repeatedFailure(error, causeOf(settled), diagnostics.findLast(({ severity }) => severity === 'error'))
    log.add('diagnostic', `${renderDiagnostic(warning)}\n`)
    return withDiagnostic(settled, warning)
  }
}

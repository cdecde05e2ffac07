// The diagnostics that the kernel itself makes, one function per code. The wording is interface: it is built here and nowhere
// else.
import type { Diagnostic, Envelope, InDoubtCall, LostCell, RecordedError } from '../../journal/types.ts'
import type { EndRepair } from '../compile/types.ts'
import type { CellPosition, ErrorOrigin } from '../protocol/messages.ts'
import { project } from '../wire/index.ts'

const oneLine = (text: string) => text.replace(/\s*[\r\n\u2028\u2029]+\s*/gu, ' ').slice(0, 2_000)
const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Units from which on it pays to edit a cell instead of sending it again. */
const LONG_CELL = 2_000

/** A text as a program writes it, on one line whatever is in it. */
const literal = (text: string) => JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

/**
 * PTC-C001 with what to do: a repair that is known to be the only one, or what suits the length of the source (contract 6.6).
 * `callSeq`: the call by which the cell can be edited, when it can be.
 */
export function withHelp(diagnostic: Diagnostic, source: string, repair: EndRepair | undefined, callSeq: number | undefined): Diagnostic {
  if (diagnostic.code !== 'PTC-C001' || diagnostic.help !== undefined) return diagnostic
  if (repair !== undefined && callSeq !== undefined) {
    const edit = `{ old_string: ${literal(repair.anchor)}, new_string: ${literal(repair.anchor + repair.suffix)} }`
    return { ...diagnostic, help: [
      `Only ${literal(repair.suffix)} is missing at the end. If that is what was meant, run in a new cell:`,
      `await tools.edit_run_code({ edits: [${edit}], expected_target_call_seq: ${callSeq} })`,
    ] }
  }
  return { ...diagnostic, help: [source.length < LONG_CELL || callSeq === undefined
    ? 'Send the whole cell again, corrected.'
    : 'Correct one place with tools.edit_run_code in a new cell; send the whole cell again when more is wrong.'] }
}

const ORIGIN_HELP: Readonly<Record<ErrorOrigin, string>> = {
  lease: 'Look the namespace up where it is called: a function that does so uses the one of the cell that runs.',
  capability: 'Nothing was called. capabilities.find and capabilities.search show what can be.',
}

/** PTC-X001 or PTC-O001: the cell threw, or its value can not leave it. */
export function failedCell(error: RecordedError, at: CellPosition | undefined, current: number, origin?: ErrorOrigin): Diagnostic {
  const isEncoding = error.kind === 'invalid-output'
  return {
    code: isEncoding ? 'PTC-O001' : 'PTC-X001', severity: 'error', phase: 'execute',
    message: oneLine(isEncoding || error.name === undefined ? error.message : `${error.name}: ${error.message}`),
    stateEffect: 'partially-applied',
    ...at === undefined ? {} : {
      source: { cell: at.cell === current ? 'current' : `cell ${at.cell}`, start: { line: Math.max(1, at.line), column: Math.max(1, at.column) } },
    },
    ...origin === undefined ? {} : { dispatchState: 'not-dispatched', help: [ORIGIN_HELP[origin]] },
    ...isEncoding ? { help: ['The session keeps its names: return a smaller or plainer value in the next cell.'] } : {},
  }
}

/** PTC-O002: the cell is fine, but the value of its last expression stays inside. */
export function withheldValue(reason: string): Diagnostic {
  return {
    code: 'PTC-O002', severity: 'note', phase: 'execute', message: oneLine(`the value of the last expression stays in the session: ${reason}`),
    stateEffect: 'unchanged', help: ['Return what is to be seen of it, for example a plain object.'],
  }
}

/** PTC-X002: the infrastructure ended the cell. */
export function endedCell(error: RecordedError): Diagnostic {
  return {
    code: 'PTC-X002', severity: 'error', phase: 'execute', message: oneLine(error.message), stateEffect: 'rolled-back',
    help: ['The next cell continues from the state before this one. Effects outside the session stay as they are.'],
  }
}

/** PTC-X003: output that no cell owns. `ended`: it ended a cell that was running; otherwise the cell that says so did not start. */
export function lateOutput(error: RecordedError, ended: boolean): Diagnostic {
  return {
    code: 'PTC-X003', severity: 'error', phase: 'execute', message: oneLine(error.message), stateEffect: ended ? 'rolled-back' : 'unchanged',
    help: ['Await what prints before the cell ends.', 'The next cell continues from the last verified state.'],
  }
}

/** PTC-X004: the compute budget had nothing to measure from, so nothing of the cell ran. */
export function unstartedCell(error: RecordedError): Diagnostic {
  return {
    code: 'PTC-X004', severity: 'error', phase: 'execute', message: oneLine(error.message), stateEffect: 'unchanged',
    help: ['Nothing of the cell ran: run it again.'],
  }
}

/** PTC-R002: recovery could not bring everything back. `divergence` is how the first replay left its record, if one did. */
export function lostCells(lost: readonly LostCell[], divergence: string | undefined): Diagnostic {
  const reasons = [...new Set(lost.map(({ reason, detail }) => detail === undefined ? reason : `${reason}: ${detail}`))].slice(0, 3)
  return {
    code: 'PTC-R002', severity: 'warning', phase: 'recover',
    message: oneLine(`${plural(lost.length, 'cell')} could not be brought back (${reasons.join('; ')}); the session continues from its last verified state`),
    stateEffect: 'rolled-back',
    ...divergence === undefined ? {} : { cause: { message: oneLine(divergence) } },
    help: ['Names that those cells declared may be missing: declare them again where they are needed.'],
  }
}

function shortly(value: Envelope): string {
  const shown = project(value)
  return ('text' in shown ? shown.text : JSON.stringify(shown.value)).slice(0, 200)
}

/** PTC-R003: nobody knows whether this call happened. `refusal` is what its owner said when it was asked again. */
export function inDoubt({ global, member, args }: InDoubtCall, refusal?: string): Diagnostic {
  return {
    code: 'PTC-R003', severity: 'warning', phase: 'recover',
    message: oneLine(`${global}.${member} was called when the session broke off, and its answer was never seen (argument ${shortly(args)})`),
    stateEffect: 'unknown', dispatchState: 'unknown',
    ...refusal === undefined ? {} : { cause: { message: oneLine(`asked again, its owner failed: ${refusal}`) } },
    help: ['The call is not repeated. Check with its owner whether it took effect before calling again.'],
  }
}

/** PTC-R004: the call was in doubt, and its owner, who may be asked again, has answered. */
export function askedAgain({ global, member, args }: InDoubtCall, answer: Envelope): Diagnostic {
  return {
    code: 'PTC-R004', severity: 'note', phase: 'recover',
    message: oneLine(`${global}.${member} was called when the session broke off (argument ${shortly(args)}); its owner was asked again and answered ${shortly(answer)}`),
    stateEffect: 'unchanged', dispatchState: 'completed',
    help: ['The cell that called did not go on: use the answer, or call again.'],
  }
}

/** PTC-J002: the cell ran, but its record could not be written. */
export function notPreserved(problem: string): Diagnostic {
  return {
    code: 'PTC-J002', severity: 'warning', phase: 'execute', message: oneLine(`the cell ran, but its record was not written: ${problem}`),
    stateEffect: 'unchanged', help: ['What it declared lives until the session\'s process ends.'],
  }
}

/** What the same failure, three times in a row, says about its cause. */
export type RepeatedCause = 'lexical' | ErrorOrigin | 'other'

const REPEATED: Readonly<Record<RepeatedCause, { readonly cause?: string, readonly help: string }>> = {
  lexical: { cause: 'PTC-LOCAL', help: 'Look at what the session has (its names may have been rolled back), at scopes and at the order of declarations; then change the cell.' },
  lease: { cause: 'PTC-CAPABILITY', help: ORIGIN_HELP.lease },
  capability: { cause: 'PTC-CAPABILITY', help: ORIGIN_HELP.capability },
  other: { help: 'Find out why it fails before running it again: look at the values that it uses.' },
}

/** PTC-W001 for names and members that can not be had, PTC-W002 for anything else. `primary`: what the failure itself was told as. */
export function repeatedFailure(error: RecordedError, cause: RepeatedCause, primary: Diagnostic | undefined): Diagnostic {
  const { cause: code, help } = REPEATED[cause]
  return {
    code: code === undefined ? 'PTC-W002' : 'PTC-W001', severity: 'warning', phase: 'execute',
    message: 'the same failure has come three times in a row', stateEffect: primary?.stateEffect ?? 'unknown',
    cause: { ...code === undefined ? {} : { code }, message: oneLine(error.name === undefined ? error.message : `${error.name}: ${error.message}`) },
    help: [help],
  }
}

// One live cell, steps 5 to 12: run it in the session's helper, let its calls reach their owners, and settle what became of it.
import type { CellPlan, NamespaceView } from '../../../capabilities/types.ts'
import type { Diagnostic, NewEntry } from '../../../journal/types.ts'
import type { CellLimits, EditOwner } from '../../types.ts'
import { withHelp } from '../diagnostics.ts'
import { answerEdit } from '../edit/answer.ts'
import { EDIT, isKernelEdit, withoutEdit } from '../edit/member.ts'
import type { HelperProcess } from '../helper/helper-process.ts'
import type { LateOutput } from '../late-output.ts'
import { valueLimits } from '../limits.ts'
import { reservedNames } from '../recovery.ts'
import { execute, type Outcome } from './execution.ts'
import { CODE_NAMESPACE, runNested } from './nested-run.ts'
import type { OutputLog } from './output-log.ts'
import { settle, type CellFacts, type Settled } from './settlement.ts'
import { STATE_NAMESPACE, StateOperations } from './state-operations.ts'
import { Transcript } from './transcript.ts'

export interface LiveRun {
  readonly session: string
  /** The cell's `seq` in the history. */
  readonly cell: number
  readonly facts: CellFacts
  readonly source: string
  readonly limits: CellLimits
  readonly signal: AbortSignal
  readonly helper: HelperProcess
  readonly capabilities: CellPlan
  readonly namespaces: readonly NamespaceView[]
  readonly log: OutputLog
  /** What recovery found; it becomes part of this cell's record. */
  readonly before: readonly Diagnostic[]
  /** Asked for only by a cell that uses `repl.state`. */
  checkpoints(): Iterable<string>
  /** What `tools.edit_run_code` is about. */
  readonly edits: EditOwner
  /** Timers that a recovery has left do not go on. */
  readonly dropsTimers: boolean
  /** Why the session can not be replayed, if that is so before the cell. */
  readonly volatileReason: string | undefined
  append(entry: NewEntry): void
  /** A helper for a nested run. */
  take(): HelperProcess
}

export interface LiveOutcome {
  readonly settled: Settled
  /** False when the worker's state is not the session's any more. */
  readonly keepsWorker: boolean
  /** False when the compute budget had nothing to measure from, so that nothing ran. */
  readonly measured: boolean
  /** Output that is nobody's and came when the cell was done. */
  readonly late: LateOutput | undefined
  /** Timers have fired when the cell was done. */
  readonly stirred: boolean
}

export async function runLive(run: LiveRun): Promise<LiveOutcome> {
  const { session, cell, facts, source, limits, signal, helper, capabilities, namespaces, log, before } = run
  const { number, cwd, languageSemantics } = facts
  const isProtected = languageSemantics === 'protected-v1'
  let touched = run.volatileReason
  let late: LateOutput | undefined
  let stirred = false
  const operations = new StateOperations(run.checkpoints, () => touched)
  const editsHere = isKernelEdit(capabilities.view(session))
  const edit = async (args: unknown) => {
    const receipt = await answerEdit(args, run.edits, (text, operation) => helper.edit(text, operation))
    if (receipt.accepted) log.add('diagnostic', `edit_run_code: run_code call ${receipt.target_call_seq} is edited and runs after this cell\n`)
    return receipt
  }
  const dispatch: CellPlan['dispatch'] = (global, member, args, context) => {
    if (capabilities.replayOf(global, member) === 'volatile') touched ??= `${global}.${member}`
    return capabilities.dispatch(global, member, args, context)
  }
  const transcript = new Transcript({
    session, cell, number, cwd, limits, append: run.append,
    allows: (global, member) => namespaces.some(({ name, members }) => name === global && members.includes(member)),
    async dispatch(global, member, args, context) {
      if (global === STATE_NAMESPACE.name) return operations.answer(args)
      if (global === EDIT.global && member === EDIT.member && editsHere) return await edit(args)
      if (global !== CODE_NAMESPACE.name) return await dispatch(global, member, args, context)
      return await runNested(args, {
        session, cwd: context.cwd, limits, dispatch, depth: 0, semantics: languageSemantics, signal: context.signal,
        namespaces: (editsHere ? withoutEdit(namespaces) : namespaces).filter(({ name }) => name !== STATE_NAMESPACE.name), take: run.take,
      })
    },
    settle: (message) => helper.settle(message), enter: (directory) => helper.enter(directory),
  })
  const existing = isProtected ? { existing: (await helper.complete('')).map(({ name }) => name) } : {}
  const callSeq = editsHere ? run.edits.callOf(cell) : undefined
  let outcome: Outcome = await execute(helper, {
    request: { source, cell: number, semantics: languageSemantics, reserved: reservedNames(namespaces), offersRepair: callSeq !== undefined, ...existing },
    order: { cell: number, cwd, isProtected, namespaces, limits: valueLimits(limits), ...run.dropsTimers ? { dropsTimers: true } : {} },
    limits, log, transcript, signal, onVolatile: (reason) => { touched ??= reason }, onLate: (found) => { late ??= found }, onStirred: () => { stirred = true },
  })
  transcript.close(new Error('the cell has ended'))
  const recorded = outcome.kind === 'done' ? transcript.recorded(outcome.done.settles) : []
  const calls = 'fault' in recorded ? [] : recorded
  if ('fault' in recorded) outcome = { kind: 'ended', error: { kind: 'protocol', message: recorded.fault }, volatileReason: undefined }
  if (outcome.kind === 'rejected') {
    const { rejection } = outcome
    outcome = { kind: 'rejected', rejection: { ...rejection, diagnostic: withHelp(rejection.diagnostic, source, rejection.repair, callSeq) } }
  }
  const settled = settle(facts, outcome, calls, touched, before, operations)
  return {
    settled, late: late ?? (outcome.kind === 'ended' ? outcome.late : undefined), stirred, keepsWorker: outcome.kind !== 'ended' && !operations.restores,
    measured: !(outcome.kind === 'unstarted' && outcome.error.kind === 'budget-unavailable'),
  }
}

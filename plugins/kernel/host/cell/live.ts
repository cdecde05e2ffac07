// One live cell, steps 5 to 12: run it in the session's helper, let its calls reach their owners, and settle what became of it.
import type { CellPlan, NamespaceView } from '../../../capabilities/types.ts'
import type { Diagnostic, NewEntry } from '../../../journal/types.ts'
import type { CellLimits } from '../../types.ts'
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

/** What programs may call: the owners' namespaces and the kernel's own. */
export function withKernelNamespaces(owners: readonly NamespaceView[]): NamespaceView[] {
  return [...owners, STATE_NAMESPACE, CODE_NAMESPACE]
}

export async function runLive(run: LiveRun): Promise<LiveOutcome> {
  const { session, cell, facts, source, limits, signal, helper, capabilities, namespaces, log, before } = run
  const { number, cwd, languageSemantics } = facts
  const isProtected = languageSemantics === 'protected-v1'
  let touched = run.volatileReason
  let late: LateOutput | undefined
  let stirred = false
  const operations = new StateOperations(run.checkpoints, () => touched)
  const dispatch: CellPlan['dispatch'] = (global, member, args, context) => {
    if (capabilities.replayOf(global, member) === 'volatile') touched ??= `${global}.${member}`
    return capabilities.dispatch(global, member, args, context)
  }
  const transcript = new Transcript({
    session, cell, number, cwd, limits, append: run.append,
    allows: (global, member) => namespaces.some(({ name, members }) => name === global && members.includes(member)),
    async dispatch(global, member, args, context) {
      if (global === STATE_NAMESPACE.name) return operations.answer(args)
      if (global !== CODE_NAMESPACE.name) return await dispatch(global, member, args, context)
      return await runNested(args, {
        session, cwd: context.cwd, limits, dispatch, depth: 0, semantics: languageSemantics, signal: context.signal,
        namespaces: namespaces.filter(({ name }) => name !== STATE_NAMESPACE.name), take: run.take,
      })
    },
    settle: (message) => helper.settle(message), enter: (directory) => helper.enter(directory),
  })
  const existing = isProtected ? { existing: (await helper.complete('')).map(({ name }) => name) } : {}
  let outcome: Outcome = await execute(helper, {
    request: { source, cell: number, semantics: languageSemantics, reserved: reservedNames(namespaces), ...existing },
    order: { cell: number, cwd, isProtected, namespaces, limits: valueLimits(limits) },
    limits, log, transcript, signal, onVolatile: (reason) => { touched ??= reason }, onLate: (found) => { late ??= found }, onStirred: () => { stirred = true },
  })
  transcript.close(new Error('the cell has ended'))
  const recorded = outcome.kind === 'done' ? transcript.recorded(outcome.done.settles) : []
  const calls = 'fault' in recorded ? [] : recorded
  if ('fault' in recorded) outcome = { kind: 'ended', error: { kind: 'protocol', message: recorded.fault }, volatileReason: undefined }
  const settled = settle(facts, outcome, calls, touched, before, operations)
  return {
    settled, late, stirred, keepsWorker: outcome.kind !== 'ended' && !operations.restores,
    measured: !(outcome.kind === 'unstarted' && outcome.error.kind === 'budget-unavailable'),
  }
}

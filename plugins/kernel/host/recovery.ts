// Brings a fresh helper to a session's frontier by replaying the records along its path. Nothing is dispatched (R1). A
// record that does not replay contracts the frontier to its parent, and a new helper tries again (J3).
import type { CellRecord, FoldedCell, Frontier } from '../../journal/types.ts'
import type { NamespaceView } from '../../capabilities/types.ts'
import type { CellLimits } from '../types.ts'
import { sameEnvelope } from '../wire/index.ts'
import { execute, type Outcome } from './cell/execution.ts'
import { recordedNamespaces } from './cell/namespaces.ts'
import type { HelperProcess } from './helper/helper-process.ts'
import { DEFAULT_LIMITS, valueLimits } from './limits.ts'
import { OutputLog } from './cell/output-log.ts'

/**
 * A record was made within the limits of its time, on a machine of its own pace; holding it to today's would only lose it. A
 * replay that waits for nothing is ended by its driver, one that is too much for anybody by an interruption.
 */
const REPLAY_LIMITS: CellLimits = {
  ...DEFAULT_LIMITS, computeMs: 2_147_483_647, maxWallMs: 2_147_483_647, maxOutputBytes: Number.MAX_SAFE_INTEGER,
  maxValueNodes: Number.MAX_SAFE_INTEGER, maxValueEdges: Number.MAX_SAFE_INTEGER,
  maxValueArrayLength: Number.MAX_SAFE_INTEGER, maxValueBigIntDigits: Number.MAX_SAFE_INTEGER,
}

/** The frontier of a session without a past. */
export const NOTHING: Frontier = { head: null, path: [], checkpoints: new Map(), lost: [], inDoubt: [] }

/** Helpers that may die during one recovery before it is given up. */
export const MAX_INTERRUPTIONS = 3

export interface RecoveryRequest {
  readonly frontier: Frontier
  /** Namespaces as they are now, for cells of which the history does not say what they could see. */
  readonly namespaces: readonly NamespaceView[]
  /** A cell's number, by its `seq`. */
  numberOf(cell: number): number
  take(): HelperProcess
  readonly signal: AbortSignal | undefined
  onProgress(done: number, of: number): void
}

export type Recovery =
  | { readonly kind: 'recovered', readonly helper: HelperProcess }
  /** The record of `cell` did not replay; whoever asked contracts and asks again. */
  | { readonly kind: 'diverged', readonly cell: FoldedCell, readonly reason: string }
  | { readonly kind: 'aborted' }
  /** The helper went away in the middle. That says nothing about the record. */
  | { readonly kind: 'interrupted', readonly reason: string }

/** Undefined when the replay proved the record; otherwise what differed. */
function difference({ completion }: CellRecord, outcome: Outcome): string | undefined {
  if (outcome.kind === 'rejected') return `its source is refused now: ${outcome.rejection.error.message}`
  if (outcome.kind === 'ended' || outcome.kind === 'unstarted') return outcome.error.message
  const { done } = outcome
  if (done.divergence !== undefined) return done.divergence
  const came = done.completion
  if (completion?.kind === 'throw') {
    if (came.kind !== 'throw') return `the record threw ${completion.error.message}, the replay returned`
    const same = came.error.kind === completion.error.kind && came.error.message === completion.error.message
    return same ? undefined : `the record threw ${completion.error.message}, the replay threw ${came.error.message}`
  }
  if (came.kind === 'throw') return `the record returned, the replay threw ${came.error.message}`
  if (completion === undefined || completion.hasValue !== came.hasValue) return 'the record and the replay do not agree on having a value'
  if (completion.hasValue && came.hasValue && !sameEnvelope(completion.value, came.value)) return 'the replay returned another value than the record'
  return undefined
}

export async function recover({ frontier, namespaces, numberOf, take, signal, onProgress }: RecoveryRequest): Promise<Recovery> {
  const helper = take()
  const isAborted = () => signal?.aborted === true
  await ready(helper, signal)   // a cell's budgets measure the cell, not the start of a process
  if (isAborted()) { await helper.kill(); return { kind: 'aborted' } }
  if (helper.ended) { await helper.kill(); return { kind: 'interrupted', reason: helper.endReason ?? 'the helper ended' } }
  for (const [index, folded] of frontier.path.entries()) {
    if (isAborted()) { await helper.kill(); return { kind: 'aborted' } }
    onProgress(index, frontier.path.length)
    const { record, source } = folded
    const number = numberOf(folded.cell)
    const views = recordedNamespaces(folded, namespaces)
    const outcome = await execute(helper, {
      request: { source, cell: number, semantics: record.languageSemantics, reserved: reservedNames(views) },
      order: {
        cell: number, cwd: record.cwd, isProtected: record.languageSemantics === 'protected-v1', namespaces: views, limits: valueLimits(REPLAY_LIMITS),
        recorded: { calls: record.calls, wakes: record.wakes, ambient: record.ambient },
      },
      limits: REPLAY_LIMITS, log: new OutputLog(Number.MAX_SAFE_INTEGER, undefined), ...signal === undefined ? {} : { signal },
    })
    if (outcome.kind !== 'rejected' && outcome.kind !== 'done' && outcome.error.kind === 'abort') { await helper.kill(); return { kind: 'aborted' } }
    if (outcome.kind === 'ended' && outcome.error.kind === 'worker-exit') { await helper.kill(); return { kind: 'interrupted', reason: outcome.error.message } }
    const reason = difference(record, outcome)
    if (reason !== undefined) { await helper.kill(); return { kind: 'diverged', cell: folded, reason } }
  }
  onProgress(frontier.path.length, frontier.path.length)
  return { kind: 'recovered', helper }
}

/** Waits for a helper that may be stuck, unless somebody gives up. */
async function ready(helper: HelperProcess, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return helper.ready
  let onAbort: () => void = () => {}
  const aborted = new Promise<void>((resolve) => { onAbort = resolve })
  signal.addEventListener('abort', onAbort, { once: true })
  if (!signal.aborted) await Promise.race([helper.ready, aborted])
  signal.removeEventListener('abort', onAbort)
}

/** Names that no declaration of a cell may take: its owner namespaces and their error classes. */
export function reservedNames(views: readonly NamespaceView[]): string[] {
  return views.filter(({ soft }) => soft !== true).flatMap(({ name, errorClass }) => errorClass === undefined ? [name] : [name, errorClass.name])
}

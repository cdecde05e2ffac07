// Runs what a cell's edit has made, through the host's own pipeline and in its log, as a call that the cell's call contains (contract
// 6.5). The model has asked for one call and gets one result: what the run said is shown in it.
import { appendTo } from '../host/context.ts'
import type { Json, PostDecision, SeamName, ToolExecution, ToolResult, Tools } from '../host/types.ts'
import { DERIVED_CELL_KEY, DERIVED_RUN_KEY, derivedCallId, EDIT_KEY } from '../session/evidence.ts'
import { BOUNDARIES_KEY, JOURNAL_KEY, RUN_CODE, SURFACE_KEY, type LoggedCell } from '../session/log.ts'
import type { Claim } from './owner.ts'

/** How a host of each generation logs nested calls. */
const EVENTS: { readonly [Seam in SeamName]: { readonly start: string, readonly end: string } } = {
  codeRuntime: { start: 'tool/code-dispatch-start', end: 'tool/code-dispatch' },
  ptcRuntime: { start: 'tool/ptc-dispatch-start', end: 'tool/ptc-dispatch' },
}

export type Metadata = { readonly [key: string]: Json }

/** What the host is asked to run, and in which words. */
export interface DerivedCall { readonly callId: string, readonly args: { readonly code: string, readonly description: string } }

export const derivedCall = ({ callId }: ToolExecution, { target, source }: Claim): DerivedCall =>
  ({ callId: derivedCallId(callId), args: { code: source, description: `Edit of run_code call ${target.callSeq}` } })

/**
 * One nested call, logged as the host logs its own. `exec` is the call of the cell that edited; `expect` is told of the event with
 * which the log has the nested one, before the host runs it.
 */
export async function runDerived(tools: Tools, seam: SeamName, exec: ToolExecution, { callId, args }: DerivedCall, expect: () => void): Promise<ToolResult> {
  const { agent, rootCallId = exec.callId, token, signal } = exec
  const event = { rootCallId, parentCallId: exec.callId, subCallId: callId, name: RUN_CODE, arguments: args }
  if (agent !== undefined) appendTo(agent.session, EVENTS[seam].start, event)
  expect()
  const result = await tools.execute({ callId, rootCallId, name: RUN_CODE, arguments: args, ...agent === undefined ? {} : { agent }, parent: token, signal })
  if (agent !== undefined) appendTo(agent.session, EVENTS[seam].end, { ...event, isError: result.isError, content: result.content })
  return result
}

/** What the result of the cell that edited has to carry about the run, `ran` being what the run itself left. */
export function derivedMetadata(root: LoggedCell, cell: LoggedCell, { target }: Claim, { args }: DerivedCall, ran: Metadata): Metadata {
  const { [JOURNAL_KEY]: record, [BOUNDARIES_KEY]: boundaries, [SURFACE_KEY]: surface } = ran
  if (record === undefined) return {}
  return {
    [EDIT_KEY]: { targetCallSeq: target.callSeq }, [DERIVED_RUN_KEY]: args,
    [DERIVED_CELL_KEY]: {
      startSeq: root.seq, executionStartSeq: cell.seq, record, ...boundaries === undefined ? {} : { boundaries }, ...surface === undefined ? {} : { surface },
    },
  }
}

/** A turn that was cancelled while the run was under way: the host would drop a success, and with it what it carries. */
export function unlessAborted(result: ToolResult, { signal }: ToolExecution): ToolResult {
  if (!signal.aborted || result.isError) return { ...result }
  const message = 'tool call aborted'
  return { isError: true, error: { message, info: { name: 'AbortError', code: 'ABORTED' } }, content: result.content }
}

/** The decision of the host's policies about the result, with what the run said; a result that they have blocked stays as it is. */
export function shownWith(decision: PostDecision, result: ToolResult, { target }: Claim, run: ToolResult): PostDecision {
  if (decision.kind !== 'accept') return decision
  const heading = `\n\nrun_code call ${target.callSeq}, as edited:\n`
  if (!Object.hasOwn(decision, 'value')) {
    return { ...decision, content: [...decision.content ?? result.content, { type: 'text', text: heading }, ...run.content] }
  }
  // Somebody has put another value in the place of the cell's, from which the host makes the text.
  const { value } = decision as { readonly value: { readonly logs?: unknown } | null }
  const text = run.content.map((block) => (block as { readonly text?: unknown }).text).filter((part) => typeof part === 'string').join('')
  return Array.isArray(value?.logs) ? { ...decision, value: { ...value, logs: [...value.logs as unknown[], `${heading}${text}`.trimStart()] } } : decision
}

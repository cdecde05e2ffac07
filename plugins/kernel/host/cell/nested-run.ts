// `code.run`: a program runs another piece of source, isolated from its session, in a helper of its own (contract 1.8). To the
// journal it is one call: what the child did is its answer, and a replay does not run it again.
import type { CallContext, NamespaceView } from '../../../capabilities/types.ts'
import type { LanguageSemantics } from '../../../journal/types.ts'
import type { CellLimits } from '../../types.ts'
import { decode } from '../../wire/index.ts'
import type { HelperProcess } from '../helper/helper-process.ts'
import { valueLimits } from '../limits.ts'
import { reservedNames } from '../recovery.ts'
import { execute } from './execution.ts'
import { OutputLog } from './output-log.ts'
import { Transcript } from './transcript.ts'

export const CODE_NAMESPACE: NamespaceView = Object.freeze({
  name: 'code', members: Object.freeze(['run']), soft: true,
  errorClass: Object.freeze({ name: 'CodeExecutionError', memberNameProperty: 'operation' }),
})

export interface NestedRun {
  readonly session: string
  readonly cwd: string
  readonly semantics: LanguageSemantics
  readonly limits: CellLimits
  readonly namespaces: readonly NamespaceView[]
  /** How many runs this one is inside of; the session's own cell is at 0. */
  readonly depth: number
  readonly signal: AbortSignal
  take(): HelperProcess
  dispatch(global: string, member: string, args: unknown, context: CallContext): Promise<unknown>
}

class CodeExecutionError extends Error {
  override readonly name = 'CodeExecutionError'
}

function parseRequest(args: unknown): { code: string, description: string } {
  const { code, description, ...others } = (typeof args === 'object' && args !== null ? args : {}) as Record<string, unknown>
  if (typeof code !== 'string' || typeof description !== 'string' || Object.keys(others).length > 0) {
    throw new TypeError('code.run takes exactly { code: string, description: string }')
  }
  return { code, description }
}

/** Answers `{ logs, result? }`; rejects with what the program is to see. */
export async function runNested(args: unknown, run: NestedRun): Promise<{ logs: string[], result?: unknown }> {
  const { code } = parseRequest(args)
  const { session, cwd, semantics, limits, namespaces, depth, signal } = run
  if (depth >= limits.maxNestedRunCodeDepth) throw new RangeError(`code.run is nested more than ${limits.maxNestedRunCodeDepth} deep`)
  const helper = run.take()
  const log = new OutputLog(limits.maxOutputBytes, undefined)
  const transcript = new Transcript({
    session, cell: 0, number: 1, cwd, limits,
    allows: (global, member) => namespaces.some(({ name, members }) => name === global && members.includes(member)),
    append() {},
    dispatch: (global, member, given, context) => global === CODE_NAMESPACE.name
      ? runNested(given, { ...run, cwd: context.cwd, depth: depth + 1, signal: context.signal })
      : run.dispatch(global, member, given, context),
    settle: (message) => helper.settle(message), enter: (directory) => helper.enter(directory),
  })
  try {
    await helper.ready
    const outcome = await execute(helper, {
      request: { source: code, cell: 1, semantics, reserved: reservedNames(namespaces) },
      order: { cell: 1, cwd, isProtected: semantics === 'protected-v1', namespaces, limits: valueLimits(limits) },
      limits, log, transcript, signal,
    })
    const logs = log.entries().map(({ text }) => text)
    if (outcome.kind === 'rejected') throw new CodeExecutionError(`exception: ${outcome.rejection.error.message}`)
    if (outcome.kind === 'ended' || outcome.kind === 'unstarted') throw new CodeExecutionError(`${outcome.error.kind}: ${outcome.error.message}`)
    const { completion } = outcome.done
    if (completion.kind === 'throw') throw new CodeExecutionError(`${completion.error.kind}: ${completion.error.name ?? 'thrown'}: ${completion.error.message}`)
    return completion.hasValue ? { logs, result: decode(completion.value, valueLimits(limits)) } : { logs }
  } finally {
    transcript.close(new Error('the nested run has ended'))
    await helper.kill()
  }
}

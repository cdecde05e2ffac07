// Lets the conformance runners drive the real kernel: `createSession(options)` answers `{ run(source), close() }`, and `run`
// an outcome in the runners' terms. One graph serves all sessions of a process, with one helper kept warm.
import { boot, type Graph } from '../harness/graph.ts'
import type { BindingPolicy, CellResult, KernelLimits } from '../../plugins/kernel/types.ts'

export const capabilities = { cwd: true, logs: true, lines: true, limits: true, policies: true }

export interface Options {
  readonly cwd?: string
  readonly policy?: BindingPolicy
  readonly config?: Partial<KernelLimits>
  readonly timeoutMs?: number
}

export interface Outcome {
  readonly ok: boolean
  readonly value?: unknown
  readonly valueUndefined?: boolean
  readonly errorName?: string
  readonly errorMessage?: string
  readonly phase?: 'parse' | 'runtime'
  readonly line?: number
  readonly logs: readonly string[]
  readonly limit?: 'compute' | 'wall' | 'memory' | 'output'
}

let graph: Promise<Graph> | undefined
let count = 0

const limitOf = ({ error }: CellResult): Outcome['limit'] => {
  if (error?.kind === 'output-limit') return 'output'
  if (error?.kind === 'timeout') return error.message.includes('was active') ? 'compute' : 'wall'
  if (error?.kind === 'worker-exit' && error.message.includes('out of memory')) return 'memory'
  return undefined
}

export function outcomeOf(result: CellResult): Outcome {
  const { error, diagnostics, logs } = result
  const shown = logs.map(({ text }) => text)
  if (error === undefined) {
    return { ok: true, logs: shown, value: result.text ?? result.value, valueUndefined: !result.hasValue || result.text === 'undefined' }
  }
  const limit = limitOf(result)
  const place = diagnostics.find(({ source }) => source !== undefined)?.source
  return {
    ok: false, logs: shown, errorMessage: error.message, phase: result.status === 'noop' ? 'parse' : 'runtime',
    ...error.name === undefined ? {} : { errorName: error.name }, ...limit === undefined ? {} : { limit },
    ...place === undefined ? {} : { line: place.start.line },
  }
}

export async function createSession({ cwd, policy = 'stateful', config = {}, timeoutMs }: Options = {}) {
  const { kernel } = await (graph ??= boot({ kernel: { spareHelper: true } }))
  count += 1
  const session = await kernel.open(`conformance ${count}`, {
    ...cwd === undefined ? {} : { cwd }, policy,
    limits: { ...timeoutMs === undefined ? {} : { maxWallMs: timeoutMs, computeMs: timeoutMs }, ...config },
  })
  return {
    run: async (source: string): Promise<Outcome> => outcomeOf(await session.run(source)),
    close: () => session.close(),
  }
}

/** Takes the shared graph down. */
export async function shutdown(): Promise<void> {
  const running = await graph
  graph = undefined
  await running?.dispose()
}

// `ctx.ptcRuntime` of hosts from 0.1.6 on, in the place of the host's own. What a request resolves to is remembered, so that it
// runs where it was resolved or not at all.
//
// Owns: which specs are whose. Does not own: the original, and the owners' environments in it.
// Invariants: P1 a spec of an original that is gone does not run; P2 an owner's environment is released where it was made.
import type { Execution, Executions } from '../execution.ts'
import type { TransportTools } from '../host/transport.ts'
import type { PtcRuntime, PtcRunRequest, PtcRunSpec } from '../host/types.ts'
import { toPtcRunResult } from '../result.ts'
import { imagesIn, imagesOf, withImages } from './images.ts'
import { runCell } from './run-cell.ts'

export interface Attached {
  readonly original: PtcRuntime
  /** Set when the original has been taken away. */
  gone: boolean
}

/** Which originals keep something for an owner, over all attachments. */
export type Owners = WeakMap<object, Set<PtcRuntime>>

export function ptcRuntime(attached: Attached, executions: Executions, tools: TransportTools, owners: Owners): PtcRuntime {
  const { original } = attached
  const ours = new WeakMap<PtcRunSpec, { readonly execution: Execution, readonly asked: Pick<PtcRunRequest, 'timeoutMs'> }>()
  const runtime: PtcRuntime = {
    get language() { return original.language },
    // What the original says about its own way of running would mislead about ours, wherever cells are ours.
    get isolation() { return tools.isUnreadable ? original.isolation : 'process' },
    get executionInstructions() { return tools.isUnreadable ? original.executionInstructions : '' },
    get sandboxMode() { return tools.isUnreadable ? original.sandboxMode : undefined },
    get timeout() { return tools.isUnreadable ? original.timeout : undefined },
    ...original.programFormat === undefined ? {} : { programFormat: original.programFormat },
    get retainsState() { return tools.isUnreadable ? original.retainsState : true },
    resolve(request: PtcRunRequest): PtcRunSpec {
      const execution = executions.take(request.program, 'ptcRuntime')
      if (execution === undefined) return original.resolve(request)
      const { program, bindings, signal, timeoutMs = null, cwd = execution.agent.session.header.cwd ?? process.cwd() } = request
      const spec: PtcRunSpec = { program, bindings, cwd, timeoutMs, ...signal === undefined ? {} : { signal } }
      // A spec has null for both: no limit was asked for, and none was mentioned.
      ours.set(spec, { execution, asked: request.timeoutMs === undefined ? {} : { timeoutMs } })
      return spec
    },
    async run(spec: PtcRunSpec) {
      if (attached.gone) throw new Error('the runtime that resolved this program has been replaced: resolve it again') // P1
      const known = ours.get(spec)
      if (known !== undefined) {
        const { execution, asked } = known
        const { timeoutMs: _timeoutMs, ...rest } = spec
        const images = imagesOf(execution.agent.session)
        const request = { ...rest, ...asked, bindings: withImages(rest.bindings, images) }
        const result = await runCell(executions, execution, tools, request)
        return toPtcRunResult(result, spec.program, imagesIn(result.value, images))
      }
      if (spec.stateOwner !== undefined) { // P2
        const kept = owners.get(spec.stateOwner) ?? new Set()
        owners.set(spec.stateOwner, kept.add(original))
      }
      return await original.run(spec)
    },
  }
  if (original.release !== undefined) {
    runtime.release = async (owner) => {
      const kept = owners.get(owner) ?? new Set([original])
      // One that could not release is asked again the next time.
      for (const keeper of kept) { await keeper.release?.(owner); kept.delete(keeper) }
    }
  }
  if (original.registerEnvironmentInitializer !== undefined) {
    runtime.registerEnvironmentInitializer = (program) => original.registerEnvironmentInitializer!(program)
  }
  return runtime
}

// Stands between the host's model and its calls: hands the stream of a session's request to the repairs, and calls without a
// description to the host's own check as if they had one.
//
// Owns: the `execute` of the host's definitions of `run_code` while it stands there. Does not own: streams, executions.
import type { Context } from 'cordis'
import { ArgumentCheck } from '../../capabilities/declare/arguments.ts'
import type { JsonSchema } from '../../capabilities/types.ts'
import { hostOf } from '../host/context.ts'
import { transportTools } from '../host/transport.ts'
import type { ModelRequest, ToolDefinition, ToolExecution, ToolSchema } from '../host/types.ts'
import { kernelId } from '../session/hosted-session.ts'
import { RUN_CODE } from '../session/log.ts'
import { described, descriptionNotice } from './description.ts'
import { lastPolicyOf, pin, policyOf, recompose, unpin, type Policy, type Tolerance } from './policy.ts'
import { repaired, type Repairs } from './repaired.ts'

/** `attached`: whether cells run in kernels now; where none do, calls are the host's own. */
export function followStream(ctx: Context, attached: () => boolean, tolerance: Tolerance): void {
  const host = hostOf(ctx)
  const tools = transportTools(ctx, host.tools)

  host.on('system-prompt/assemble', async (_assembly, { agent, signal }, next) => {
    const assembly = await next()
    if (agent === undefined || signal === undefined) return assembly
    if (attached()) pin(agent, signal, assembly, tolerance)
    else unpin(agent, signal)
    return assembly
  })
  host.on('agent-preset/selected', (sessionId) => {
    const agent = host.get('agents')?.get(sessionId)
    if (agent !== undefined) recompose(agent)
  })

  const admits = ({ agent }: Policy) => (name: string) =>
    host.tools.get(name, agent) !== undefined && !ctx.capabilityPlan.isClosed(kernelId(agent.session), 'tools', name)
  const repairsOf = (policy: Policy, transport: ToolSchema, { messages, signal }: ModelRequest): Repairs => ({
    transport: RUN_CODE, refusedId: `ptc-plus-refused-${messages.length}`, isCancelled: () => signal?.aborted === true,
    admits: policy.canonicalizeToolCalls ? admits(policy) : undefined,
    fits: (args) => isAdmitted(transport, policy.autoDescribeRunCode ? described(args) ?? args : args),
  })
  host.on('llm/stream', (request, next) => {
    const policy = policyOf(request.signal, request.sessionId)
    const transport = request.tools?.find(({ name }) => name === RUN_CODE)
    return policy?.isCodeOnly === true && transport !== undefined ? repaired(next(), repairsOf(policy, transport, request)) : next()
  }, { global: true })

  const transports = new Transports()
  ctx.effect(() => () => { transports.restore() }, 'run_code.execute')
  host.on('tools/execute', async (exec, next) => {
    const policy = exec.name === RUN_CODE && exec.parent === undefined ? lastPolicyOf(exec.agent) : undefined
    if (policy === undefined) return await next()
    const definition = tools.get(RUN_CODE, exec.agent)
    const isDescribed = policy.autoDescribeRunCode && definition !== undefined && described(exec.arguments) !== undefined
    if (isDescribed) transports.describe(definition, exec)
    const result = await next()
    const notice = descriptionNotice(exec, result, isDescribed)
    return notice === undefined ? result : { ...result, additionalContexts: [...result.additionalContexts ?? [], notice] }
  })
}

function isAdmitted({ parameters }: ToolSchema, args: object): boolean {
  try {
    new ArgumentCheck(RUN_CODE, parameters as JsonSchema).assert(args)
    return true
  } catch {
    return false
  }
}

/** The host's definitions of `run_code`, which check the arguments of the executions named here as if they had a description. */
class Transports {
  private readonly executions = new WeakSet<ToolExecution>()
  private readonly replaced = new Map<ToolDefinition, PropertyDescriptor>()

  describe(definition: ToolDefinition, exec: ToolExecution): void {
    this.executions.add(exec)
    const before = Object.getOwnPropertyDescriptor(definition, 'execute')
    if (this.replaced.has(definition) || before?.configurable !== true) return
    const own = definition.execute!.bind(definition)
    const { executions } = this
    Object.defineProperty(definition, 'execute', {
      configurable: true, enumerable: before.enumerable ?? true, writable: true,
      value: (args: unknown, running: ToolExecution) => own(executions.has(running) ? described(args) ?? args : args, running),
    })
    this.replaced.set(definition, before)
  }

  restore(): void {
    for (const [definition, before] of this.replaced) Object.defineProperty(definition, 'execute', before)
    this.replaced.clear()
  }
}

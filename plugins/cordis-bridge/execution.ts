// Which call of which session a run belongs to. The seam names neither, so each execution of `run_code` is followed from where the
// host starts it to where its program reaches a runtime, and on to where its result is final.
//
// Owns: executions under way, and the metadata that their results carry. Does not own: cells (the hosted sessions').
// Crosses by: `around` and `final` from the host's events, `take` from the seam.
// Invariants:
//   E1  an execution is taken once, by a run of its own program
//   E2  a tool that a program calls, and everything that it starts, belongs to no execution
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Agent, Json, ToolDefinition, ToolExecution, ToolResult, Tools } from './host/types.ts'
import type { HostedSession } from './session/hosted-session.ts'
import { JOURNAL_KEY, RUN_CODE, type LoggedCell } from './session/log.ts'

export interface Execution {
  readonly agent: Agent
  readonly hosted: HostedSession
  readonly cell: LoggedCell
  taken: boolean
  /** What the result's private metadata has to say, once the cell has settled. */
  meta?: { readonly [key: string]: Json }
}

type Metadata = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Metadata => typeof value === 'object' && value !== null && !Array.isArray(value)

export class Executions {
  private readonly storage = new AsyncLocalStorage<Execution | undefined>()
  private readonly byArguments = new WeakMap<object, Execution>()
  /** Executions whose metadata is there and whose result is not final. */
  private readonly awaited = new Set<Execution>()
  /** Definitions whose metadata is ours for now, and what it was. */
  private readonly patched = new Map<ToolDefinition['output'], PropertyDescriptor | undefined>()
  private readonly tools: Tools
  private readonly hostedOf: (agent: Agent) => HostedSession

  constructor(tools: Tools, hostedOf: (agent: Agent) => HostedSession) {
    this.tools = tools
    this.hostedOf = hostedOf
  }

  /** The execution that asks for a run of `program` now, if it is the cell of a session. */
  take(program: string): Execution | undefined {
    const execution = this.storage.getStore()
    if (execution === undefined || execution.taken || execution.cell.source !== program) return undefined
    execution.taken = true // E1
    return execution
  }

  /** The cell has settled: what its result has to carry. */
  settled(execution: Execution, meta: NonNullable<Execution['meta']>): void {
    execution.meta = meta
    this.awaited.add(execution)
  }

  async around(exec: ToolExecution, next: () => Promise<ToolResult>): Promise<ToolResult> {
    const execution = this.begin(exec)
    const result = await this.storage.run(execution, next) // E2
    if (execution?.meta === undefined || !result.isError) return result
    // A failure has no definition that could project it.
    return { ...result, meta: { ...isObject(result.meta) ? result.meta : {}, ...execution.meta } }
  }

  /** The result is what it stays. Whether what the cell left behind is in it decides whether it counts. */
  final(exec: ToolExecution, { meta }: ToolResult): void {
    if (exec.name !== RUN_CODE || exec.parent !== undefined || exec.agent === undefined) return
    const execution = isObject(exec.arguments) ? this.byArguments.get(exec.arguments) : undefined
    if (execution !== undefined) this.awaited.delete(execution)
    if (execution?.meta !== undefined) {
      // The journal compares the record; what stands beside it is part of what it proves.
      const { [JOURNAL_KEY]: _record, ...beside } = execution.meta
      const isWhole = isObject(meta) && Object.entries(beside).every(([key, value]) => JSON.stringify(meta[key]) === JSON.stringify(value))
      execution.hosted.settle(execution.cell, isWhole ? meta[JOURNAL_KEY] : undefined)
      return
    }
    const hosted = this.hostedOf(exec.agent)
    const cell = hosted.log.openCall(exec.callId)
    if (cell !== undefined && execution?.taken !== true) hosted.passOver(cell)
  }

  /** Puts the host's definitions back as they were. */
  restore(): void {
    for (const [output, before] of this.patched) {
      if (before === undefined) delete output.presentationMeta
      else Object.defineProperty(output, 'presentationMeta', before)
    }
    this.patched.clear()
  }

  private begin({ name, callId, parent, agent, arguments: args }: ToolExecution): Execution | undefined {
    if (name !== RUN_CODE || parent !== undefined || agent === undefined || !isObject(args)) return undefined
    const hosted = this.hostedOf(agent)
    const cell = hosted.log.openCall(callId)
    const definition = this.tools.get(RUN_CODE, agent)
    if (cell === undefined || definition === undefined) return undefined
    this.carryMetadata(definition.output)
    const execution: Execution = { agent, hosted, cell, taken: false }
    this.byArguments.set(args, execution)
    return execution
  }

  private carryMetadata(output: ToolDefinition['output']): void {
    if (this.patched.has(output)) return
    const before = Object.getOwnPropertyDescriptor(output, 'presentationMeta')
    const own = output.presentationMeta?.bind(output)
    this.patched.set(output, before)
    const project = (args: unknown, value: unknown) => {
      const theirs = own?.(args, value)
      const ours = isObject(args) ? this.byArguments.get(args)?.meta : undefined
      return ours === undefined ? theirs ?? null : { ...isObject(theirs) ? theirs : {}, ...ours }
    }
    // The host takes a definition that has the member by its word that there is metadata: it has it only while there is.
    Object.defineProperty(output, 'presentationMeta', {
      configurable: true, enumerable: true, get: () => this.awaited.size > 0 ? project : own,
    })
  }
}


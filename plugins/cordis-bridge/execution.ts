// Which call of which session a run belongs to. The seam names neither, so each execution of `run_code` is followed from where the
// host starts it to where its program reaches a runtime, and on to where its result is final.
//
// Owns: executions under way, and the metadata that their results carry. Does not own: cells (the hosted sessions').
// Crosses by: `around`, `shown` and `final` from the host's events, `take` from the seam.
// Invariants:
//   E1  an execution is taken once, by a run of its own program
//   E2  a tool that a program calls, and everything that it starts, belongs to no execution
//   E3  of the calls that a call contains only the one that runs its cell's edit is an execution, and it ends before that result is final
import { AsyncLocalStorage } from 'node:async_hooks'
import { derivedCall, derivedMetadata, runDerived, shownWith, unlessAborted, type Metadata } from './edit/derived-run.ts'
import { HostedEdits, type Claim } from './edit/owner.ts'
import type { Agent, PostDecision, SeamName, ToolDefinition, ToolExecution, ToolResult, Tools } from './host/types.ts'
import { DERIVED_CELL_KEY, fieldsOf } from './session/evidence.ts'
import type { HostedSession } from './session/hosted-session.ts'
import { JOURNAL_KEY, RUN_CODE, type LoggedCell } from './session/log.ts'

export interface Execution {
  readonly agent: Agent
  readonly hosted: HostedSession
  readonly cell: LoggedCell
  /** What `tools.edit_run_code` in its cell is about. */
  readonly edits: HostedEdits
  /** The seam by which its program came; undefined until then. */
  taken: SeamName | undefined
  /** Of the run of an edit: the execution whose cell has edited. */
  readonly root?: Execution
  /** What the result's private metadata has to say, once the cell has settled. */
  meta?: Metadata
  /** The run of its cell's edit, and what the host made of it. */
  derived?: { readonly execution: Execution, readonly claim: Claim, readonly result: ToolResult }
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } => typeof value === 'object' && value !== null && !Array.isArray(value)

export class Executions {
  private readonly storage = new AsyncLocalStorage<Execution | undefined>()
  private readonly byArguments = new WeakMap<object, Execution>()
  /** Runs of edits that the host is about to be asked for, by the calls that contain them. */
  private readonly expected = new Map<symbol, Execution>()
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
  take(program: string, seam: SeamName): Execution | undefined {
    const execution = this.storage.getStore()
    if (execution === undefined || execution.taken !== undefined || execution.cell.source !== program) return undefined
    execution.taken = seam // E1
    return execution
  }

  /** The cell has settled: what its result has to carry. */
  settled(execution: Execution, meta: Metadata): void {
    execution.meta = meta
    if (execution.root === undefined) this.awaited.add(execution)
  }

  async around(exec: ToolExecution, next: () => Promise<ToolResult>): Promise<ToolResult> {
    const execution = this.begin(exec)
    const ran = await this.storage.run(execution, next) // E2
    if (execution?.meta === undefined || execution.root !== undefined) return ran
    const result = await this.runEdit(exec, execution, ran)
    if (!result.isError) return result
    // A failure has no definition that could project it.
    return { ...result, meta: { ...isObject(result.meta) ? result.meta : {}, ...execution.meta } }
  }

  /** E3. What the cell's edit has made runs now, if the cell has ended as a cell does. */
  private async runEdit(exec: ToolExecution, execution: Execution, result: ToolResult): Promise<ToolResult> {
    const { agent, hosted, cell: root, edits: { scheduled: claim }, taken: seam, meta = {} } = execution
    if (claim === undefined || seam === undefined || fieldsOf(meta[JOURNAL_KEY]).completion === undefined) return result
    const call = derivedCall(exec, claim)
    let derived: Execution | undefined
    const run = await runDerived(this.tools, seam, exec, call, () => {
      const cell = hosted.log.openCall(call.callId)
      if (cell === undefined) return
      derived = { agent, hosted, cell, edits: new HostedEdits(hosted.log, cell), taken: undefined, root: execution }
      this.expected.set(exec.token, derived)
    })
    this.expected.delete(exec.token)
    if (derived === undefined) return result
    execution.derived = { execution: derived, claim, result: run }
    execution.meta = { ...meta, ...derivedMetadata(root, derived.cell, claim, call, derived.meta ?? {}) }
    for (const context of run.additionalContexts ?? []) exec.deferContext?.(context)
    if (run.concludesTurn === true && !result.isError) exec.concludeTurn?.()
    return unlessAborted(result, exec)
  }

  /** What the model is shown of a result: with the run of its cell's edit. `decision`: of everybody else. */
  shown({ arguments: args }: ToolExecution, result: ToolResult, decision: PostDecision): PostDecision {
    const derived = isObject(args) ? this.byArguments.get(args)?.derived : undefined
    return derived === undefined ? decision : shownWith(decision, result, derived.claim, derived.result)
  }

  /** The result is what it stays. Whether what the cell left behind is in it decides whether it counts. `isOurs`: cells run in kernels. */
  final(exec: ToolExecution, { meta }: ToolResult, isOurs: boolean): void {
    if (exec.name !== RUN_CODE || exec.parent !== undefined || exec.agent === undefined) return
    const execution = isObject(exec.arguments) ? this.byArguments.get(exec.arguments) : undefined
    if (execution !== undefined) this.awaited.delete(execution)
    if (execution?.meta !== undefined) {
      // The journal compares the record; what stands beside it is part of what it proves.
      const { [JOURNAL_KEY]: _record, ...beside } = execution.meta
      const isWhole = isObject(meta) && Object.entries(beside).every(([key, value]) => JSON.stringify(meta[key]) === JSON.stringify(value))
      execution.hosted.settle(execution.cell, isWhole ? meta[JOURNAL_KEY] : undefined)
      if (execution.derived?.execution.meta !== undefined) this.finalDerived(execution, execution.derived.execution, isWhole ? meta : {})
      return
    }
    if (!isOurs) return
    const hosted = this.hostedOf(exec.agent)
    const cell = hosted.log.openCall(exec.callId)
    if (cell !== undefined && execution?.taken === undefined) hosted.passOver(cell)
  }

  /** The cell that edited has counted since its edit ran on what it left. If its record is lost after all, it does not count again. */
  private finalDerived({ hosted, cell, meta: told = {} }: Execution, derived: Execution, meta: { readonly [key: string]: unknown }): void {
    hosted.settle(derived.cell, fieldsOf(meta[DERIVED_CELL_KEY]).record)
    if (JSON.stringify(meta[JOURNAL_KEY]) !== JSON.stringify(told[JOURNAL_KEY])) hosted.disown(cell)
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
    if (name !== RUN_CODE || agent === undefined || !isObject(args)) return undefined
    if (parent !== undefined) {
      const derived = this.expected.get(parent)
      return derived?.cell.callId === callId ? derived : undefined
    }
    const hosted = this.hostedOf(agent)
    const cell = hosted.log.openCall(callId)
    const definition = this.tools.get(RUN_CODE, agent)
    if (cell === undefined || definition === undefined) return undefined
    this.carryMetadata(definition.output)
    const execution: Execution = { agent, hosted, cell, edits: new HostedEdits(hosted.log, cell), taken: undefined }
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


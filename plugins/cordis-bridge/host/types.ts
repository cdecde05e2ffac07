// What this plugin uses of the agent host, as the host publishes it: two generations of it at once, so every member that only one
// of them has is optional. Types only, and structural: nothing of the host is imported, here or anywhere in the plugin.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

// --- the execution seam -----------------------------------------------------------------------------------------------------------

export interface BindingNamespace {
  readonly global: string
  readonly functions: { readonly [member: string]: (args: unknown) => Promise<unknown> }
  readonly errorClass?: { readonly name: string, readonly memberNameProperty: string }
}

/** What both generations ask of a runtime. */
export interface RunRequest {
  readonly program: string
  readonly bindings: readonly BindingNamespace[]
  readonly signal?: AbortSignal
}

/** `ctx.codeRuntime`, up to 0.1.0-rc.8. */
export interface CodeRuntime {
  readonly language: string
  readonly isolation: string
  run(request: RunRequest): Promise<unknown>
}

export interface PtcRunRequest extends RunRequest {
  readonly cwd?: string
  readonly timeoutMs?: number | null
  readonly sandboxPolicy?: unknown
  readonly stateOwner?: object
  readonly discardCompletion?: boolean
}

export interface PtcRunSpec extends PtcRunRequest {
  readonly cwd: string
  readonly timeoutMs: number | null
}

/** `ctx.ptcRuntime`, from 0.1.6 on. */
export interface PtcRuntime {
  readonly language: string
  readonly isolation: string
  readonly executionInstructions?: string | undefined
  readonly sandboxMode?: string | undefined
  readonly timeout?: { readonly defaultMs: number, readonly maxMs: number } | undefined
  readonly programFormat?: string
  readonly retainsState?: boolean | undefined
  resolve(request: PtcRunRequest): PtcRunSpec
  run(spec: PtcRunSpec): Promise<unknown>
  /** Later releases only. */
  release?(owner: object): Promise<void>
  registerEnvironmentInitializer?(program: string): () => Promise<void>
}

export interface Seams {
  readonly codeRuntime: CodeRuntime
  readonly ptcRuntime: PtcRuntime
}
export type SeamName = keyof Seams

// --- sessions ---------------------------------------------------------------------------------------------------------------------

/** One event of a session's log. `data` is read by `session/log.ts` only. */
export interface SessionEvent {
  readonly type: string
  readonly seq: number
  readonly data: unknown
  readonly sourceEventSeqs?: readonly number[]
  readonly surfaceOp?: 'append' | { readonly op: string, readonly start: number, readonly end: number }
}

export interface HostSession {
  readonly id: string
  /** Of the event that comes next. */
  readonly seq: number
  readonly header: { readonly cwd?: string }
  /** Up to 0.1.6. */
  readonly events?: readonly SessionEvent[]
  /** Since. */
  snapshotEvents?(): readonly SessionEvent[]
  /** What the model sees, as sequence numbers in its order. */
  readonly surface: { readonly nodes: readonly number[] }
  /** By `appendTo` only: the host types it by the event. */
  append(...args: never[]): unknown
}

export interface Agent {
  readonly id: string
  readonly session: HostSession
}

// --- tools ------------------------------------------------------------------------------------------------------------------------

export interface ToolSchema {
  readonly name: string
  readonly description: string
  readonly parameters: unknown
}

export interface ToolOutput {
  readonly schema?: unknown
  presentationMeta?(args: unknown, value: unknown): unknown
}

export interface ToolDefinition extends ToolSchema {
  readonly output: ToolOutput
  /** Checks the arguments itself. Always there; described only for those who replace it. */
  execute?(args: unknown, exec: ToolExecution): unknown
}

export interface ToolCall {
  readonly callId: string
  /** The call of the model that this one is part of. */
  readonly rootCallId?: string
  readonly name: string
  readonly arguments: unknown
  readonly agent?: Agent
  /** Present when a program made the call. */
  readonly parent?: symbol
  readonly signal: AbortSignal
}

/** A call on its way through the host. Its `arguments` are a detached, frozen object of this execution alone. */
export interface ToolExecution extends ToolCall {
  readonly token: symbol
  /** Where a tool runs: a message for the model after the result. */
  deferContext?(context: unknown): void
  /** Where a tool runs: its success ends the turn. */
  concludeTurn?(): void
}

export interface ToolResult {
  readonly isError: boolean
  readonly content: readonly unknown[]
  readonly error?: { readonly message: string, readonly info?: unknown }
  readonly meta?: unknown
  /** Messages for the model after the result. */
  readonly additionalContexts?: readonly unknown[]
  readonly concludesTurn?: boolean
}

/** What a policy makes of a result. */
export interface PostDecision {
  readonly kind: string
  readonly content?: readonly unknown[]
  readonly value?: unknown
}

export interface Tools {
  get(name: string, scope?: unknown): ToolDefinition | undefined
  /** Through policy, guards, approval and the tool itself. A failure is a result. */
  execute(call: ToolCall): Promise<ToolResult>
}

// --- the model's stream -----------------------------------------------------------------------------------------------------------

export interface ToolCallBlock {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  /** JSON, as the model wrote it. */
  readonly arguments: string
}

/** Blocks that we do not know are passed on. */
export type ContentBlock = ToolCallBlock | { readonly type: 'text' | 'reasoning', readonly text: string } | { readonly type: 'image' | 'tool-result' }

export interface Failure {
  readonly message: string
  readonly code?: string
}

/** What a provider streams. `index` says which block a chunk is part of; blocks can be open at once. */
export type StreamChunk =
  | { readonly type: 'block-start', readonly index: number, readonly blockType: string }
  | { readonly type: 'text-delta' | 'reasoning-delta', readonly index: number, readonly text: string }
  | { readonly type: 'tool-call-delta', readonly index: number, readonly id: string, readonly name?: string, readonly argumentsDelta: string }
  | { readonly type: 'block-end', readonly index: number, readonly block: ContentBlock }
  | { readonly type: 'usage', readonly usage: object }
  | { readonly type: 'finish', readonly reason: FinishReason, readonly replayState?: unknown }

export type FinishReason = { readonly kind: 'error' | 'aborted', readonly failure: Failure } | { readonly kind: 'stop' | 'tool-calls' | 'max-tokens' }

/** A request to a model. `signal` is that of the turn that asks. */
export interface ModelRequest {
  readonly messages: readonly unknown[]
  readonly tools?: readonly ToolSchema[]
  readonly signal?: AbortSignal
  readonly sessionId?: string
}

// --- prompt -----------------------------------------------------------------------------------------------------------------------

export interface AssembleContext {
  readonly scope?: unknown
  readonly agent?: Agent
  /** Of the turn that the assembly is for. */
  readonly signal?: AbortSignal
}

export interface Assembly {
  readonly sections: readonly { readonly name: string, readonly text: string }[]
  readonly contexts: readonly { readonly name: string, readonly text: string }[]
  readonly tools: readonly ToolSchema[]
}

export interface SystemPrompt {
  section(section: { readonly name: string, readonly order: number, readonly text: (context: AssembleContext) => string }): () => void
  /** Part of a message that the host renews when it changes; empty text adds nothing. */
  context(context: { readonly name: string, readonly order: number, readonly text: string }): () => void
}

/** A step that the host is about to begin. `step`: within its turn, from 1. */
export interface PreStep {
  readonly agent: Agent
  readonly messages: readonly unknown[]
  readonly step: number
  readonly signal: AbortSignal
}

export type PreStepDecision = { readonly kind: 'reject' } | { readonly kind: 'enter', readonly messages: readonly unknown[] }

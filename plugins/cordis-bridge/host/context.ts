// The host's services and events on a context. One cast, here: the host declares them for its own copy of Cordis, this plugin is
// compiled against another.
import type { Context } from 'cordis'
import type {
  Agent, AssembleContext, Assembly, HostSession, ModelRequest, PostDecision, PreStep, PreStepDecision, StreamChunk, SystemPrompt, ToolExecution, ToolResult, Tools,
} from './types.ts'

export interface HostContext {
  readonly tools: Tools
  readonly systemPrompt: SystemPrompt
  get(service: 'agents'): { get(sessionId: string): Agent | undefined } | undefined
  on(event: 'tools/execute', listener: (exec: ToolExecution, next: () => Promise<ToolResult>) => Promise<ToolResult>): () => void
  on(
    event: 'tools/post-execute', listener: (exec: ToolExecution, result: ToolResult, next: () => Promise<PostDecision>) => Promise<PostDecision>,
    options: { readonly prepend: true },
  ): () => void
  on(event: 'tools/result', listener: (exec: ToolExecution, result: ToolResult) => void): () => void
  on(event: 'session/disposed', listener: (session: HostSession) => void): () => void
  on(event: 'agent/disposed', listener: (payload: { readonly agent: Agent }) => void): () => void
  on(event: 'agent-preset/selected', listener: (sessionId: string) => void): () => void
  on(
    event: 'llm/stream', listener: (request: ModelRequest, next: () => AsyncIterable<StreamChunk>) => AsyncIterable<StreamChunk>,
    options: { readonly global: true },
  ): () => void
  on(event: 'agent/pre-step', listener: (step: PreStep, next: () => Promise<PreStepDecision>) => Promise<PreStepDecision>): () => void
  on(
    event: 'system-prompt/assemble',
    listener: (assembly: Assembly, context: AssembleContext, next: () => Promise<Assembly>) => Promise<Assembly>,
  ): () => void
}

/** Adds an event that the model does not see to a session's log. Throws when the data is not plain JSON. */
export function appendTo(session: HostSession, type: string, data: object): void {
  (session as unknown as { append(type: string, data: object): unknown }).append(type, data)
}

export const hostOf = (ctx: Context): HostContext => ctx as unknown as HostContext

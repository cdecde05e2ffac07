// The host's published types, where the bridge describes what it uses of them in its own: this file compiles as long as they agree.
import type { Agent as PublishedAgent, PreStepDecision as PublishedPreStep } from '@deepseek-ai/dsh-agent'
import type { CodeRunResult, CodeRuntime as PublishedCodeRuntime } from '@deepseek-ai/dsh-code-runtime'
import type { GenerateOptions, StreamChunk as PublishedChunk } from '@deepseek-ai/dsh-llm'
import type { PtcRunResult, PtcRuntime as PublishedPtcRuntime } from '@deepseek-ai/dsh-ptc-runtime'
import type { Session as PublishedSession } from '@deepseek-ai/dsh-session'
import type { AssembleContext as PublishedContext, PromptAssembly } from '@deepseek-ai/dsh-system-prompt'
import type { ToolExecution as PublishedExecution, PostToolDecision, ToolExecutionInput, ToolExecutionResult, ToolRuntime } from '@deepseek-ai/dsh-tools'
import type { Agent, AssembleContext, Assembly, CodeRuntime, HostSession, ModelRequest, PostDecision, PreStepDecision, PtcRuntime, StreamChunk, ToolCall, ToolExecution, ToolResult, Tools } from '../../plugins/cordis-bridge/host/types.ts'
import type { RunResult } from '../../plugins/cordis-bridge/result.ts'

export const read = {
  codeRuntime: (published: PublishedCodeRuntime): CodeRuntime => published,
  ptcRuntime: (published: PublishedPtcRuntime): PtcRuntime => published,
  session: (published: PublishedSession): HostSession => published,
  agent: (published: PublishedAgent): Agent => published,
  execution: (published: PublishedExecution): ToolExecution => published,
  result: (published: ToolExecutionResult): ToolResult => published,
  decision: (published: PostToolDecision): PostDecision => published,
  tools: (published: Pick<ToolRuntime, 'get'>): { get(name: string, scope?: PublishedAgent): ReturnType<Tools['get']> } => published,
  assembly: (published: PromptAssembly): Assembly => published,
  assembling: (published: PublishedContext): AssembleContext => published,
  preStep: (published: PublishedPreStep): PreStepDecision => published,
  chunk: (published: PublishedChunk): StreamChunk => published,
  request: (published: GenerateOptions): ModelRequest => published,
}

/** What the host reads of ours; values and kinds of failure are checked where they are made. */
export const write = {
  codeRunResult: (ours: RunResult): Pick<CodeRunResult, 'logs'> => ours,
  ptcRunResult: (ours: RunResult): Pick<PtcRunResult, 'logs'> => ours,
  /** Names of calls are branded there, and every call of ours repeats names that the host gave out. */
  call: (ours: Omit<ToolCall, 'callId' | 'rootCallId' | 'agent' | 'parent'>): Omit<ToolExecutionInput, 'callId' | 'rootCallId' | 'agent' | 'parent'> => ours,
}

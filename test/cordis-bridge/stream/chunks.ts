// Chunks of a provider's stream, written by hand.
import type { StreamChunk } from '../../../plugins/cordis-bridge/host/types.ts'

export const start = (index: number, blockType = 'tool-call'): StreamChunk => ({ type: 'block-start', index, blockType })
export const delta = (index: number, argumentsDelta: string, name = 'read', id = `call-${index}`): StreamChunk => ({ type: 'tool-call-delta', index, id, name, argumentsDelta })
export const end = (index: number, args: string, name = 'read', id = `call-${index}`): StreamChunk => ({ type: 'block-end', index, block: { type: 'tool-call', id, name, arguments: args } })
export const call = (index: number, args: string, name = 'read', id = `call-${index}`): StreamChunk[] => [start(index), delta(index, args, name, id), end(index, args, name, id)]
export const say = (index: number, text: string): StreamChunk => ({ type: 'text-delta', index, text })
export const said = (index: number, text: string): StreamChunk => ({ type: 'block-end', index, block: { type: 'text', text } })
export const usage: StreamChunk = { type: 'usage', usage: { inputTokens: 1 } }
export const finish: StreamChunk = { type: 'finish', reason: { kind: 'tool-calls' } }
export const failure = { message: 'invalid JSON in the arguments of a tool call: Unexpected end of input', code: 'MALFORMED_RESPONSE' }
export const failed: StreamChunk = { type: 'finish', reason: { kind: 'error', failure } }

/** A call whose arguments come in parts of at most so many units. */
export const inParts = (index: number, args: string, size: number, name = 'read'): StreamChunk[] =>
  [start(index), ...(args.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? ['']).map((part) => delta(index, part, name)), end(index, args, name)]

export async function* streamOf(chunks: readonly StreamChunk[], error?: unknown): AsyncGenerator<StreamChunk> {
  yield* chunks
  if (error !== undefined) throw error
}

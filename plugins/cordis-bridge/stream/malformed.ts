// What becomes of a response that its provider gives up because the JSON of a tool call is none? The turn goes on: a call that can be
// had without doubt is had, any other is refused by the host as arguments that do not fit, and the model gets its next step (contract
// 7.2). Pure.
//
// Owns: the body of one response, which is everything from its first tool call on, until it ends.
// Invariants: M1 of a body that its provider gave up no call leaves that it did not end, and none beside one that leaves a doubt.
import type { Failure, StreamChunk, ToolCallBlock } from '../host/types.ts'
import { framed, partsOf, toolIndexOf } from './calls.ts'

type Finish = StreamChunk & { readonly type: 'finish' }

const CODE = 'MALFORMED_RESPONSE'
/** Of the messages with that code, those about arguments of a tool call. What comes after a colon is quoted from the response. */
const ABOUT_TOOL_JSON = /^(?=[^:]*\bJSON\b)(?=[^:]*\btool\b)(?=[^:]*\b(?:invalid|malformed|unparse?able|incomplete|bad)\b)/iu

export const isMalformedCall = ({ code, message }: Failure): boolean => code === CODE && ABOUT_TOOL_JSON.test(message)

/** The same of what a stream throws. */
const isThrownMalformedCall = (error: unknown): boolean => {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Partial<Failure>
  return typeof code === 'string' && typeof message === 'string' && isMalformedCall({ code, message })
}

export interface Recovery {
  readonly transport: string
  /** Whether a value fits the declared parameters of the transport. */
  fits(args: object): boolean
  /** The id of a call that stands for those that can not be had; the same for the same request. */
  readonly refusedId: string
  isCancelled(): boolean
}

/** Valid JSON, so that every provider takes it back, and no object, so that no host runs it. */
export const REFUSED_ARGUMENTS = JSON.stringify('A tool call of this response was not valid JSON. Nothing was run.')

export class Malformed {
  private readonly recovery: Recovery
  private body: StreamChunk[] | undefined
  /** Text and reasoning that have begun to leave and have not ended. */
  private readonly open = new Map<number, { readonly type: 'text' | 'reasoning', text: string }>()
  private usages = 0
  private nextIndex = 0

  constructor(recovery: Recovery) { this.recovery = recovery }

  /** What can leave now. `isFinal`: the response has failed or been repaired, and its chunks stay as they are. */
  push(chunk: StreamChunk): { readonly chunks: StreamChunk[], readonly isFinal: boolean } {
    if ('index' in chunk) this.nextIndex = Math.max(this.nextIndex, chunk.index + 1)
    if (chunk.type === 'finish') {
      const { reason } = chunk
      if (reason.kind === 'error' && isMalformedCall(reason.failure) && !this.recovery.isCancelled()) return { chunks: this.repair(chunk), isFinal: true }
      return { chunks: [...this.flush(), chunk], isFinal: reason.kind === 'error' || reason.kind === 'aborted' }
    }
    if (this.body === undefined && toolIndexOf(chunk) === undefined) {
      this.see(chunk)
      return { chunks: [chunk], isFinal: false }
    }
    this.body ??= []
    this.body.push(chunk)
    return { chunks: [], isFinal: false }
  }

  /** What takes the place of an error that the stream has thrown; undefined for one that is not about a call. */
  caught(error: unknown): StreamChunk[] | undefined {
    return isThrownMalformedCall(error) && !this.recovery.isCancelled() ? this.repair() : undefined
  }

  /** What is held, as it came. */
  flush(): StreamChunk[] {
    const held = this.body ?? []
    this.body = undefined
    return held
  }

  private repair(finish?: Finish): StreamChunk[] {
    const body = this.flush()
    const usage = body.filter(({ type }) => type === 'usage')
    const calls = this.trusted(body, usage.length)
    const kept = calls === undefined ? this.refuse(body) : [...this.close(), ...[...this.corrected(calls)].flatMap(([index, call]) => framed(index, call))]
    const { replayState: _replayState, ...rest } = finish ?? { type: 'finish' as const }
    return [...kept, ...this.usages + usage.length === 1 ? usage : [], { ...rest, reason: { kind: 'tool-calls' } }]
  }

  /** The calls of a body that is nothing but calls, all of them whole. */
  private trusted(body: readonly StreamChunk[], usages: number): Map<number, ToolCallBlock> | undefined {
    if (this.usages + usages > 1 || !body.every((chunk) => chunk.type === 'usage' || toolIndexOf(chunk) !== undefined)) return undefined
    const calls = new Map<number, ToolCallBlock>()
    for (const [index, part] of partsOf(body)) {
      const call = part.whole(false, (text, final) => text === final)
      if (call === undefined) return undefined // M1
      calls.set(index, call)
    }
    return calls.size > 0 ? calls : undefined
  }

  /** With one closing brace less where that makes the one call of the transport a call that fits. */
  private corrected(calls: Map<number, ToolCallBlock>): Map<number, ToolCallBlock> {
    const ofTransport = [...calls].filter(([, { name }]) => name === this.recovery.transport)
    const [[index, call] = []] = ofTransport
    if (ofTransport.length !== 1 || index === undefined || call === undefined) return calls
    const shorter = withoutLastBrace(call.arguments)
    return shorter !== undefined && this.fits(shorter) ? new Map(calls).set(index, { ...call, arguments: shorter }) : calls
  }

  private fits(text: string): boolean {
    try {
      const value = JSON.parse(text) as unknown
      return typeof value === 'object' && value !== null && !Array.isArray(value) && this.recovery.fits(value)
    } catch {
      return false
    }
  }

  /** What the model said besides, and one call that the host refuses. */
  private refuse(body: readonly StreamChunk[]): StreamChunk[] {
    const said = body.filter((chunk) => chunk.type !== 'usage' && toolIndexOf(chunk) === undefined && this.see(chunk))
    const { transport: name, refusedId: id } = this.recovery
    return [...said, ...this.close(), ...framed(this.nextIndex, { type: 'tool-call', id, name, arguments: REFUSED_ARGUMENTS })]
  }

  private close(): StreamChunk[] {
    const ends = [...this.open].map(([index, block]): StreamChunk => ({ type: 'block-end', index, block: { ...block } }))
    this.open.clear()
    return ends
  }

  /** Keeps account of what leaves. Answers whether the chunk fits what has left before. */
  private see(chunk: StreamChunk): boolean {
    switch (chunk.type) {
      case 'usage':
        this.usages += 1
        return true
      case 'block-start':
        if (chunk.blockType !== 'text' && chunk.blockType !== 'reasoning' || this.open.has(chunk.index)) return false
        this.open.set(chunk.index, { type: chunk.blockType, text: '' })
        return true
      case 'text-delta': case 'reasoning-delta': {
        const block = this.open.get(chunk.index)
        if (block === undefined || `${block.type}-delta` !== chunk.type) return false
        block.text += chunk.text
        return true
      }
      case 'block-end': return this.open.delete(chunk.index)
      default: return false
    }
  }
}

/** Without the brace that the text ends with; white space after it stays. */
function withoutLastBrace(text: string): string | undefined {
  const end = text.trimEnd().length
  return text[end - 1] === '}' ? text.slice(0, end - 1) + text.slice(end) : undefined
}

// Which tool calls of a response are meant for a program, and how does the program read that makes them? A model that can call
// `run_code` alone calls `read` now and then: the call becomes the cell that it should have been (contract 7.1). Pure.
import type { FinishReason, StreamChunk, ToolCallBlock } from '../host/types.ts'
import { RUN_CODE } from '../session/log.ts'
import { CallParts, framed, isSameJson, toolIndexOf, valueOf } from './calls.ts'
import { literalOf } from './literal.ts'

const PREFIX = 'tools.'
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

/** Whether programs of this request can call the tool of that name. Of transports it is never asked. */
export type Admits = (name: string) => boolean

/** The member that a call of `name` means. */
function memberOf(name: string, admits: Admits): string | undefined {
  if (name === RUN_CODE) return undefined
  if (admits(name)) return name
  const member = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : ''
  return member !== '' && member !== RUN_CODE && !member.includes('.') && admits(member) ? member : undefined
}

/** The arguments of the `run_code` call that calls the member. */
function cellOf(member: string, json: string): string {
  const access = IDENTIFIER.test(member) ? `.${member}` : `[${JSON.stringify(member)}]`
  return JSON.stringify({ code: `{ return await tools${access}(${literalOf(json)}) }`, description: `Call the tool ${member}` })
}

/** Ends of a response whose calls the host runs. */
const runsCalls = ({ kind }: FinishReason): boolean => kind === 'tool-calls' || kind === 'stop'

/**
 * One response. What is not rewritten leaves as it came, the same objects in the same order; a block that may have to be rewritten is
 * held with everything after it until no such block is open.
 */
export class Misplaced {
  private readonly admits: Admits
  private held: StreamChunk[] = []
  private parts = new Map<number, CallParts>()
  /** Blocks that leave as they come. */
  private readonly passing = new Set<number>()
  private hasRewritten = false
  /** Deltas repeat a name, and the host looks a tool up in several places. */
  private readonly members = new Map<string, string | undefined>()

  constructor(admits: Admits) { this.admits = admits }

  push(chunk: StreamChunk): StreamChunk[] {
    if (chunk.type === 'finish') {
      const before = runsCalls(chunk.reason) ? this.settle(true) : this.flush()
      return [...before, this.hasRewritten ? withoutReplay(chunk) : chunk]
    }
    const index = toolIndexOf(chunk)
    if (this.held.length === 0 && (index === undefined || this.passing.has(index))) {
      if (index !== undefined && chunk.type === 'block-end') this.passing.delete(index)
      return [chunk]
    }
    this.held.push(chunk)
    if (index === undefined || this.passing.has(index)) return []
    const part = this.parts.get(index) ?? new CallParts(index)
    this.parts.set(index, part)
    part.add(chunk)
    const open = [...this.parts.values()].filter(({ isOpen }) => isOpen)
    if (open.length === 0) return this.settle(false)
    if (this.parts.size > 1 || part.name === undefined || this.memberOf(part.name) !== undefined) return []
    this.passing.add(index)
    return this.flush()
  }

  /** What is held, as it came: the stream has broken off. */
  flush(): StreamChunk[] {
    const { held } = this
    this.held = []
    this.parts = new Map()
    return held
  }

  private memberOf(name: string): string | undefined {
    if (!this.members.has(name)) this.members.set(name, memberOf(name, this.admits))
    return this.members.get(name)
  }

  private settle(isOver: boolean): StreamChunk[] {
    const rewritten = new Map<number, ToolCallBlock>()
    for (const [index, part] of this.parts) {
      const call = part.whole(isOver, isSameJson)
      const member = call && this.memberOf(call.name)
      if (call === undefined || member === undefined || valueOf(call.arguments) === undefined) continue
      rewritten.set(index, { ...call, name: RUN_CODE, arguments: cellOf(member, call.arguments) })
    }
    const held = this.flush()
    if (rewritten.size === 0) return held
    this.hasRewritten = true
    const begun = new Set<number>()
    return held.flatMap((chunk) => {
      const index = toolIndexOf(chunk)
      const call = index === undefined ? undefined : rewritten.get(index)
      if (index === undefined || call === undefined) return [chunk]
      if (begun.has(index)) return []
      begun.add(index)
      return framed(index, call)
    })
  }
}

/** What the provider wants to see again is about calls that it did make. */
function withoutReplay(chunk: StreamChunk & { readonly type: 'finish' }): StreamChunk {
  const { replayState: _replayState, ...rest } = chunk
  return rest
}

// What do the chunks of one tool call say together, and do they agree? Pure.
import type { StreamChunk, ToolCallBlock } from '../host/types.ts'

/** The block that a chunk is part of, if that is a tool call. */
export function toolIndexOf(chunk: StreamChunk): number | undefined {
  switch (chunk.type) {
    case 'block-start': return chunk.blockType === 'tool-call' ? chunk.index : undefined
    case 'block-end': return chunk.block.type === 'tool-call' ? chunk.index : undefined
    case 'tool-call-delta': return chunk.index
    default: return undefined
  }
}

/** One call in the framing that every host takes. */
export const framed = (index: number, block: ToolCallBlock): StreamChunk[] => [
  { type: 'block-start', index, blockType: 'tool-call' },
  { type: 'tool-call-delta', index, id: block.id, name: block.name, argumentsDelta: block.arguments },
  { type: 'block-end', index, block },
]

/**
 * The chunks of one block, in order. Providers leave some of the framing out, and so does this: what is there has to agree, and
 * nothing may come after the end.
 */
export class CallParts {
  readonly index: number
  private readonly ids = new Set<string>()
  private readonly names = new Set<string>()
  private text = ''
  private count = 0
  private hasDelta = false
  private isBroken = false
  private end: ToolCallBlock | undefined

  constructor(index: number) { this.index = index }

  get isOpen(): boolean { return this.end === undefined }

  /** The one name that was given so far. */
  get name(): string | undefined { return this.names.size === 1 ? [...this.names][0] : undefined }

  add(chunk: StreamChunk): void {
    if (this.end !== undefined || chunk.type === 'block-start' && this.count > 0) this.isBroken = true
    this.count += 1
    if (chunk.type === 'tool-call-delta') {
      this.ids.add(chunk.id)
      if (chunk.name !== undefined) this.names.add(chunk.name)
      this.text += chunk.argumentsDelta
      this.hasDelta = true
    } else if (chunk.type === 'block-end' && chunk.block.type === 'tool-call') {
      this.ids.add(chunk.block.id)
      this.names.add(chunk.block.name)
      this.end = chunk.block
    }
  }

  /**
   * The call, when the parts agree on it. `isOver`: the response has ended, so that a block without an end has its parts.
   * `same` decides whether the arguments that came in parts are those at the end.
   */
  whole(isOver: boolean, same: (text: string, final: string) => boolean): ToolCallBlock | undefined {
    const { ids, names, text, end, hasDelta } = this
    const [id = ''] = ids
    const [name = ''] = names
    if (this.isBroken || ids.size !== 1 || names.size !== 1 || id === '' || name === '') return undefined
    if (end === undefined) return isOver ? { type: 'tool-call', id, name, arguments: text } : undefined
    return !hasDelta || same(text, end.arguments) ? end : undefined
  }
}

/** The calls among chunks by their blocks, in the order in which the blocks begin. */
export function partsOf(chunks: Iterable<StreamChunk>): Map<number, CallParts> {
  const parts = new Map<number, CallParts>()
  for (const chunk of chunks) {
    const index = toolIndexOf(chunk)
    if (index === undefined) continue
    const known = parts.get(index) ?? new CallParts(index)
    parts.set(index, known)
    known.add(chunk)
  }
  return parts
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The value of a JSON text; undefined when it is none. */
export function valueOf(text: string): { readonly value: unknown } | undefined {
  try { return { value: JSON.parse(text) as unknown } } catch { return undefined }
}

/** Whether two texts are JSON of one value. Without recursion: a model nests as deep as it likes. */
export function isSameJson(left: string, right: string): boolean {
  const [a, b] = [valueOf(left), valueOf(right)]
  if (a === undefined || b === undefined) return false
  if (left === right) return true
  const pairs: [unknown, unknown][] = [[a.value, b.value]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other] = pair
    if (!isContainer(one) || !isContainer(other)) {
      if (!Object.is(one, other)) return false
      continue
    }
    const keys = Object.keys(one)
    if (Array.isArray(one) !== Array.isArray(other) || keys.length !== Object.keys(other).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false
      pairs.push([one[key], other[key]])
    }
  }
  return true
}

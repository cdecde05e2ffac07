// What does a host get to read of a provider's stream? The stream, with calls where the host takes them. Pure.
import type { StreamChunk } from '../host/types.ts'
import { Malformed, type Recovery } from './malformed.ts'
import { Misplaced, type Admits } from './misplaced.ts'

export interface Repairs extends Recovery {
  /** Which tools programs can call; undefined where calls in the wrong place are left to the host. */
  readonly admits: Admits | undefined
}

/**
 * The chunks of `source` as they come, and from its first tool call on when it has ended. An error of the source comes after what was
 * held; a consumer that stops reading stops the source.
 */
export async function* repaired(source: AsyncIterable<StreamChunk>, repairs: Repairs): AsyncGenerator<StreamChunk, void, undefined> {
  const malformed = new Malformed(repairs)
  const misplaced = repairs.admits && new Misplaced(repairs.admits)
  const placed = (chunks: readonly StreamChunk[]) => misplaced === undefined ? chunks : chunks.flatMap((chunk) => misplaced.push(chunk))
  const iterator = source[Symbol.asyncIterator]()
  let isOver = false
  try {
    for (;;) {
      let item: IteratorResult<StreamChunk>
      try {
        item = await iterator.next()
      } catch (error) {
        isOver = true
        const instead = malformed.caught(error)
        yield* instead ?? malformed.flush()
        if (instead === undefined) throw error
        return
      }
      if (item.done === true) {
        isOver = true
        yield* malformed.flush()
        return
      }
      const { chunks, isFinal } = malformed.push(item.value)
      yield* isFinal ? chunks : placed(chunks)
    }
  } finally {
    if (!isOver) await iterator.return?.()
  }
}

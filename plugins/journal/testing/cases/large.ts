// A history that is larger than the memory of the process that opens it. Both processes here have a small heap, and the most
// memory that they ever used is compared with what they used before.
import assert from 'node:assert/strict'
import type { Case } from '../trial.ts'

const ENTRY_BYTES = 256 * 1024
/** Garbage that is not collected yet, whatever the size of the history. */
const MOST_GROWN_BYTES = 96 * 1024 * 1024
const SMALL_HEAP = ['--max-old-space-size=64']

export const LARGE: readonly Case[] = [
  {
    title: 'a large history is written, opened, read and continued without being held in memory',
    needs: 'large',
    async test(trial) {
      const bytes = trial.largeBytes
      assert.ok(bytes >= 2 * MOST_GROWN_BYTES, `largeBytes must be ${2 * MOST_GROWN_BYTES} at least, or the case shows nothing`)
      const writer = await trial.other(SMALL_HEAP)
      await writer.ask({ do: 'open', id: 'small' })
      await writer.ask({ do: 'fill', bytes: ENTRY_BYTES * 16, entryBytes: ENTRY_BYTES })
      await writer.ask({ do: 'close' })
      await writer.ask({ do: 'open', id: 'large' })
      const { count } = await writer.ask({ do: 'fill', bytes, entryBytes: ENTRY_BYTES })
      await writer.ask({ do: 'close' })
      const reader = await trial.other(SMALL_HEAP)
      // What reading takes at all, whatever is read: code, buffers, a heap that has seen some entries.
      const before = await reader.ask({ do: 'read', id: 'small' })
      assert.equal(before.count, 16)
      assert.equal((await reader.ask({ do: 'read', id: 'large' })).count, count)
      await reader.ask({ do: 'open', id: 'large' })
      const after = await reader.ask({ do: 'fill', bytes: ENTRY_BYTES, entryBytes: ENTRY_BYTES })
      await reader.ask({ do: 'close' })
      const grown = after.peakBytes - before.peakBytes
      assert.ok(grown < MOST_GROWN_BYTES, `${grown} bytes more memory for a history of ${bytes}`)
      const last = await writer.ask({ do: 'read', id: 'large' })
      assert.equal(last.count, count + 1)
    },
  },
]

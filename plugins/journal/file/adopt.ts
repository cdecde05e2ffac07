// Writes a whole history beside the place where it belongs and puts it there when it is complete. Whoever calls holds the
// session's lock, so there is one such draft at a time; one that a dead process left is written over.
import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import type { HistoryEntry } from '../types.ts'
import { adoptedText } from '../entry.ts'
import { storing } from '../errors.ts'
import { encodeLine } from '../line.ts'
import type { Disk } from './disk.ts'

const BATCH_BYTES = 256 * 1024

/** All or nothing: when this throws (what `entries` throws, or `JournalError` `io`) nothing is at `path` or beside it. */
export async function adopt(path: string, entries: AsyncIterable<HistoryEntry>, disk: Disk): Promise<void> {
  const draft = `${path}.import`
  const fd = storing(`creating ${draft}`, () => openSync(draft, 'w', 0o600))
  let isPlaced = false
  try {
    try {
      let batch: Buffer[] = []
      let size = 0
      const flush = (): void => storing(`writing ${draft}`, () => {
        const bytes = Buffer.concat(batch)
        if (disk.write(fd, bytes) !== bytes.length) throw new Error('not all bytes were written; is the disk full?')
        batch = []
        size = 0
      })
      for await (const entry of entries) {
        const line = encodeLine(adoptedText(entry))
        batch.push(line)
        if ((size += line.length) >= BATCH_BYTES) flush()
      }
      if (size > 0) flush()
      storing(`writing ${draft}`, () => disk.fdatasync(fd))
    } finally {
      closeSync(fd)
    }
    storing(`placing ${path}`, () => renameSync(draft, path))
    isPlaced = true
  } finally {
    if (!isPlaced) rmSync(draft, { force: true })
  }
}

// The open history of one session in a file: appends, and takes back what it could not append whole.
//
// Owns: the file's descriptor, its length up to the last whole line, the next sequence number, the writer's lock.
// Does not own: where the file is and what is in it at opening (`file-store.ts`, `scan.ts`).
// Crosses by: `append`, `entries`, `close`; the operating system through `Disk`.
// Invariants:
//   S1  an append that throws leaves nothing behind that a reader could take for an entry
//   S2  a failed append does not end the history: the next one starts from the last whole line
//   S3  sequence numbers ascend, and one that was answered is never given again
import { closeSync } from 'node:fs'
import type { Diagnostic, Documents, History, HistoryEntry, NewEntry } from '../types.ts'
import { entryText } from '../entry.ts'
import { ioError, journalError, storing } from '../errors.ts'
import { encodeLine } from '../line.ts'
import type { Lock } from '../lock.ts'
import type { Disk } from './disk.ts'
import { FileDocuments } from './documents.ts'
import { SUFFIX } from './name.ts'
import { entries } from './scan.ts'

export interface OpenFile {
  readonly id: string
  readonly path: string
  readonly fd: number
  readonly lock: Lock
  readonly length: number
  readonly lastSeq: number
  readonly repairs: readonly Diagnostic[]
  readonly syncFolder: (path: string) => void
}

export class FileHistory implements History {
  readonly id: string
  readonly repairs: readonly Diagnostic[]
  readonly documents: Documents
  private readonly file: OpenFile
  private readonly disk: Disk
  private length: number
  private lastSeq: number
  /** The file is longer than `length`: taking back an append failed as well. */
  private overhangs = false
  private closed = false

  constructor(file: OpenFile, disk: Disk) {
    this.file = file
    this.disk = disk
    this.id = file.id
    this.repairs = file.repairs
    this.length = file.length
    this.lastSeq = file.lastSeq
    const prefix = `${file.path.slice(0, -SUFFIX.length)}.`
    this.documents = new FileDocuments({ prefix, disk, syncFolder: file.syncFolder, check: () => this.refuseClosed() })
  }

  async* entries(): AsyncGenerator<HistoryEntry> {
    this.refuseClosed()
    yield* entries(this.file.path, this.length)
  }

  append(entry: NewEntry, options?: { sync?: boolean }): number {
    this.refuseClosed()
    const seq = this.lastSeq + 1
    const line = encodeLine(entryText(seq, entry))
    const { path, fd } = this.file
    storing(`appending to ${path}`, () => {
      if (this.overhangs) this.takeBack()
      try {
        const written = this.disk.write(fd, line)
        if (written !== line.length) throw new Error(`only ${written} of ${line.length} bytes were written; is the disk full?`)
        // A failed sync takes this entry back (S1). What it says of earlier entries that were not synced is between
        // them and the machine: they are in the file, and the next sync asks for them again.
        if (options?.sync) this.disk.fdatasync(fd)
      } catch (cause) {
        try {
          this.takeBack()
        } catch {
          this.overhangs = true
        }
        throw cause
      }
    })
    this.length += line.length
    this.lastSeq = seq
    return seq
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    try {
      // S1: the last chance to take back; where it fails, the next opening cuts the torn tail.
      if (this.overhangs) this.takeBack()
    } catch {
    } finally {
      try {
        closeSync(this.file.fd)
      } catch (cause) {
        throw ioError(`closing ${this.file.path}`, cause)
      } finally {
        this.file.lock.release()
      }
    }
  }

  private takeBack(): void {
    this.disk.ftruncate(this.file.fd, this.length)
    this.overhangs = false
  }

  private refuseClosed(): void {
    if (this.closed) throw journalError('closed', `the history of session ${this.id}`)
  }
}

// The store of the standalone app: one append-only file a session below one folder, one writer a session.
//
// Owns: the folder and the rule by which a session's file is opened: lock, check, cut a torn tail, hand out.
// Does not own: the appends (`file/history.ts`), the lines (`line.ts`), who may write (`lock.ts`).
// Crosses by: `HistorySource`.
// Invariants:
//   S4  only what follows the last intact line is ever cut, and the cut is reported in `repairs`
//   S5  a file with damage before an intact line is refused and left as it is
import { closeSync, constants, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Diagnostic, Documents, HistoryEntry, HistorySource, SessionSummary, StoredEntry } from './types.ts'
import { ioError, journalError, storing } from './errors.ts'
import { adopt } from './file/adopt.ts'
import { nodeDisk } from './file/disk.ts'
import type { Disk } from './file/disk.ts'
import { FileDocuments } from './file/documents.ts'
import { FileHistory } from './file/history.ts'
import { fileOf, idOf, SUFFIX } from './file/name.ts'
import { entries, inspect, lines } from './file/scan.ts'
import { acquire, holderOf } from './lock.ts'

const { O_APPEND, O_CREAT, O_EXCL, O_RDWR } = constants

function openForAppend(path: string): number {
  const existing = statSync(path, { throwIfNoEntry: false })
  if (existing) return openSync(path, O_RDWR | O_APPEND)
  const fd = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL, 0o600)
  syncFolder(dirname(path))
  return fd
}

/** Makes the name of a new file survive the machine as its content will. Some platforms can not sync a folder. */
function syncFolder(path: string): void {
  try {
    const fd = openSync(path, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch {
  }
}

function tornTail(cut: number, line: number): Diagnostic {
  return {
    code: 'PTC-J001', severity: 'warning', phase: 'recover', stateEffect: 'rolled-back',
    message: `the session's history ended in an incomplete entry: ${cut} bytes after line ${line} were cut`,
    help: ['This happens when the process or the machine stopped in the middle of a write; earlier entries are intact.'],
  }
}

export class FileSource implements HistorySource {
  readonly kind = 'file'
  readonly documents: Documents
  private readonly dir: string
  private readonly disk: Disk

  constructor(config: { readonly dir: string }, disk: Disk = nodeDisk) {
    this.dir = config.dir
    this.disk = disk
    this.documents = new FileDocuments({ prefix: join(this.dir, '/'), disk, syncFolder })
  }

  async open(id: string): Promise<FileHistory> {
    const path = join(this.dir, fileOf(id))
    storing(`creating ${dirname(path)}`, () => mkdirSync(dirname(path), { recursive: true, mode: 0o700 }))
    const lock = acquire(path, id)
    let fd: number | undefined
    try {
      const opened = fd = storing(`opening ${path}`, () => openForAppend(path))
      let [length, lastSeq, number] = [0, 0, 0]
      for await (const line of lines(path)) [length, lastSeq, number] = [line.end, line.seq, line.number]
      const torn = storing(`measuring ${path}`, () => statSync(path).size) - length
      if (torn > 0) storing(`repairing ${path}`, () => this.cut(opened, length))
      const repairs = torn > 0 ? [tornTail(torn, number)] : []
      return new FileHistory({ id, path, fd: opened, lock, length, lastSeq, repairs, syncFolder }, this.disk)
    } catch (error) {
      if (fd !== undefined) closeSync(fd)
      lock.release()
      throw error
    }
  }

  async* read(id: string): AsyncGenerator<HistoryEntry> {
    yield* entries(join(this.dir, fileOf(id)))
  }

  async list(): Promise<SessionSummary[]> {
    const found: SessionSummary[] = []
    for (const path of await this.files()) {
      const id = idOf(path)
      if (id !== null) found.push(await summaryOf(id, join(this.dir, path)))
    }
    return found.sort((a, b) => a.id < b.id ? -1 : 1)
  }

  async* inspect(id: string): AsyncGenerator<StoredEntry> {
    yield* inspect(join(this.dir, fileOf(id)))
  }

  writer(id: string): string | null {
    return holderOf(join(this.dir, fileOf(id)))
  }

  async adopt(id: string, entries: AsyncIterable<HistoryEntry>): Promise<void> {
    const path = join(this.dir, fileOf(id))
    storing(`creating ${dirname(path)}`, () => mkdirSync(dirname(path), { recursive: true, mode: 0o700 }))
    const lock = acquire(path, id)
    try {
      // An empty file is what an opened session leaves that never ran a cell: there is nothing to lose.
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) throw journalError('exists', JSON.stringify(id))
      await adopt(path, entries, this.disk)
      syncFolder(dirname(path))
    } finally {
      lock.release()
    }
  }

  private cut(fd: number, length: number): void {
    this.disk.ftruncate(fd, length)
    this.disk.fdatasync(fd)
  }

  private async files(): Promise<string[]> {
    try {
      return (await readdir(this.dir, { recursive: true })).filter((path) => path.endsWith(SUFFIX))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw ioError(`listing ${this.dir}`, error)
    }
  }
}

/** Counts what can be read: a list of sessions must not fail because one of them is damaged. */
async function summaryOf(id: string, path: string): Promise<SessionSummary> {
  let cells = 0
  let [bytes, updatedAt] = [0, 0]
  try {
    const { size, mtimeMs } = await stat(path)
    ;[bytes, updatedAt] = [size, Math.trunc(mtimeMs)]
    for await (const { body } of lines(path)) if (isCellOpened(body)) cells++
  } catch {
  }
  return { id, cells, updatedAt, bytes }
}

/** The start of an entry as this store writes it, so that counting cells parses no sources and values. */
function isCellOpened(body: Buffer): boolean {
  return /^\{"seq":\d+,"at":\d+,"kind":"cell-opened",/.test(body.toString('latin1', 0, 80))
}

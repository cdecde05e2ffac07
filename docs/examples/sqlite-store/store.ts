// A place for histories in one SQLite database: the example of docs/guides/write-a-store.md. One row is one entry; a table of
// writers is the lock. `openSource` is what the contract suite calls in another process. A package of its own imports from
// `dsh-ptc-plus/journal` what is imported from the sources here.
import { DatabaseSync } from 'node:sqlite'
import type { Context } from 'cordis'
import { adoptedText, checkId, entryText, JournalError, journalError } from '../../../plugins/journal/index.ts'
import type { History, HistoryEntry, HistorySource, NewEntry, SessionSummary } from '../../../plugins/journal/index.ts'

const TABLES = `
  CREATE TABLE IF NOT EXISTS entries (session TEXT, seq INTEGER, text TEXT NOT NULL, PRIMARY KEY (session, seq)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, updatedAt INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS writers (session TEXT PRIMARY KEY, pid INTEGER NOT NULL, token TEXT NOT NULL);`

/** Whatever the database throws leaves as `io`, with the reason as its cause; our own errors stay what they are. */
function storing<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof JournalError) throw cause
    throw new JournalError('io', `${what} failed: ${(cause as Error).message}`, { cause })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

export class SqliteSource implements HistorySource {
  readonly kind = 'sqlite'
  private readonly db: DatabaseSync
  /** Histories that are open here. */
  private open_ = 0
  private isLeaving = false

  constructor({ file }: { readonly file: string }) {
    this.db = storing(`opening ${file}`, () => {
      const db = new DatabaseSync(file, { timeout: 5000 })
      // NORMAL: a commit survives the death of this process, not a power cut. `sync` asks for more, entry by entry.
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${TABLES}`)
      return db
    })
  }

  async open(id: string): Promise<History> {
    checkId(id)
    const token = this.lock(id)
    const { db } = this
    this.open_ += 1
    const leave = () => { this.open_ -= 1; this.closeIfUnused() }
    let last = this.lastSeq(id)
    let closed = false
    const insert = db.prepare('INSERT INTO entries VALUES (?, ?, ?)')
    const refuseClosed = () => { if (closed) throw journalError('closed', `the history of session ${id}`) }
    const read = (upTo: number) => this.rows(id, upTo)
    return {
      id, repairs: [],
      async* entries() {
        refuseClosed()
        yield* read(last)
      },
      append(entry: NewEntry, options?: { sync?: boolean }): number {
        refuseClosed()
        const text = entryText(last + 1, entry)
        storing(`appending to session ${id}`, () => {
          if (options?.sync) db.exec('PRAGMA synchronous = FULL')
          try {
            insert.run(id, last + 1, text)
          } finally {
            if (options?.sync) db.exec('PRAGMA synchronous = NORMAL')
          }
        })
        return last += 1
      },
      async close() {
        if (closed) return
        closed = true
        try {
          storing(`closing session ${id}`, () => db.prepare('DELETE FROM writers WHERE session = ? AND token = ?').run(id, token))
        } finally {
          leave()
        }
      },
    }
  }

  async* read(id: string): AsyncGenerator<HistoryEntry> {
    checkId(id)
    yield* this.rows(id, this.lastSeq(id))
  }

  async list(): Promise<SessionSummary[]> {
    const rows = storing('listing', () => this.db.prepare(`
      SELECT s.id, s.updatedAt, count(e.seq) FILTER (WHERE json_extract(e.text, '$.kind') = 'cell-opened') AS cells, ifnull(sum(length(e.text)), 0) AS bytes
      FROM sessions s LEFT JOIN entries e ON e.session = s.id GROUP BY s.id ORDER BY s.id`).all())
    return rows.map(({ id, updatedAt, cells, bytes }) => ({ id: String(id), updatedAt: Number(updatedAt), cells: Number(cells), bytes: Number(bytes) }))
  }

  writer(id: string): string | null {
    const row = storing('asking for the writer', () => this.db.prepare('SELECT pid FROM writers WHERE session = ?').get(id))
    return row !== undefined && isAlive(Number(row.pid)) ? `pid ${row.pid}` : null
  }

  async adopt(id: string, entries: AsyncIterable<HistoryEntry>): Promise<void> {
    checkId(id)
    const rows: { readonly seq: number, readonly text: string }[] = []
    for await (const entry of entries) rows.push({ seq: entry.seq, text: adoptedText(entry) })
    const token = this.lock(id, () => { if (this.lastSeq(id) > 0) throw journalError('exists', JSON.stringify(id)) })
    try {
      this.db.exec('PRAGMA synchronous = FULL')
      const insert = this.db.prepare('INSERT INTO entries VALUES (?, ?, ?)')
      this.atomically(`importing session ${id}`, () => { for (const { seq, text } of rows) insert.run(id, seq, text) })
    } finally {
      this.db.exec('PRAGMA synchronous = NORMAL')
      this.db.prepare('DELETE FROM writers WHERE session = ? AND token = ?').run(id, token)
    }
  }

  /** One row at a time: a cursor of the database would keep it from being written to. */
  private* rows(id: string, upTo: number): Generator<HistoryEntry> {
    const next = this.db.prepare('SELECT seq, text FROM entries WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT 1')
    for (let seq = -1; ;) {
      const row = storing(`reading session ${id}`, () => next.get(id, seq, upTo))
      if (row === undefined) return
      seq = Number(row.seq)
      yield JSON.parse(String(row.text)) as HistoryEntry
    }
  }

  private lastSeq(id: string): number {
    return Number(storing(`reading session ${id}`, () => this.db.prepare('SELECT max(seq) AS seq FROM entries WHERE session = ?').get(id))?.seq ?? 0)
  }

  /** Takes the session for this process unless a living one has it. Answers the token that gives it back. */
  private lock(id: string, check = () => {}): string {
    const token = crypto.randomUUID()
    this.atomically(`locking session ${id}`, () => {
      const holder = this.writer(id)
      if (holder !== null) throw journalError('locked', id, holder)
      check()
      this.db.prepare('INSERT OR REPLACE INTO writers VALUES (?, ?, ?)').run(id, process.pid, token)
      this.db.prepare('INSERT OR REPLACE INTO sessions VALUES (?, ?)').run(id, Date.now())
    })
    return token
  }

  private atomically(what: string, work: () => void): void {
    storing(what, () => {
      this.db.exec('BEGIN IMMEDIATE')
      try {
        work()
        this.db.exec('COMMIT')
      } catch (error) {
        this.db.exec('ROLLBACK')
        throw error
      }
    })
  }

  /** Closes the database once its last history is closed: a source may be withdrawn while sessions still use it. */
  close(): void {
    this.isLeaving = true
    this.closeIfUnused()
  }

  private closeIfUnused(): void {
    if (this.isLeaving && this.open_ === 0) this.db.close()
  }
}

export const openSource = (options: { readonly file: string }) => new SqliteSource(options)

export const name = 'sqlite-store'
export const inject = ['ptcJournal']

/** From here on, and for as long as this plugin is loaded, histories live in the database. */
export function apply(ctx: Context, config: { readonly file: string }): void {
  const source = new SqliteSource(config)
  ctx.effect(() => () => source.close(), 'the database of histories')
  ctx.ptcJournal.source(source)
}

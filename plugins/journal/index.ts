// The journal as a Cordis plugin: `ctx.ptcJournal` opens, reads and folds the histories of sessions, in a file store
// unless somebody supplies another source.
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Context } from 'cordis'
import z from 'schemastery'
import { FileSource } from './file-store.ts'
import { createFold, createIndex, fold, withContents } from './fold.ts'
import { MemorySource } from './memory-store.ts'
import { OpenHistories } from './open-histories.ts'
import { audit } from './whole/audit.ts'
import { exportSession } from './whole/export.ts'
import { importSession } from './whole/import.ts'
import { stored } from './whole/stored.ts'
import { Confirmations } from './host/confirmations.ts'
import { own } from './own.ts'
import type {
  Audit, Documents, ExportedSession, Fold, Frontier, History, HistoryEntry, HistorySource, ImportedSession, JournalService, PathCell, SessionSummary,
  Verdict, Visibility,
} from './types.ts'

export type * from './types.ts'
// What a store needs to be one of ours: the same errors, ids and texts of entries.
export { adoptedText, entryText } from './entry.ts'
export { JournalError, journalError, type JournalErrorCode } from './errors.ts'
export { checkId } from './file/name.ts'

declare module 'cordis' {
  interface Context {
    ptcJournal: JournalService
  }
  interface Events {
    /** A record was written and confirmed: the durable head stands at `cell` now. */
    'ptc-journal/confirmed'(session: string, cell: number): void
    /** Records could not be trusted: the history ends at `frontier` now, or is empty. */
    'ptc-journal/contracted'(session: string, frontier: number | null): void
  }
}

export interface Config {
  /** Folder of the file store. Default: `sessions` in `$PTC_HOME`, or else in `~/.ptc-plus`. */
  dir?: string
  /** Keep histories in memory only; `dir` is not touched. */
  memory?: boolean
}

export const Config: z<Config> = z.object({
  dir: z.string().description('Folder of the session histories.'),
  memory: z.boolean().description('Keep histories in memory only.'),
})

class Journal implements JournalService {
  /** Through a context, the caller's: what a method acquires then lives with the caller's fiber. */
  declare ctx: Context
  /** The current source is the last one. */
  private readonly sources: { readonly source: HistorySource }[]
  private readonly histories: OpenHistories
  private readonly confirmations: Confirmations
  /** Who knows what the model sees; the last one counts. */
  private readonly views: { readonly visibility: Visibility }[] = []
  private readonly home: Context

  constructor(ctx: Context, source: HistorySource, histories: OpenHistories, confirmations: Confirmations) {
    this.ctx = ctx
    this.home = ctx
    this.confirmations = confirmations
    this.sources = [{ source }]
    this.histories = histories
  }

  source(source: HistorySource): () => void {
    const entry = { source }
    return this.ctx.effect(() => {
      this.sources.push(entry)
      return () => {
        this.sources.splice(this.sources.indexOf(entry), 1)
      }
    }, `ptcJournal.source(${source.kind})`)
  }

  history(id: string, source?: HistorySource): Promise<History> {
    return this.histories.open(source ?? this.current(), id)
  }

  read(id: string): AsyncIterable<HistoryEntry> {
    return this.current().read(id)
  }

  list(): Promise<SessionSummary[]> {
    return this.current().list()
  }

  documents(): Documents | undefined {
    return this.current().documents
  }

  audit(id: string): Promise<Audit> {
    return audit(stored(this.current(), id))
  }

  export(id: string): Promise<ExportedSession> {
    return exportSession(this.current(), id)
  }

  import(document: AsyncIterable<Uint8Array>, as?: string): Promise<ImportedSession> {
    return importSession(this.current(), document, as)
  }

  confirm(session: string, cell: number, kept: unknown): boolean {
    const record = this.confirmations.confirm(session, cell, kept)
    if (record?.status === 'durable') {
      try {
        this.home.emit('ptc-journal/confirmed', session, cell)
      } catch (error) {
        // Who listens badly does not undo what is so.
        this.home.logger.error(error)
      }
    }
    return record !== null
  }

  neverRan(session: string, cell: number): void {
    this.confirmations.neverRan(session, cell)
  }

  visibility(visibility: Visibility): () => void {
    const view = { visibility }
    return this.ctx.effect(() => {
      this.views.push(view)
      return () => { this.views.splice(this.views.indexOf(view), 1) }
    }, 'ptcJournal.visibility()')
  }

  verdict(session: string, cell: number): Verdict {
    return this.confirmations.verdict(session, cell)
  }

  isKept(session: string, cell: number): boolean {
    return this.confirmations.isKept(session, cell)
  }

  pending(session: string): number[] {
    return this.confirmations.pending(session)
  }

  visible(session: string): ReadonlySet<number> | null {
    try {
      const cells = this.views.at(-1)?.visibility(session)
      if (cells === undefined) return null
      const seen = new Set(cells)
      return [...seen].every(Number.isSafeInteger) ? seen : new Set()
    } catch (error) {
      // Nobody can say what the model knows, so nothing is taken to be known.
      this.home.logger.warn(error)
      return new Set()
    }
  }

  fold(entries: Iterable<HistoryEntry>): Frontier {
    return fold(entries)
  }

  newFold(): Fold {
    return createFold()
  }

  newIndex(): Fold<PathCell> {
    return createIndex()
  }

  contents(frontier: Frontier<PathCell>, entries: AsyncIterable<HistoryEntry>): Promise<Frontier> {
    return withContents(frontier, entries)
  }

  private current(): HistorySource {
    return this.sources.at(-1)!.source
  }
}

export const name = 'journal'

export async function apply(ctx: Context, config: Config): Promise<void> {
  const dir = config.dir || join(process.env.PTC_HOME || join(homedir(), '.ptc-plus'), 'sessions')
  const confirmations = new Confirmations()
  const histories = new OpenHistories(({ id, confirmation }, entry) => { confirmations.appended(id, entry, confirmation === 'host') })
  const journal = new Journal(ctx, config.memory ? new MemorySource() : new FileSource({ dir }), histories, confirmations)
  await own(ctx, 'ptcJournal', journal, () => histories.close())
}

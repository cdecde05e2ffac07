// A place for histories as a host keeps them: an append makes nothing certain, the host speaks about each record later.
import { MemorySource } from '../../plugins/journal/memory-store.ts'
import type { History, HistoryEntry, HistorySource, SessionSummary } from '../../plugins/journal/types.ts'

export class HostSource implements HistorySource {
  readonly kind = 'host'
  private readonly kept = new MemorySource()

  async open(id: string): Promise<History> {
    const history = await this.kept.open(id)
    return {
      id, repairs: [], confirmation: 'host',
      append: (entry) => history.append(entry), entries: () => history.entries(), close: () => history.close(),
    }
  }

  read(id: string): AsyncIterable<HistoryEntry> { return this.kept.read(id) }
  list(): Promise<SessionSummary[]> { return this.kept.list() }
}

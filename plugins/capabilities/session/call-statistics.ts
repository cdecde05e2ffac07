// What sessions have called, as the owner of the plan reads, replaces and drops it.
//
// Owns: the samples that were collected, newest last. Does not own: what counts as a call (`plan.ts`), what follows from it
// (`compose.ts`), where the document is kept.
// Crosses by: `note` (the plan), `document`, `set` and `reset` (the owner).
// Invariants: a document that is refused changes nothing; there are never more samples than the window holds.
import type { CallStatistics } from '../types.ts'
import { MAX_SAMPLE_SYMBOLS, NO_STATISTICS, parseStatistics, type Statistics } from './documents.ts'
import type { StatisticsSettings } from './settings.ts'

export interface StatisticsHost {
  settings(): StatisticsSettings
  changed(): void
}

export class CollectedStatistics implements CallStatistics {
  private readonly host: StatisticsHost
  private current = NO_STATISTICS

  constructor(host: StatisticsHost) { this.host = host }

  get isCollecting(): boolean { return this.host.settings().enabled }

  get document(): Statistics { return this.current }

  set(document: unknown): void { this.replace(parseStatistics(document).samples) }

  reset(): void { this.replace([]) }

  /** The session has called these members; `symbols` may repeat. */
  note(session: string, symbols: readonly string[]): void {
    if (!this.isCollecting || symbols.length === 0) return
    const { samples } = this.current
    const known = samples.find(sample => sample.session === session)
    const all = [...new Set([...known?.symbols ?? [], ...symbols])].slice(0, MAX_SAMPLE_SYMBOLS).sort()
    // Most cells call what cells before them did, and then there is nothing to keep.
    if (known !== undefined && known === samples.at(-1) && all.length === known.symbols.length) return
    this.replace([...samples.filter(sample => sample !== known), { session, symbols: all }])
  }

  private replace(samples: Statistics['samples']): void {
    this.current = { ...NO_STATISTICS, samples: samples.slice(-this.host.settings().windowSize) }
    this.host.changed()
  }
}

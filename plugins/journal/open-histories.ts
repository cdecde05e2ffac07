// The histories that the journal has handed out, so that none outlives it.
//
// Owns: which histories are open, and those that are just being opened.
// Does not own: the histories themselves (their sources'), and which source is the current one (`index.ts`).
// Crosses by: `open(source, id)` and `close()`.
// Invariants:
//   H1  after `close()` every history that was handed out is closed, also one whose opening was under way
import type { History, HistorySource, NewEntry } from './types.ts'
import { journalError } from './errors.ts'

export class OpenHistories {
  private readonly opened = new Set<History>()
  private readonly opening = new Set<Promise<History>>()
  private closed = false
  private readonly onAppended: (history: History, entry: NewEntry) => void

  /** `onAppended` hears of every entry after it was appended. */
  constructor(onAppended: (history: History, entry: NewEntry) => void = () => {}) {
    this.onAppended = onAppended
  }

  async open(source: HistorySource, id: string): Promise<History> {
    this.refuseClosed()
    const opening = source.open(id)
    this.opening.add(opening)
    try {
      const history = await opening
      this.opened.add(history)
      // H1. Closed meanwhile: `close` waits for this opening and finds the history in the set.
      this.refuseClosed()
      return this.handed(history)
    } finally {
      this.opening.delete(opening)
    }
  }

  /** Closes all of them; rejects after the last one if some could not be closed. */
  async close(): Promise<void> {
    this.closed = true
    // Each opening was awaited above before it is here, so its history is in the set when this goes on.
    await Promise.allSettled(this.opening)
    const closings = await Promise.allSettled([...this.opened].map((history) => history.close()))
    this.opened.clear()
    const errors = closings.filter((closing) => closing.status === 'rejected').map(({ reason }) => reason as unknown)
    if (errors.length > 0) throw new AggregateError(errors, 'some histories could not be closed')
  }

  private handed(history: History): History {
    return {
      id: history.id,
      repairs: history.repairs,
      entries: () => history.entries(),
      ...history.documents === undefined ? {} : { documents: history.documents },
      ...history.confirmation === undefined ? {} : { confirmation: history.confirmation },
      append: (entry, options) => {
        const seq = history.append(entry, options)
        this.onAppended(history, entry)
        return seq
      },
      close: () => {
        this.opened.delete(history)
        return history.close()
      },
    }
  }

  private refuseClosed(): void {
    if (this.closed) throw journalError('closed', 'the journal')
  }
}

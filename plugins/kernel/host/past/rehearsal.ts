// A replay that nobody goes on from: does the history still do what its records say? Whoever asks gets the verdict, the helper
// is ended, and no session, no owner of a namespace and no history notices (R1).
import type { NamespaceView } from '../../../capabilities/types.ts'
import type { Fold, HistoryEntry } from '../../../journal/types.ts'
import type { ReplayVerdict } from '../../types.ts'
import { withKernelNamespaces } from '../cell/namespaces.ts'
import type { HelperProcess } from '../helper/helper-process.ts'
import { currentLocality, localityOf, type Locality } from '../helper/locality.ts'
import { MAX_INTERRUPTIONS, recover } from '../recovery.ts'
import { CellNumbers } from './numbers.ts'

export interface Rehearsal {
  /** Empty. */
  readonly fold: Fold
  readonly namespaces: readonly NamespaceView[]
  readonly signal: AbortSignal
  take(locality: Locality): HelperProcess
}

/** K4: the helper has exited when this settles. Rejects with the reason of `signal`. */
export async function rehearse(
  entries: Iterable<HistoryEntry> | AsyncIterable<HistoryEntry>, { fold, namespaces, signal, take }: Rehearsal,
): Promise<ReplayVerdict> {
  const numbers = new CellNumbers()
  let locality: Locality | undefined
  for await (const entry of entries) {
    if (entry.kind === 'cell-opened') numbers.add(entry.seq)
    locality ??= localityOf(entry)
    fold.add(entry)
  }
  const frontier = fold.frontier()
  const home = locality ?? currentLocality()
  let reached = 0
  for (let interruptions = 1; ; interruptions += 1) {
    signal.throwIfAborted()
    const recovery = await recover({
      frontier, namespaces: withKernelNamespaces(namespaces), signal, take: () => take(home),
      numberOf: (cell) => numbers.of(cell),
      onProgress: (done) => { reached = done },
    })
    if (recovery.kind === 'aborted') throw signal.reason
    if (recovery.kind === 'recovered') {
      await recovery.helper.kill()
      return { proven: true, replayed: reached }
    }
    if (recovery.kind === 'diverged') return { proven: false, replayed: reached, cell: recovery.cell.cell, reason: recovery.reason }
    const cell = frontier.path[reached]?.cell
    if (interruptions < MAX_INTERRUPTIONS && cell !== undefined) continue
    return { proven: false, replayed: reached, cell: cell ?? 0, reason: recovery.reason }
  }
}

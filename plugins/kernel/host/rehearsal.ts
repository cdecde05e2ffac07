// A replay that nobody goes on from: does the history still do what its records say? Whoever asks gets the verdict, the helper
// is ended, and no session, no owner of a namespace and no history notices (R1).
import type { NamespaceView } from '../../capabilities/types.ts'
import type { Frontier } from '../../journal/types.ts'
import type { ReplayVerdict } from '../types.ts'
import { withKernelNamespaces } from './cell/live.ts'
import type { HelperProcess } from './helper-process.ts'
import { MAX_INTERRUPTIONS, recover } from './recovery.ts'

export interface Rehearsal {
  readonly namespaces: readonly NamespaceView[]
  readonly numberOf: ((cell: number) => number) | undefined
  readonly signal: AbortSignal
  take(): HelperProcess
}

/** K4: the helper has exited when this settles. Rejects with the reason of `signal`. */
export async function rehearse(frontier: Frontier, { namespaces, numberOf, signal, take }: Rehearsal): Promise<ReplayVerdict> {
  const places = new Map(frontier.path.map(({ cell }, index) => [cell, index]))
  let reached = 0
  for (let interruptions = 1; ; interruptions += 1) {
    signal.throwIfAborted()
    const recovery = await recover({
      frontier, namespaces: withKernelNamespaces(namespaces), signal, take,
      numberOf: numberOf ?? ((cell) => (places.get(cell) ?? 0) + 1),
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

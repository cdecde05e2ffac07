// Brings a session back to what its history proves: replays the path, contracts where a record does not replay (J3), down to
// nothing if need be, and says what was lost and which calls are in doubt.
import type { Diagnostic, Frontier, InDoubtCall, RecordedError } from '../../../journal/types.ts'
import { messageOf } from '../../errors.ts'
import { lostCells } from '../diagnostics.ts'
import type { HelperProcess } from '../helper/helper-process.ts'
import { MAX_INTERRUPTIONS, recover, type RecoveryRequest } from '../recovery.ts'

export interface Past extends Omit<RecoveryRequest, 'frontier'> {
  /** What the history proves now. Rejects when it can not be read. */
  frontier(): Promise<Frontier>
  /** Writes down that the record of `failed` does not replay. */
  contract(failed: number, parent: number | null): void
  /** What is to be said about a call whose answer was never seen. */
  resolve(call: InDoubtCall): Promise<Diagnostic>
}

/**
 * Adds to `found` what the next cell has to say. Never rejects: an abort, a history that can not be read and helpers that keep
 * dying are failures, by which nothing is lost.
 */
export async function bringBack(past: Past, found: Diagnostic[]): Promise<HelperProcess | RecordedError> {
  try {
    let frontier = await past.frontier()
    let interruptions = 0
    let divergence: string | undefined
    for (;;) {
      const recovery = await recover({ ...past, frontier })
      if (recovery.kind === 'aborted') return { kind: 'abort', message: messageOf(past.signal?.reason) }
      if (recovery.kind === 'interrupted') {
        // Not the record's fault, so nothing contracts. A helper that keeps dying is said, and the next cell tries again.
        interruptions += 1
        if (interruptions < MAX_INTERRUPTIONS) continue
        return { kind: 'recovery', message: `the session could not be brought back, nothing of it is lost: ${recovery.reason}` }
      }
      if (recovery.kind === 'recovered') {
        if (frontier.lost.length > 0) found.push(lostCells(frontier.lost, divergence))
        for (const call of frontier.inDoubt) found.push(await past.resolve(call))
        return recovery.helper
      }
      past.contract(recovery.cell.cell, recovery.cell.parent)
      divergence ??= recovery.reason
      frontier = await past.frontier()
    }
  } catch (error) {
    return { kind: 'recovery', message: `the session could not be brought back, nothing of it is lost: ${messageOf(error)}` }
  }
}

// Keeps one helper process started ahead of need, because starting one takes longer than most cells run.
//
// Owns: at most one idle helper. Invariants: K4 `close` resolves after it has exited.
import type { WorkerLimits } from '../../types.ts'
import { HelperProcess } from './helper-process.ts'
import { isSameLocality, type Locality } from './locality.ts'

const same = (a: WorkerLimits, b: WorkerLimits) => a.maxOldGenerationSizeMb === b.maxOldGenerationSizeMb
  && a.startupProbeMs === b.startupProbeMs && a.workerReclaimMs === b.workerReclaimMs

export class SpareHelper {
  private spare: HelperProcess | undefined
  private readonly enabled: boolean
  private readonly handedOut = new Set<HelperProcess>()
  private closed = false

  constructor(enabled: boolean) { this.enabled = enabled }

  /** A helper for a session, warm when one is waiting; the next one starts to warm up when `refill` is called. */
  take(limits: WorkerLimits, locality: Locality): HelperProcess {
    const { spare } = this
    let taken: HelperProcess
    if (spare !== undefined && !spare.ended && same(spare.limits, limits) && isSameLocality(spare.locality, locality)) {
      this.spare = undefined
      taken = spare
    } else {
      taken = new HelperProcess(limits, locality)
    }
    this.handedOut.add(taken)
    void taken.exited.then(() => this.handedOut.delete(taken))
    return taken
  }

  refill(limits: WorkerLimits, locality: Locality): void {
    if (!this.enabled || this.closed || (this.spare !== undefined && !this.spare.ended)) return
    this.spare = new HelperProcess(limits, locality)
  }

  async close(): Promise<void> {
    this.closed = true
    const all = [...this.handedOut, ...this.spare === undefined ? [] : [this.spare]]
    this.spare = undefined
    await Promise.all(all.map((helper) => helper.kill()))
  }
}

// The two clocks of a running cell: elapsed time, which runs from its submission to the helper, and the time its worker's loop
// was active, which runs from a figure taken just before the cell.
//
// Owns: the timers of one cell. Crosses by: the sampler it is given. Invariants: none survives `stop`.
import type { CellLimits } from '../../types.ts'

const LOOK_MS = 100

/** Event-loop active time of the worker since it started, milliseconds; undefined when the process ends first. */
export type Sampler = () => Promise<number | undefined>

export class Budget {
  private readonly limits: CellLimits
  private readonly activeMs: Sampler
  private readonly exceeded: (what: string) => void
  private readonly wall: NodeJS.Timeout
  private look: NodeJS.Timeout | undefined
  private bound: NodeJS.Timeout | undefined
  private giveUp = () => {}
  private stopped = false

  /** Starts the wall clock. `exceeded` is called once, when a limit is passed. */
  constructor(limits: CellLimits, activeMs: Sampler, exceeded: (what: string) => void) {
    this.limits = limits
    this.activeMs = activeMs
    this.exceeded = exceeded
    this.wall = setTimeout(() => this.exceed(`the cell ran longer than ${limits.maxWallMs} ms`), limits.maxWallMs)
  }

  /** A fresh figure to measure from; undefined when it does not come within `sampleBoundMs` or the process ends. */
  async baseline(): Promise<number | undefined> {
    const figure = await new Promise<number | undefined>((resolve) => {
      this.giveUp = () => resolve(undefined)
      // The answer may be there already, behind whatever kept this process busy: two turns, so that it is read first.
      this.bound = setTimeout(() => setImmediate(() => setImmediate(this.giveUp)), this.limits.sampleBoundMs)
      void this.activeMs().then(resolve)
    })
    clearTimeout(this.bound)
    return figure
  }

  /** Starts the compute clock. */
  measureFrom(baseline: number): void {
    const { computeMs } = this.limits
    const every = Math.min(LOOK_MS, computeMs)
    const check = async () => {
      const active = await this.activeMs()
      if (this.stopped || active === undefined) return
      if (active - baseline >= computeMs) return this.exceed(`the cell was active for more than ${computeMs} ms`)
      this.look = setTimeout(check, every)
    }
    if (!this.stopped) this.look = setTimeout(check, every)
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.look)
    clearTimeout(this.bound)
    this.giveUp()
    clearTimeout(this.wall)
  }

  private exceed(what: string): void {
    if (this.stopped) return
    this.stop()
    this.exceeded(what)
  }
}

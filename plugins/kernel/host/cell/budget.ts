// The clocks of a running cell: how long the helper may take to start it, elapsed time, which runs from its submission to the
// helper, and the time its worker's loop was active, which runs from the figure that the helper took when it started.
//
// Owns: the timers of one cell. Crosses by: the sampler it is given. Invariants: none survives `stop`; at most one of the two
// callbacks is called, once; a cell that has passed `startBy` without a start will not start.
import { machineMs } from '../../protocol/clock.ts'
import type { CellLimits } from '../../types.ts'

const LOOK_MS = 100
/** A start just in time has this long to be heard of. */
const HEARING_MS = 50

/** Event-loop active time of the worker since it started, milliseconds; undefined when the process ends first. */
export type Sampler = () => Promise<number | undefined>

export interface Ends {
  /** A limit is passed. */
  exceeded(what: string): void
  /** The helper has not started the cell in time. */
  unstarted(): void
}

export class Budget {
  private readonly limits: CellLimits
  private readonly activeMs: Sampler
  private readonly ends: Ends
  private readonly wall: NodeJS.Timeout
  private look: NodeJS.Timeout | undefined
  private start: NodeJS.Timeout | undefined
  /** Elapsed time has run out while the start was awaited. */
  private overdue: string | undefined
  private stopped = false

  /** Starts the wall clock. */
  constructor(limits: CellLimits, activeMs: Sampler, ends: Ends) {
    this.limits = limits
    this.activeMs = activeMs
    this.ends = ends
    this.wall = setTimeout(() => this.expire(`the cell ran longer than ${limits.maxWallMs} ms`), limits.maxWallMs)
  }

  /** Answers until when the helper may start the cell, by `machineMs`. */
  awaitStart(): number {
    const bound = Math.min(this.limits.sampleBoundMs, this.limits.maxWallMs)
    this.awaitStartFor(bound + HEARING_MS)
    return machineMs() + bound
  }

  /** Waits no longer than this for the start, milliseconds. */
  awaitStartFor(ms: number): void {
    clearTimeout(this.start)
    const giveUp = () => {
      if (this.stopped || this.start === undefined) return
      this.stop()
      this.ends.unstarted()
    }
    // The news may be there already, behind whatever kept this process busy: two turns, so that it is read first.
    this.start = setTimeout(() => setImmediate(() => setImmediate(giveUp)), ms)
  }

  /** The cell has started: the compute clock runs from this figure of the sampler's. */
  started(baseline: number): void {
    clearTimeout(this.start)
    this.start = undefined
    if (this.overdue !== undefined) return this.exceed(this.overdue)
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
    clearTimeout(this.start)
    clearTimeout(this.wall)
  }

  private expire(what: string): void {
    if (this.start === undefined) this.exceed(what)
    else this.overdue = what
  }

  private exceed(what: string): void {
    if (this.stopped) return
    this.stop()
    this.ends.exceeded(what)
  }
}

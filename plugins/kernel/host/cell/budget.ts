// The two clocks of a running cell: elapsed time, and the time its worker's loop was active. A cell that ends within the
// first look costs nothing but a timer.
//
// Owns: the timers of one cell. Crosses by: the sampler it is given. Invariants: none survives `stop`.
import type { CellLimits } from '../../types.ts'

const LOOK_MS = 100

export interface Budget { stop(): void }

/**
 * Calls `exceeded` once, when a limit is passed. `activeMs` samples the worker's active time since it started;
 * `baseline` is the last such figure known from before the cell, if any.
 */
export function startBudget(
  { computeMs, maxWallMs }: CellLimits, activeMs: () => Promise<number | undefined>, exceeded: (what: string) => void,
): Budget {
  const started = performance.now()
  let stopped = false
  let look: NodeJS.Timeout | undefined
  let baseline: number | undefined
  const every = Math.min(LOOK_MS, computeMs)
  const stop = () => { stopped = true; clearTimeout(look); clearTimeout(wall) }
  const exceed = (what: string) => { if (!stopped) { stop(); exceeded(what) } }
  const wall = setTimeout(() => exceed(`the cell ran longer than ${maxWallMs} ms`), maxWallMs)
  const check = async () => {
    const active = await activeMs()
    if (stopped || active === undefined) return
    // The first look comes soon after the start; the cell can not have been active for longer than it has run.
    baseline ??= active - Math.min(active, performance.now() - started)
    if (active - baseline >= computeMs) return exceed(`the cell was active for more than ${computeMs} ms`)
    look = setTimeout(check, every)
  }
  look = setTimeout(check, every)
  return { stop }
}

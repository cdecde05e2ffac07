// The limits of a kernel with their defaults (contract 1.6 and 2.3), and the one snapshot that a cell takes of them (K2).
import type { CellLimits, KernelLimits, WorkerLimits } from '../types.ts'
import type { ValueLimits } from '../wire/limits.ts'
import { KernelError } from '../errors.ts'

export const DEFAULT_LIMITS: KernelLimits = {
  computeMs: 60_000,
  maxWallMs: 600_000,
  maxOldGenerationSizeMb: 512,
  maxOutputBytes: 67_108_864,
  maxValueNodes: 100_000,
  maxValueEdges: 1_000_000,
  maxValueArrayLength: 1_000_000,
  maxValueBigIntDigits: 100_000,
  maxNestedRunCodeDepth: 8,
  sampleBoundMs: 1_000,
  unmeasuredCellLimit: 2,
  workerReclaimMs: 5_000,
  startupProbeMs: 5_000,
}

/** Timers of Node take no longer delay. */
const MAX_TIMER_MS = 2_147_483_647

/** What is not between 1 and the largest safe integer. */
const RANGES: Partial<Record<keyof KernelLimits, readonly [least: number, most: number]>> = {
  maxWallMs: [1, MAX_TIMER_MS], sampleBoundMs: [1, MAX_TIMER_MS], startupProbeMs: [1, MAX_TIMER_MS], workerReclaimMs: [1_000, MAX_TIMER_MS],
}

const ofWorker: { readonly [K in keyof WorkerLimits]: true } = { maxOldGenerationSizeMb: true, workerReclaimMs: true, startupProbeMs: true }

/** `base` with `overrides`; throws `KernelError` `bad-limit` for what is no limit or out of range. */
export function withLimits(base: KernelLimits, overrides: Partial<KernelLimits> | undefined): KernelLimits {
  if (overrides === undefined) return base
  const limits: { -readonly [K in keyof KernelLimits]: number } = { ...base }
  for (const [name, value] of Object.entries(overrides)) {
    if (value === undefined) continue
    if (!Object.hasOwn(base, name)) throw new KernelError('bad-limit', name, 'there is no such limit')
    const [least, most] = RANGES[name as keyof KernelLimits] ?? [1, Number.MAX_SAFE_INTEGER]
    if (!Number.isSafeInteger(value) || value < least) throw new KernelError('bad-limit', name, `it must be an integer of at least ${least}, not ${String(value)}`)
    if (value > most) throw new KernelError('bad-limit', name, `it must be at most ${most}`)
    limits[name as keyof KernelLimits] = value
  }
  return limits
}

/** The snapshot of one cell (K2). What is fixed with the worker is refused instead of being ignored. */
export function cellLimits(base: KernelLimits, overrides: Partial<CellLimits> | undefined): KernelLimits {
  for (const [name, value] of Object.entries(overrides ?? {})) {
    if (value !== undefined && Object.hasOwn(ofWorker, name)) throw new KernelError('bad-limit', name, 'a worker has it from its start; set it when the session is opened')
  }
  return withLimits(base, overrides)
}

export function workerLimits({ maxOldGenerationSizeMb, workerReclaimMs, startupProbeMs }: KernelLimits): WorkerLimits {
  return { maxOldGenerationSizeMb, workerReclaimMs, startupProbeMs }
}

export function valueLimits(limits: CellLimits): ValueLimits {
  return {
    maxNodes: limits.maxValueNodes,
    maxEdges: limits.maxValueEdges,
    maxArrayLength: limits.maxValueArrayLength,
    maxBigIntDigits: limits.maxValueBigIntDigits,
    maxStringBytes: limits.maxOutputBytes,
  }
}

// The limits of a kernel with their defaults (contract 1.6 and 2.3), and the one snapshot that a cell takes of them (K2).
import type { CellLimits, KernelLimits } from '../types.ts'
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
}

/** Timers of Node take no longer delay. */
const MAX_TIMER_MS = 2_147_483_647

/** `base` with `overrides`; throws `KernelError` `bad-limit` for anything but positive safe integers. */
export function withLimits(base: KernelLimits, overrides: Partial<KernelLimits> | undefined): KernelLimits {
  if (overrides === undefined) return base
  const limits: { -readonly [K in keyof KernelLimits]: number } = { ...base }
  for (const [name, value] of Object.entries(overrides)) {
    if (value === undefined) continue
    if (!Object.hasOwn(base, name)) throw new KernelError('bad-limit', name, 'there is no such limit')
    if (!Number.isSafeInteger(value) || value < 1) throw new KernelError('bad-limit', name, `it must be an integer of at least 1, not ${String(value)}`)
    if (name === 'maxWallMs' && value > MAX_TIMER_MS) throw new KernelError('bad-limit', name, `it must be at most ${MAX_TIMER_MS}`)
    limits[name as keyof KernelLimits] = value
  }
  return limits
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

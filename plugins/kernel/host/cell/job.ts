// What a caller asks for, read once: a cell waits in the queue with it, and nothing of it changes any more (K2).
import type { CapabilityService, CellPlan } from '../../../capabilities/types.ts'
import { KernelError } from '../../errors.ts'
import type { KernelLimits, LogEntry, RunOptions } from '../../types.ts'
import type { Derivation } from '../edit/cell-edits.ts'
import { cellLimits } from '../limits.ts'

export type Job = Required<Pick<RunOptions, 'cwd'>> & RunOptions & Partial<Pick<Derivation, 'derived'>> & {
  readonly source: string
  readonly limits: KernelLimits
  readonly plan: CellPlan
}

/** What a session adds to the options. */
export interface JobDefaults {
  readonly cwd: string
  readonly limits: KernelLimits
  readonly capabilities: CapabilityService
  /** A callback of the caller has thrown, which is nothing to the cell. */
  onCallerError(error: unknown): void
}

/** Throws `KernelError` `bad-cwd`, `bad-limit`, and what a plan says of namespaces that the cell can not bring. */
export function jobOf(options: RunOptions, { cwd: usual, limits, capabilities, onCallerError }: JobDefaults): Omit<Job, 'source'> {
  const { cwd = usual, onOutput, namespaces } = options
  if (!cwd.startsWith('/') && !/^[A-Za-z]:[\\/]/u.test(cwd)) throw new KernelError('bad-cwd', cwd)
  const told = onOutput === undefined ? {} : {
    onOutput: (entry: LogEntry) => { try { onOutput(entry) } catch (error) { onCallerError(error) } },
  }
  return { ...options, ...told, cwd, limits: cellLimits(limits, options.limits), plan: namespaces === undefined ? capabilities : capabilities.forCell(namespaces) }
}

// What a session needs from around it: the services, the settings, helpers, and who hears of what happens. The kernel supplies it.
import type { CapabilityService } from '../../capabilities/types.ts'
import type { JournalService } from '../../journal/types.ts'
import type { CellResult, KernelLimits, WorkerLimits } from '../types.ts'
import type { HelperProcess } from './helper/helper-process.ts'
import type { KeptPlans } from './kept/plans.ts'
import type { Locality } from './helper/locality.ts'
import type { Session } from './session.ts'

export interface SessionHost {
  readonly journal: JournalService
  readonly capabilities: CapabilityService
  readonly plans: KeptPlans
  readonly limits: KernelLimits
  /** Milliseconds after which an unused session goes to sleep; 0 for never. */
  readonly idleMs: number
  /** False: the history is written and never replayed, and every cell is volatile. */
  readonly durableReplay: boolean
  /** Waits until one more session may be live. */
  admit(session: Session): Promise<void>
  take(limits: WorkerLimits, locality: Locality): HelperProcess
  refill(limits: WorkerLimits, locality: Locality): void
  onSettled(session: Session, result: CellResult): void
  onConfirmed(id: string, cell: number): void
  onContracted(id: string, frontier: number | null): void
  onReplaying(id: string, done: number, of: number): void
  /** A callback that the caller of `run` gave has thrown. */
  onCallerError(error: unknown): void
  /** A killed helper has not exited in time. */
  onUnreclaimed(id: string, pid: number): void
  onClosed(session: Session): void
}

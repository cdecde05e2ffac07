// The kernel plugin: `ctx.replKernel`, live session kernels over the journal and the capability plan.
import type { Context } from 'cordis'
import z from 'schemastery'
import { own } from '../journal/own.ts'
import { CODE_CONTRACTS, STATE_CONTRACTS } from './host/cell/contracts.ts'
import { EDIT, EDIT_CONTRACTS } from './host/edit/member.ts'
import { CODE_NAMESPACE } from './host/cell/nested-run.ts'
import { STATE_NAMESPACE } from './host/cell/state-operations.ts'
import { Kernel } from './host/kernel.ts'
import { DEFAULT_LIMITS, withLimits } from './host/limits.ts'
import type { CellResult, KernelLimits, KernelService, ReplSession } from './types.ts'

export type * from './types.ts'

declare module 'cordis' {
  interface Context { replKernel: KernelService }
  interface Events {
    'ptc-kernel/cell-settled'(session: ReplSession, result: CellResult): void
    /** A cold session is being brought back: `done` of `of` records are replayed. */
    'ptc-journal/replaying'(session: string, done: number, of: number): void
  }
}

export interface Config extends Partial<KernelLimits> {
  /** Keep one helper process started ahead of need. Default: true. */
  readonly spareHelper?: boolean
  /** Sessions whose worker is kept running. One more puts the longest unused to sleep. Default: 8. */
  readonly maxLiveKernels?: number
  /** Milliseconds after which an unused session goes to sleep: its worker ends, its journal stays. 0: never. Default: 30 minutes. */
  readonly idleMs?: number
  /** False: histories are written and never replayed; every cell that runs is volatile. Default: true. */
  readonly durableReplay?: boolean
}

const limit = (name: keyof KernelLimits) => z.natural().min(1).default(DEFAULT_LIMITS[name])

export const name = 'repl-kernel'
export const inject: string[] = ['ptcJournal', 'capabilityPlan']
export const Config: z<Config> = z.object({
  spareHelper: z.boolean().default(true).description('Keep one helper process started ahead of need.'),
  maxLiveKernels: z.natural().min(1).default(8).description('Sessions whose worker is kept running.'),
  idleMs: z.natural().max(2_147_483_647).default(1_800_000).description('Time after which an unused session goes to sleep, milliseconds; 0 for never.'),
  durableReplay: z.boolean().default(true).description('Bring sessions back by replaying their history.'),
  computeMs: limit('computeMs').description('Active time of a cell, milliseconds.'),
  maxWallMs: limit('maxWallMs').description('Elapsed time of a cell, milliseconds.'),
  maxOldGenerationSizeMb: limit('maxOldGenerationSizeMb').description('V8 old generation of a session, mebibytes.'),
  maxOutputBytes: limit('maxOutputBytes').description('Logs and value of a cell, bytes.'),
  maxValueNodes: limit('maxValueNodes').description('Objects and arrays in one value.'),
  maxValueEdges: limit('maxValueEdges').description('Entries of objects and arrays in one value.'),
  maxValueArrayLength: limit('maxValueArrayLength').description('Array slots in one value.'),
  maxValueBigIntDigits: limit('maxValueBigIntDigits').description('Digits of one BigInt.'),
  maxNestedRunCodeDepth: limit('maxNestedRunCodeDepth').description('Nesting of code.run.'),
  sampleBoundMs: limit('sampleBoundMs').description('Wait for the figure that the compute budget of a cell starts from, milliseconds.'),
  unmeasuredCellLimit: limit('unmeasuredCellLimit').description('Cells in a row without that figure that cost the worker.'),
  workerReclaimMs: z.natural().min(1_000).default(DEFAULT_LIMITS.workerReclaimMs).description('Wait for a killed helper to exit, then for its pipes to end, milliseconds.'),
  startupProbeMs: limit('startupProbeMs').description('Time of the check of a fresh worker, milliseconds.'),
})

export async function apply(ctx: Context, config: Config = {}): Promise<void> {
  const { spareHelper = true, maxLiveKernels = 8, idleMs = 1_800_000, durableReplay = true, ...limits } = config
  ctx.capabilityPlan.explain(STATE_NAMESPACE.name, STATE_CONTRACTS)
  ctx.capabilityPlan.explain(CODE_NAMESPACE.name, CODE_CONTRACTS, CODE_NAMESPACE)
  ctx.capabilityPlan.explain(EDIT.global, EDIT_CONTRACTS)
  const kernel = new Kernel(ctx, withLimits(DEFAULT_LIMITS, limits), { spareHelper, maxLiveKernels, idleMs, durableReplay })
  await own(ctx, 'replKernel', kernel, () => kernel.close())
}

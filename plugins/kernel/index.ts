// The kernel plugin: `ctx.replKernel`, live session kernels over the journal and the capability plan.
import type { Context } from 'cordis'
import z from 'schemastery'
import { own } from '../journal/own.ts'
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
}

const limit = (name: keyof KernelLimits) => z.natural().min(1).default(DEFAULT_LIMITS[name])

export const name = 'repl-kernel'
export const inject: string[] = ['ptcJournal', 'capabilityPlan']
export const Config: z<Config> = z.object({
  spareHelper: z.boolean().default(true).description('Keep one helper process started ahead of need.'),
  computeMs: limit('computeMs').description('Active time of a cell, milliseconds.'),
  maxWallMs: limit('maxWallMs').description('Elapsed time of a cell, milliseconds.'),
  maxOldGenerationSizeMb: limit('maxOldGenerationSizeMb').description('V8 old generation of a session, mebibytes.'),
  maxOutputBytes: limit('maxOutputBytes').description('Logs and value of a cell, bytes.'),
  maxValueNodes: limit('maxValueNodes').description('Objects and arrays in one value.'),
  maxValueEdges: limit('maxValueEdges').description('Entries of objects and arrays in one value.'),
  maxValueArrayLength: limit('maxValueArrayLength').description('Array slots in one value.'),
  maxValueBigIntDigits: limit('maxValueBigIntDigits').description('Digits of one BigInt.'),
  maxNestedRunCodeDepth: limit('maxNestedRunCodeDepth').description('Nesting of code.run.'),
})

export async function apply(ctx: Context, config: Config = {}): Promise<void> {
  const { spareHelper = true, ...limits } = config
  const kernel = new Kernel(ctx, withLimits(DEFAULT_LIMITS, limits), spareHelper)
  await own(ctx, 'replKernel', kernel, () => kernel.close())
}

// The plugin that provides `ctx.capabilityPlan`: what programs may call, and who answers.
import type { Context } from 'cordis'
import { own } from '../journal/own.ts'
import { CapabilityPlan } from './plan.ts'
import type { CapabilityService } from './types.ts'

export * from './errors.ts'
export type * from './types.ts'

declare module 'cordis' {
  interface Context {
    capabilityPlan: CapabilityService
  }
  interface Events {
    /** A namespace was added or withdrawn. Cells that have started keep the view that they started with. */
    'capability-plan/changed'(): void
  }
}

export const name = 'capability-plan'
export const inject: string[] = []

export async function apply(ctx: Context): Promise<void> {
  const plan = new CapabilityPlan(ctx)
  await own(ctx, 'capabilityPlan', plan, () => plan.close())
}

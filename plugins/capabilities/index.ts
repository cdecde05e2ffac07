// The plugin that provides `ctx.capabilityPlan`: what programs may call, and who answers.
import type { Context } from 'cordis'
import z from 'schemastery'
import { own } from '../journal/own.ts'
import { CapabilityPlan } from './plan.ts'
import { DEFAULT_SETTINGS, type PlanSettings, type StatisticsSettings } from './session/settings.ts'
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
    /** The document of a session is another one: it was composed, or something was closed or opened again. */
    'capability-plan/session-changed'(session: string): void
    'capability-plan/statistics-changed'(): void
  }
}

export const name = 'capability-plan'
export const inject: string[] = []

/** PlanSettings as a file or a form holds them; the plan reads the documents among them itself. */
export interface Config {
  readonly managementEnabled?: boolean
  readonly baseline?: string[]
  readonly policy?: unknown
  readonly budgetBytes?: number
  readonly directoryBytes?: number
  readonly statistics?: Partial<StatisticsSettings>
  readonly profiles?: unknown
  readonly profile?: string | null
}
export const Config: z<Config> = z.object({
  managementEnabled: z.boolean().default(false).description('Compose, freeze and restrict what each session is offered.'),
  baseline: z.array(z.string()).default([]).description('Members or namespaces that are declared before others.'),
  policy: z.any().default(DEFAULT_SETTINGS.policy).description('A ptc-capability-policy/v1 document.'),
  budgetBytes: z.natural().min(1).default(DEFAULT_SETTINGS.budgetBytes).description('Bytes for declarations.'),
  directoryBytes: z.natural().min(512).default(DEFAULT_SETTINGS.directoryBytes).description('Bytes for the names of members that are not declared.'),
  statistics: z.object({
    enabled: z.boolean().default(false).description('Collect what sessions call, and let it decide where the policy says so.'),
    windowSize: z.natural().min(1).max(10_000).default(DEFAULT_SETTINGS.statistics.windowSize).description('Sessions that count.'),
    minimumSamples: z.natural().min(1).default(DEFAULT_SETTINGS.statistics.minimumSamples).description('With fewer sessions nothing is decided.'),
    fullThreshold: z.number().max(1).default(DEFAULT_SETTINGS.statistics.fullThreshold).description('Share of sessions from which on a member is declared in full.'),
  }).description('What sessions have called.'),
  profiles: z.any().default(DEFAULT_SETTINGS.profiles).description('A ptc-capability-profiles/v1 document.'),
  profile: z.union([z.string(), z.const(null)]).default(null).description('The profile that counts instead of baseline, policy and budgets.'),
})

export async function apply(ctx: Context, config: Config = {}): Promise<void> {
  const plan = new CapabilityPlan(ctx)
  plan.configure(config as Partial<PlanSettings>)
  await own(ctx, 'capabilityPlan', plan, () => plan.close())
}

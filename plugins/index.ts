// The whole bundle as one plugin: journal, capabilities and kernel, with one section of configuration each. Apps that want only
// some of them load those from their own entry points.
import type { Context } from 'cordis'
import * as capabilities from './capabilities/index.ts'
import * as journal from './journal/index.ts'
import * as kernel from './kernel/index.ts'

export interface Config {
  readonly journal?: Partial<journal.Config>
  readonly kernel?: kernel.Config
}

export const name = 'ptc-plus'
export const inject: string[] = []

export async function apply(ctx: Context, config: Config = {}): Promise<void> {
  await Promise.all([
    ctx.plugin(journal, config.journal ?? {}),
    ctx.plugin(capabilities),
    ctx.plugin(kernel, config.kernel ?? {}),
  ])
}

// The plugin that attaches the kernel to an agent host: `ctx.cordisBridge`. The only one that knows the host.
import type { Context } from 'cordis'
import z from 'schemastery'
import { own } from '../journal/own.ts'
import { Bridge } from './bridge.ts'
import { followPrompt } from './prompt/assembly.ts'
import type { BridgeService } from './types.ts'

export type * from './types.ts'

declare module 'cordis' {
  interface Context { cordisBridge: BridgeService }
}

export interface Config {
  /** Whether cells of the host's sessions run in kernels. Off: the host behaves as if the bundle were not installed. Default: true. */
  readonly enabled?: boolean
}

export const name = 'cordis-bridge'
export const inject: string[] = ['replKernel', 'ptcJournal', 'capabilityPlan', 'tools', 'systemPrompt']
export const Config: z<Config> = z.object({
  enabled: z.boolean().default(true).description('Run the cells of sessions in kernels that keep their names.'),
})

export async function apply(ctx: Context, { enabled = true }: Config = {}): Promise<void> {
  const bridge = new Bridge(ctx, enabled)
  const stop = bridge.follow()
  if (enabled) followPrompt(ctx, () => bridge.attached)
  await own(ctx, 'cordisBridge', bridge, stop)
}

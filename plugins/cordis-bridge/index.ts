// The plugin that attaches the kernel to an agent host: `ctx.cordisBridge`. The only one that knows the host.
import type { Context } from 'cordis'
import z from 'schemastery'
import { own } from '../journal/own.ts'
import { Bridge } from './bridge.ts'
import { LiveSettings } from './live-settings.ts'
import { followMessages } from './messages/follow.ts'
import { followPrompt } from './prompt/assembly.ts'
import { followStream } from './stream/follow.ts'
import type { BridgeService } from './types.ts'

export type * from './types.ts'

declare module 'cordis' {
  interface Context { cordisBridge: BridgeService }
}

export interface Config {
  /** Whether cells of the host's sessions run in kernels. Off: the host behaves as if the bundle were not installed. Default: true. */
  readonly enabled?: boolean
  /** Leaves cells to a runtime of the host that keeps names itself. Default: false. */
  readonly officialReplPriority?: boolean
  /** Whether a tool that the model calls directly, where only programs can call it, is called by a cell. Default: true. */
  readonly canonicalizeToolCalls?: boolean
  /** Whether a cell runs that comes without a description. Default: true. */
  readonly autoDescribeRunCode?: boolean
  /** Whether the model is told how to get out of a failure that comes again and again. Default: true. */
  readonly tipsEnabled?: boolean
  /** Requests from one tip to the next. Default: 3. */
  readonly tipCooldownMessages?: number
  /** So many tips without a success in between make the next one detailed. Default: 2. */
  readonly tipEscalationFailures?: number
  /** Milliseconds after which a host that has published no runtime is mentioned in the log. Default: 30 seconds. */
  readonly executionSeamTimeoutMs?: number
}

const NO_SEAM = 'the host has published no runtime for programs yet, neither codeRuntime nor ptcRuntime, so no cell can run'

export const name = 'cordis-bridge'
export const inject: string[] = ['replKernel', 'ptcJournal', 'capabilityPlan', 'tools', 'systemPrompt']
export const Config: z<Config> = z.object({
  enabled: z.boolean().default(true).description('Run the cells of sessions in kernels that keep their names.'),
  officialReplPriority: z.boolean().default(false).description('Leave cells to a runtime of the host that keeps names itself.'),
  canonicalizeToolCalls: z.boolean().default(true).description('Let a cell call a tool that the model calls directly where only programs can.'),
  autoDescribeRunCode: z.boolean().default(true).description('Run a cell that comes without a description.'),
  tipsEnabled: z.boolean().default(true).description('Tell the model how to get out of a failure that comes again and again.'),
  tipCooldownMessages: z.natural().min(1).max(Number.MAX_SAFE_INTEGER).default(3).description('Requests from one tip to the next.'),
  tipEscalationFailures: z.natural().min(1).max(Number.MAX_SAFE_INTEGER).default(2).description('Tips without a success in between that make the next one detailed.'),
  executionSeamTimeoutMs: z.natural().min(1).max(2_147_483_647).default(30_000).description('Wait for a runtime of the host before that is mentioned, milliseconds.'),
})

const isReadable = (given: unknown): boolean => {
  try { Config(given as Config); return true } catch { return false }
}

export async function apply(ctx: Context, config: Config = {}): Promise<void> {
  const {
    enabled = true, officialReplPriority = false, executionSeamTimeoutMs = 30_000, tipsEnabled = true, tipCooldownMessages = 3, tipEscalationFailures = 2,
    canonicalizeToolCalls = true, autoDescribeRunCode = true,
  } = config
  const settings = new LiveSettings(ctx, isReadable)
  try {
    const bridge = new Bridge(ctx, { enabled, officialReplPriority }, settings)
    const stop = bridge.follow()
    // Switched off, this takes back what was said before, and nothing else.
    followMessages(ctx, { cells: () => bridge.cells, catalog: () => '', tipsEnabled: tipsEnabled && enabled, tipCooldownMessages, tipEscalationFailures })
    if (enabled) {
      followPrompt(ctx, () => bridge.attached)
      followStream(ctx, () => bridge.attached, { canonicalizeToolCalls, autoDescribeRunCode })
      ctx.effect(() => {
        const timer = setTimeout(() => { if (!bridge.hasSeam) ctx.logger.warn(NO_SEAM) }, executionSeamTimeoutMs).unref()
        return () => { clearTimeout(timer) }
      }, 'setTimeout(executionSeamTimeoutMs)')
    }
    await own(ctx, 'cordisBridge', bridge, stop)
    if (!enabled) settings.work()
  } catch (error) {
    if (!settings.fail(error)) throw error
  }
}

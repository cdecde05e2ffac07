// Boots the graph from the published JavaScript (lib/, which `npm run bench` builds first), because that is what users wait for.
import { Context } from 'cordis'
import { existsSync } from 'node:fs'
import type { Config } from '../../plugins/kernel/index.ts'
import type { KernelService } from '../../plugins/kernel/types.ts'
import { active } from '../harness/graph.ts'

export interface BenchGraph { readonly ctx: Context, readonly kernel: KernelService, dispose(): Promise<void> }

const plugin = async (name: string): Promise<never> => {
  const url = new URL(`../../lib/plugins/${name}/index.js`, import.meta.url)
  if (!existsSync(url)) throw new Error('lib/ is missing: npm run build')
  return await import(url.href) as never
}

/** Sessions in memory, or in files below `dir`. */
export async function boot({ dir, kernel }: { readonly dir?: string, readonly kernel?: Config } = {}): Promise<BenchGraph> {
  const ctx = new Context()
  const fibers = [
    ctx.plugin(await plugin('journal'), (dir === undefined ? { memory: true } : { dir }) as never),
    ctx.plugin(await plugin('capabilities'), {} as never),
    ctx.plugin(await plugin('kernel'), { spareHelper: false, ...kernel } as never),
  ]
  for (const fiber of fibers) await active(fiber)
  return { ctx, get kernel() { return ctx.replKernel }, dispose: async () => { await ctx.fiber.dispose() } }
}

// The row that sees the host's own runtimes. The bundle's patch moves them into a realm of their own, in which this row lives too;
// it hands them to the bridge whenever they come, and takes them back when they go.
import type { Context } from 'cordis'
import type { SeamName } from './host/types.ts'
import type { BridgeService } from './types.ts'

const SEAMS: readonly SeamName[] = ['codeRuntime', 'ptcRuntime']

export const name = 'ptc-plus-original'
export const inject: string[] = ['cordisBridge']

export function apply(ctx: Context): void {
  for (const seam of SEAMS) {
    ctx.inject([seam], (child: Context) => {
      const { cordisBridge, [seam]: original } = child as unknown as { readonly cordisBridge: BridgeService } & Record<SeamName, never>
      return cordisBridge.attach(seam, original)
    })
  }
}

// A namespace for tests that kill: a call of `slow.add` takes effect in the middle of its time and answers at the end, so a
// kill finds calls that have happened and calls that have not.
import type { Context } from 'cordis'
import { appendFileSync } from 'node:fs'
import type {} from '../../plugins/capabilities/index.ts'

export const name = 'slow-notes'
export const inject: string[] = ['capabilityPlan']

const sleep = (ms: number) => new Promise((resolve) => { setTimeout(resolve, ms) })

export function apply(ctx: Context): void {
  const file = process.env.PTC_NOTES_FILE ?? 'notes.ndjson'
  ctx.capabilityPlan.register('slow', {
    add: {
      replay: 'recorded-value',
      async call(args) {
        const { text, ms } = args as { text: string, ms: number }
        await sleep(ms / 2)
        appendFileSync(file, `${JSON.stringify({ text })}\n`)
        await sleep(ms / 2)
        return { text }
      },
    },
  })
}

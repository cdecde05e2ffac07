// The helper's side of the startup probe: how long it may take, and what it said. The helper's thread watches, because a worker
// that blocks can not watch itself.
import type { FromSessionWorker } from '../../protocol/messages.ts'

/** Hears the worker's messages over the private port; `fail` is called once, when the probe fails or takes too long. */
export function watchProbe(startupProbeMs: number, fail: (reason: string) => void): (message: FromSessionWorker) => void {
  let bound: NodeJS.Timeout | undefined
  return (message) => {
    if (message.type === 'probing') {
      bound = setTimeout(() => fail(`the startup probe of the worker did not end within ${startupProbeMs} ms`), startupProbeMs)
    } else if (message.type === 'probed') {
      clearTimeout(bound)
      if (message.failure !== undefined) fail(`the worker failed its startup probe: ${message.failure}`)
    }
  }
}

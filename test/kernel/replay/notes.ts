// A namespace as programs meet it: answers that differ from call to call, late ones, failing ones. It counts what is
// dispatched, which is how a test sees that a replay called nobody.
import type { Context } from 'cordis'

export class Notes {
  dispatched = 0
  private ids = 0
  private readonly failures = new Map<string, number>()

  register(ctx: Context): void {
    const member = (call: (args: unknown) => unknown) => ({
      replay: 'recorded-value' as const, call: (args: unknown) => { this.dispatched += 1; return call(args) },
    })
    ctx.capabilityPlan.register('notes', {
      add: member((args) => ({ id: this.ids += 1, ...args as object })),
      echo: member((args) => args),
      fail: member((args) => this.fail(args as { reason: string })),
      flaky: member((args) => this.flaky(args as { key: string, failures: number })),
      page: member((args) => page(args as { cursor: number, size: number })),
      slow: member((args) => slow(args as { key: string, ms: number })),
      status: member((args) => ({ state: this.count((args as { job: string }).job) < 3 ? 'building' : 'ready' })),
    })
  }

  private count(key: string): number {
    const count = (this.failures.get(key) ?? 0) + 1
    this.failures.set(key, count)
    return count
  }

  private fail({ reason }: { reason: string }): never {
    throw reason === 'range' ? new RangeError('out of range') : new Error(reason)
  }

  private flaky({ key, failures }: { key: string, failures: number }): object {
    const tries = this.count(key)
    if (tries <= failures) throw new Error(`not yet: ${tries}`)
    return { key, tries }
  }
}

const slow = (args: { key: string, ms: number }) => new Promise((resolve) => { setTimeout(resolve, args.ms, args) })

function page({ cursor, size }: { cursor: number, size: number }): object {
  const items = Array.from({ length: Math.min(size, 10 - cursor) }, (_, index) => cursor + index)
  return cursor + size < 10 ? { items, next: cursor + size } : { items }
}

// How every plugin here provides its service: visible to others last, closed only after those who use it have stopped.
// Needs nothing from Cordis at run time, so it works on every host that speaks its protocol.
//
// Owns: the span between providing a service and closing it.
// Does not own: the service's state, and the fibers that use it.
// Invariants:
//   O1  `close` runs exactly once, also when providing fails.
//   O2  `close` starts after every fiber that was given the service has unloaded, or after `graceMs`.
import type { Context, Fiber } from 'cordis'

const TRACKER = Symbol.for('cordis.tracker')
const ORIGINAL = Symbol.for('cordis.original')
/** Cordis exports its fiber states as an ambient const enum only; these are the ones in which a fiber holds services. */
const HOLDING: readonly number[] = [1 /* loading */, 2 /* active */, 5 /* unloading */]

/**
 * Provides `service` as `ctx[name]` for the lifetime of the calling fiber. Inside a method that was reached through a
 * context, `this.ctx` is the caller's context. Rejects, after closing, when the fiber can not provide the name.
 */
export async function own<T extends object>(
  ctx: Context, name: string, service: T, close: () => unknown, graceMs = 5000,
): Promise<void> {
  if (!(TRACKER in service)) {
    Object.defineProperty(service, TRACKER, { value: { associate: name, property: 'ctx' } })
  }
  let closing: Promise<void> | undefined
  const closeOnce = () => closing ??= (async () => { await close() })() // O1
  const users = new Set<Fiber>()
  try {
    // Of all forms of effect only a synchronous generator undoes its steps one after the other, the last one first.
    ctx.effect(function* () {
      yield async () => {
        await settled(users, graceMs) // O2
        await closeOnce()
      }
      // A fiber that is disposed together with this one has left the registry, where `provide` would look for it.
      // The object of the event may stand for its fiber instead of being it; `ctx.fiber` is always the one. Ours holds the
      // service too, and must not be waited for.
      yield ctx.on('internal/status', ({ state, store, ctx: { fiber } }) => {
        if (fiber !== ctx.fiber && HOLDING.includes(state) && store?.[name]?.fiber === ctx.fiber) users.add(fiber)
        else users.delete(fiber)
      })
      yield ctx.provide(name, service)
    }, `own(${JSON.stringify(name)})`)
  } catch (error) {
    await closeOnce()
    throw error
  }
}

/**
 * The service itself, without the proxy by which a method learns who calls it. That proxy costs some ten microseconds a call, so
 * whoever calls often holds this; a method that acts for its caller has to be reached through a context.
 */
export function plain<T extends object>(service: T): T {
  return (service as { readonly [ORIGINAL]?: T })[ORIGINAL] ?? service
}

async function settled(fibers: Iterable<Fiber>, graceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => { timer = setTimeout(resolve, graceMs) })
  await Promise.race([patience, Promise.allSettled([...fibers].map(fiber => fiber.await()))])
  clearTimeout(timer)
}

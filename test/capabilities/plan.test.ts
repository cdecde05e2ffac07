// C1, C2 and C3: who may be called, and for how long. Would catch a namespace that outlives its plugin, a target that is found on
// a prototype, and a call that waits for ever.
import { expect } from 'chai'
import type { Context } from 'cordis'
import type { CapabilityService, Members } from '../../plugins/capabilities/types.ts'
import { active, bench, callContext, HOSTS, member, owner, rejection, unwind, type Bench } from './hosts.ts'

for (const [host, create] of HOSTS) {
  describe(`capability plan on ${host}`, () => {
    let graph: Bench
    beforeEach(async () => { graph = await bench(create) })
    afterEach(() => unwind(graph))

    const names = (): string[] => graph.ctx.capabilityPlan.view().map(({ name }) => name)
    const mount = async (register: (ctx: Context) => void) => {
      const fiber = graph.ctx.plugin(owner(register))
      await active(fiber)
      return fiber
    }
    const dispatch = (symbol: string, args?: unknown, signal?: AbortSignal) => {
      const dot = symbol.indexOf('.')
      return graph.ctx.capabilityPlan.dispatch(symbol.slice(0, dot), symbol.slice(dot + 1), args, callContext(signal))
    }

    it('C1 a namespace lives as long as the fiber that registered it', async () => {
      const fiber = await mount((ctx) => { ctx.capabilityPlan.register('notes', { add: member() }) })
      expect(names()).to.deep.equal(['capabilities', 'notes'])
      expect(fiber.getEffects().map(({ label }) => label)).to.include('ctx.capabilityPlan.register()')
      await fiber.dispose()
      expect(names()).to.deep.equal(['capabilities'])
      expect(await rejection(dispatch('notes.add'))).to.include({ name: 'CapabilityError', code: 'unknown-member' })
    })

    it('C1 the disposer takes it away earlier, at once and only once', async () => {
      let dispose!: () => void
      let register!: () => void
      const fiber = await mount((ctx) => {
        register = () => { dispose = ctx.capabilityPlan.register('notes', { add: member() }) }
        register()
      })
      dispose()
      expect(names()).to.deep.equal(['capabilities'])
      const first = dispose
      register()
      first()
      expect(names()).to.deep.equal(['capabilities', 'notes'])
      await fiber.dispose()
      expect(names()).to.deep.equal(['capabilities'])
    })

    it('C1 an owner that reloads registers again', async () => {
      let starts = 0
      const fiber = await mount((ctx) => { ctx.capabilityPlan.register('notes', { starts: member(() => starts) }); starts++ })
      await fiber.restart()
      await active(fiber)
      expect(await dispatch('notes.starts')).to.equal(2)
      await graph.plan.restart()
      await active(graph.plan)
      await active(fiber)
      expect(names()).to.deep.equal(['capabilities', 'notes'])
      expect(await dispatch('notes.starts')).to.equal(3)
    })

    it('C1 of two owners, one leaves', async () => {
      const a = await mount((ctx) => { ctx.capabilityPlan.register('a', { m: member(() => 'a') }) })
      await mount((ctx) => { ctx.capabilityPlan.register('b', { m: member(() => 'b') }) })
      await a.dispose()
      expect(await dispatch('b.m')).to.equal('b')
      expect(names()).to.deep.equal(['b', 'capabilities'])
    })

    it('C1 an owner can still call while it unloads', async () => {
      const seen: unknown[] = []
      const fiber = graph.ctx.plugin({
        name: 'late', inject: ['capabilityPlan'],
        apply: (ctx: Context) => {
          const plan = ctx.capabilityPlan
          return async () => { seen.push(await plan.dispatch('capabilities', 'tree', undefined, callContext())) }
        },
      })
      await active(fiber)
      await graph.plan.dispose()
      expect(seen).to.deep.equal([[]])
    })

    it('C2 a target resolves to an own member or to nothing', async () => {
      await mount((ctx) => {
        ctx.capabilityPlan.register('odd', {
          ['__proto__']: member(() => 'proto'), constructor: member(() => 'maker'), 'a b.c': member(() => 'text'),
        })
        ctx.capabilityPlan.register('inherits', Object.create({ m: member() }) as Members)
      })
      expect(await dispatch('odd.__proto__')).to.equal('proto')
      expect(await dispatch('odd.constructor')).to.equal('maker')
      expect(await dispatch('odd.a b.c')).to.equal('text')
      for (const symbol of ['odd.toString', 'odd.', 'inherits.m', 'inherits.constructor', 'constructor.name', '__proto__.toString', 'capabilities.constructor', 'no.thing']) {
        expect(await rejection(dispatch(symbol)), symbol).to.include({ code: 'unknown-member' })
        expect(graph.ctx.capabilityPlan.replayOf(...symbol.split('.') as [string, string])).to.equal('unknown')
      }
      expect(graph.ctx.capabilityPlan.replayOf('odd', '__proto__')).to.equal('recorded-value')
      expect(graph.ctx.capabilityPlan.view()[2]).to.deep.equal({ name: 'odd', members: ['__proto__', 'a b.c', 'constructor'] })
    })

    it('a member gets the argument and the context, as a method of itself', async () => {
      const self = member(function (this: unknown, args, { session, cwd, signal }) { return [this === self, args, session, cwd, signal.aborted] })
      await mount((ctx) => { ctx.capabilityPlan.register('n', { m: self }) })
      expect(await dispatch('n.m', { a: 1 })).to.deep.equal([true, { a: 1 }, 's', '/', false])
      expect(await dispatch('n.m')).to.deep.equal([true, undefined, 's', '/', false])
    })

    it('dispatch rejects with exactly what the member threw', async () => {
      const thrown = { plain: true }
      await mount((ctx) => {
        ctx.capabilityPlan.register('n', { sync: member(() => { throw thrown }), later: member(() => Promise.reject(thrown)), nothing: member(() => Promise.reject(undefined)) })
      })
      expect(await rejection(dispatch('n.sync'))).to.equal(thrown)
      expect(await rejection(dispatch('n.later'))).to.equal(thrown)
      expect(await rejection(dispatch('n.nothing'))).to.equal(undefined)
    })

    it('C3 a call rejects as soon as its signal aborts, and leaves no listener', async () => {
      let settle!: (value: unknown) => void
      let fail!: (error: Error) => void
      await mount((ctx) => {
        ctx.capabilityPlan.register('n', {
          never: member(() => new Promise(() => {})), later: member(() => new Promise((resolve) => { settle = resolve })),
          fails: member(() => new Promise((_, reject) => { fail = reject })), quick: member(() => 1), refuses: member(() => Promise.reject(new Error('no'))),
        })
      })
      const listeners = watch()
      for (const name of ['never', 'later', 'fails']) {
        const controller = new AbortController()
        const pending = dispatch(`n.${name}`, undefined, listeners.of(controller.signal))
        controller.abort(new Error('the cell ended'))
        const error = await rejection(pending)
        expect(error).to.be.instanceOf(Error).and.include({ name: 'AbortError' })
        expect(error.cause).to.include({ message: 'the cell ended' })
      }
      settle(1)
      fail(new Error('too late')) // must not surface as an unhandled rejection
      const { signal } = new AbortController()
      expect(await dispatch('n.quick', undefined, listeners.of(signal))).to.equal(1)
      await rejection(dispatch('n.refuses', undefined, listeners.of(signal)))
      await new Promise((resolve) => { setImmediate(resolve) })
      expect(listeners.open()).to.equal(0)
    })

    it('C3 a signal that has aborted already: the member is not called', async () => {
      let calls = 0
      await mount((ctx) => { ctx.capabilityPlan.register('n', { m: member(() => ++calls) }) })
      expect(await rejection(dispatch('n.m', undefined, AbortSignal.abort()))).to.include({ name: 'AbortError' })
      expect(calls).to.equal(0)
    })

    it('C3 a pending call settles when its owner leaves', async () => {
      const fiber = await mount((ctx) => { ctx.capabilityPlan.register('n', { never: member(() => new Promise(() => {})) }) })
      const pending = rejection(dispatch('n.never'))
      await fiber.dispose()
      expect(await pending).to.include({ name: 'CapabilityError', code: 'withdrawn' })
    })

    it('changes are announced, and a bad listener undoes nothing', async () => {
      let changes = 0
      const stop = graph.ctx.on('capability-plan/changed', () => { changes++ })
      const fiber = await mount((ctx) => { ctx.capabilityPlan.register('n', {}) })
      await fiber.dispose()
      expect(changes).to.equal(2)
      stop()
      const bad = graph.ctx.on('capability-plan/changed', () => { throw new Error('bad listener') })
      await mount((ctx) => { ctx.capabilityPlan.register('n', {}) })
      bad()
      expect(names()).to.include('n')
      expect(graph.ctx.logger.buffer.splice(0).filter(({ type }) => type === 'error')).to.have.length(1)
    })

    it('view is plain frozen data', async () => {
      await mount((ctx) => { ctx.capabilityPlan.register('z', { b: member(), a: member() }, { errorClass: { name: 'ZError', memberNameProperty: 'member' } }) })
      const view = graph.ctx.capabilityPlan.view()
      expect(view).to.deep.equal([
        { name: 'capabilities', members: ['find', 'inspect', 'search', 'tree'], errorClass: { name: 'CapabilityExplorationError', memberNameProperty: 'operation', extends: 'TypeError' }, soft: true },
        { name: 'z', members: ['a', 'b'], errorClass: { name: 'ZError', memberNameProperty: 'member' } },
      ])
      expect(Object.isFrozen(view[1]) && Object.isFrozen(view[1]!.members) && Object.isFrozen(view[1]!.errorClass)).to.equal(true)
    })

    it('a plan without dependants closes, and its service is gone', async () => {
      const plan: CapabilityService = graph.ctx.capabilityPlan
      await graph.plan.dispose()
      expect(graph.ctx.get('capabilityPlan')).to.equal(undefined)
      expect(plan.view()).to.deep.equal([])
    })
  })
}

/** Counts abort listeners that were added and not removed. */
function watch(): { of(signal: AbortSignal): AbortSignal, open(): number } {
  let open = 0
  return {
    of(signal) {
      const { addEventListener, removeEventListener } = signal
      signal.addEventListener = ((...args: Parameters<typeof addEventListener>) => { open++; addEventListener.apply(signal, args) }) as typeof addEventListener
      signal.removeEventListener = ((...args: Parameters<typeof removeEventListener>) => { open--; removeEventListener.apply(signal, args) }) as typeof removeEventListener
      return signal
    },
    open: () => open,
  }
}

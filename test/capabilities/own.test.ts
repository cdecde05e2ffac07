// O1 and O2 of plugins/journal/own.ts, on both hosts: would catch a service that is closed under the feet of a plugin that still uses it,
// closed twice, or never.
import { expect } from 'chai'
import type { Context } from 'cordis'
import { own, plain } from '../../plugins/journal/own.ts'
import { active, HOSTS } from './hosts.ts'

const pause = (ms: number) => new Promise((resolve) => { setTimeout(resolve, ms) })

for (const [host, create] of HOSTS) {
  describe(`own on ${host}`, () => {
    let ctx: Context
    let trace: string[]
    beforeEach(() => { ctx = create(); trace = [] })

    const service = () => {
      let open = true
      return { use: () => { trace.push(open ? 'used' : 'used after close') }, close: () => { open = false; trace.push('closed') } }
    }
    const provider = (graceMs?: number) => ({
      name: 'provider',
      async apply(ctx: Context) {
        const made = service()
        await own(ctx, 'thing', made, made.close, graceMs)
      },
    })
    const user = (work: () => Promise<unknown>) => ({
      name: 'user', inject: ['thing'],
      apply: (ctx: Context) => {
        const thing = ctx.get('thing') as ReturnType<typeof service>
        return async () => { await work(); thing.use() }
      },
    })

    const unloads: readonly (readonly [string, (fiber: { dispose(): Promise<void>, restart(): Promise<void> }) => Promise<unknown>])[] = [
      ['dispose', fiber => fiber.dispose()], ['restart', fiber => fiber.restart()], ['root', () => ctx.fiber.dispose()],
    ]
    for (const [way, unload] of unloads) {
      it(`O2 users unload before the service closes: ${way}`, async () => {
        const fiber = ctx.plugin(provider())
        await active(fiber)
        await active(ctx.plugin(user(() => pause(20))))
        await active(ctx.plugin(user(() => pause(5))))
        const start = performance.now()
        await unload(fiber)
        expect(trace.slice(0, 3)).to.deep.equal(['used', 'used', 'closed'])
        expect(performance.now() - start).to.be.below(3000)
        await ctx.fiber.dispose()
        expect(trace).to.not.include('used after close')
      })
    }

    it('O2 waits no longer than graceMs for a user that is disposed in the same sweep', async () => {
      await active(ctx.plugin(provider(30)))
      let release!: () => void
      await active(ctx.plugin(user(() => new Promise<void>((resolve) => { release = resolve }))))
      const gone = ctx.fiber.dispose()
      await pause(150)
      expect(trace).to.deep.equal(['closed'])
      release()
      await gone
    })

    it('plain is the service itself, however it was reached', async () => {
      await active(ctx.plugin(provider()))
      const reached = (ctx as unknown as { readonly thing: object }).thing
      expect(plain(reached)).to.equal(plain(plain(reached)))
      expect(plain(reached)).to.equal(plain((ctx as unknown as { readonly thing: object }).thing))
      const other = {}
      expect(plain(other)).to.equal(other)
      await ctx.fiber.dispose()
    })

    it('O1 closes once when the name is taken', async () => {
      await active(ctx.plugin(provider()))
      const second = ctx.plugin(provider())
      let failed = false
      await second.await().catch(() => { failed = true })
      expect(failed).to.equal(true)
      expect(trace).to.deep.equal(['closed'])
      await ctx.fiber.dispose()
      expect(trace).to.deep.equal(['closed', 'closed'])
    })

    it('O1 closes once when the fiber is disposed while the service starts', async () => {
      let opened!: () => void
      const opening = new Promise<void>((resolve) => { opened = resolve })
      const fiber = ctx.plugin({
        name: 'slow',
        async apply(ctx: Context) {
          await opening
          const made = service()
          await own(ctx, 'thing', made, made.close)
        },
      })
      await pause(5)
      const gone = fiber.dispose()
      opened()
      await gone
      expect(trace).to.deep.equal(['closed'])
      expect(ctx.get('thing')).to.equal(undefined)
    })
  })
}

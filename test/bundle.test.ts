// The root export: one plugin that brings the whole graph up and takes it down, on both Cordis.
import { expect } from 'chai'
import * as bundle from '../plugins/index.ts'
import { hosts, active } from './harness/graph.ts'
import { answerOf } from './harness/sessions.ts'

for (const { name, create } of hosts) {
  describe(`the bundle on ${name}`, () => {
    it('runs a cell, and goes as a whole', async () => {
      const ctx = create()
      const fiber = ctx.plugin(bundle as never, { journal: { memory: true }, kernel: { spareHelper: false, maxOldGenerationSizeMb: 128 } } as never)
      await active(fiber)
      const session = await ctx.get('replKernel')!.open('s')
      expect(answerOf(await session.run('1 + 1'))).to.deep.equal({ value: 2 })
      await fiber.dispose()
      expect(session.state).to.equal('closed')
      expect(ctx.get('replKernel')).to.equal(undefined)
      await ctx.fiber.dispose()
    })
  })
}

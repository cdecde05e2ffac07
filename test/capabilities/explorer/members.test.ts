// What programs can read about what they may call (contract 4.1), through the same dispatch as every other call.
import { expect } from 'chai'
import type { Context } from 'cordis'
import { CapabilityExplorationError } from '../../../plugins/capabilities/index.ts'
import { decode, encode } from '../../../plugins/kernel/wire/index.ts'
import type { Inspection, MemberContract } from '../../../plugins/capabilities/types.ts'
import { active, bench, callContext, HOSTS, member, owner, rejection, unwind, type Bench } from '../hosts.ts'

for (const [host, create] of HOSTS) {
  describe(`capability explorer on ${host}`, () => {
    let graph: Bench
    beforeEach(async () => {
      graph = await bench(create)
      await active(graph.ctx.plugin(owner((ctx: Context) => {
        ctx.capabilityPlan.register('files', {
          write: member(), read: member(() => '', { completeness: 'bounded', description: 'Reads.', parameters: { type: 'object' }, returns: { type: 'string' } }),
        })
      })))
    })
    afterEach(() => unwind(graph))

    const ask = (operation: string, args?: unknown) => graph.ctx.capabilityPlan.dispatch('capabilities', operation, args, callContext())
    const symbols = (inspection: unknown) => (inspection as Inspection).symbols.map(({ namespace, name }: MemberContract) => `${namespace}.${name}`)

    it('4.1 metadata files.read, files.write -> tree', async () => {
      expect(await ask('tree')).to.deep.equal([{ namespace: 'files', members: ['read', 'write'] }])
      expect(graph.ctx.capabilityPlan.tree()).to.deep.equal(await ask('tree'))
    })

    it('4.1 tree with an argument -> TypeError with operation', async () => {
      for (const bad of [{}, null, 0, '']) {
        const error = await rejection(ask('tree', bad))
        expect(error).to.be.instanceOf(TypeError).and.instanceOf(CapabilityExplorationError)
        expect(error).to.include({ name: 'CapabilityExplorationError', operation: 'tree' })
      }
    })

    it('4.1 inspect of nothing shows all, sorted', async () => {
      const answer = await ask('inspect') as Inspection
      expect(symbols(answer)).to.deep.equal(['files.read', 'files.write'])
      expect(answer).to.deep.include({ omitted: 0, unknown: [], budget: 50 })
      const { fingerprint, ...contract } = answer.symbols[0]!
      expect(fingerprint).to.match(/^[0-9a-f]{64}$/u)
      expect(contract).to.deep.equal({
        namespace: 'files', name: 'read', description: 'Reads.', parameters: { type: 'object' }, returns: { type: 'string' },
        completeness: 'bounded', effect: 'unknown', authority: 'ptc-plus-program-binding', replay: 'recorded-value',
      })
      expect(answer.symbols[1]).to.not.have.property('description')
      expect(decode(encode(answer))).to.deep.equal(answer)
    })

    it('4.1 inspect with budget 1 -> 1 symbol, omitted 1, unknown [], budget 1', async () => {
      const answer = await ask('inspect', { budget: 1 })
      expect(symbols(answer)).to.deep.equal(['files.read'])
      expect(answer).to.deep.include({ omitted: 1, unknown: [], budget: 1 })
    })

    it('4.1 inspect of symbols keeps their order and names the unknown', async () => {
      const answer = await ask('inspect', { symbols: ['files.write', 'files.nope', 'files.read', 'files.write', 'constructor', 'capabilities.tree'] })
      expect(symbols(answer)).to.deep.equal(['files.write', 'files.read'])
      expect(answer).to.deep.include({ omitted: 0, unknown: ['files.nope', 'constructor', 'capabilities.tree'] })
    })

    it('4.1 no symbols -> first 50', async () => {
      await active(graph.ctx.plugin(owner((ctx: Context) => {
        ctx.capabilityPlan.register('many', Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`m${i}`, member()])))
      })))
      expect(await ask('inspect')).to.deep.include({ omitted: 12, budget: 50 })
    })

    it('4.1 inspect(null) -> TypeError, as every other request that is not one', async () => {
      for (const bad of [null, 7, 'files.read', [], { budget: 0 }, { budget: 1.5 }, { budget: '1' }, { symbols: 'files.read' }, { symbols: [1] }, { extra: 1 }]) {
        const error = await rejection(ask('inspect', bad))
        expect(error).to.be.instanceOf(TypeError)
        expect(error).to.include({ name: 'CapabilityExplorationError', operation: 'inspect' })
      }
      expect(() => graph.ctx.capabilityPlan.inspect(null as never)).to.throw(TypeError)
    })

    it('calls of the explorer are recorded like any other', () => {
      const plan = graph.ctx.capabilityPlan
      expect(['tree', 'inspect'].map(name => plan.replayOf('capabilities', name))).to.deep.equal(['recorded-value', 'recorded-value'])
    })
  })
}

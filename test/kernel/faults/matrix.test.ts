// Every hostile act at every place of a cell where it can strike: the cell ends as the contract says, the session's earlier names
// are there for the next one, and nobody else notices (contract 1.6, 1.7, 1.8; K4, W1, W2).
import { expect } from 'chai'
import type { CellResult, ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { children, descriptors } from '../../harness/processes.ts'
import { answerOf } from '../../harness/sessions.ts'
import { ACTS, type Act, type Verdict } from './acts.ts'
import { PLACES } from './places.ts'

const verdictOf = ({ status, error }: CellResult): Verdict | string => status === 'durable' || status === 'volatile' ? 'ran' : error?.kind ?? status

/** Cells that the infrastructure may end before the names are back: what a late act costs is the cell that it meets. */
const MAX_COST = 2

describe('no act of a cell brings the kernel down', function () {
  this.timeout(120_000)
  let graph: Graph
  let bystander: ReplSession
  let count = 0
  let had: { children: number, descriptors: number }

  const settle = () => new Promise((resolve) => { setImmediate(() => setImmediate(resolve)) })

  before(async () => {
    const first = await boot()      // what a process opens for its first child, it keeps
    await (await first.kernel.open('first')).run('1')
    await first.dispose()
    await settle()
    had = { children: children().length, descriptors: descriptors() }
    graph = await boot({ kernel: { spareHelper: true } })
    graph.ctx.capabilityPlan.register('notes', { echo: { replay: 'recorded-value', call: (args) => args } })
    bystander = await graph.kernel.open('bystander')
    await bystander.run('let rounds = 0')
  })

  after('and nothing is left of any', async () => {
    expect(answerOf(await bystander.run('rounds')), 'the other session').to.deep.equal({ value: ACTS.length })
    await graph.dispose()
    await settle()
    expect({ children: children().length, descriptors: descriptors() }).to.deep.equal(had)
  })

  async function namesAreBack(session: ReplSession, act: Act, place: string): Promise<void> {
    for (let cost = 0; ; cost += 1) {
      const result = await session.run('kept', { limits: { maxWallMs: 20_000, ...act.limits } })
      if (verdictOf(result) === 'ran') return expect(answerOf(result), place).to.deep.equal({ value: 1 }) as never
      expect(act.survives, `${place}: the worker lives, but answers ${result.error?.message ?? ''}`).to.equal(false)
      expect(cost, `${place}: ${result.error?.message ?? ''}`).to.be.lessThan(MAX_COST)
    }
  }

  for (const act of ACTS) {
    it(act.name, async () => {
      for (const place of PLACES) {
        const session = await graph.kernel.open(`s ${count += 1}`)
        await session.run('let kept = 1')
        const result = await session.run(place.around(act.code), { limits: { maxWallMs: 20_000, ...act.limits } })
        expect(place.isLate === true ? [...act.verdict, 'ran'] : act.verdict, `${place.name}: ${result.error?.message ?? ''}`).to.include(verdictOf(result))
        await namesAreBack(session, act, place.name)
        await session.close()
      }
      await bystander.run('rounds += 1')
    })
  }
})

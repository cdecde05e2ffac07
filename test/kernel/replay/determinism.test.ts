// Would catch: an input of a realistic cell that is not recorded, or is recorded and comes back differently. Every cell of
// the corpus has to be durable, and after a restart has to have the same values, without a word and without a call (R1, R2).
import { expect } from 'chai'
import type { ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { temporaryFolder } from '../../harness/sessions.ts'
import { corpus, isDurableByContract, type Sample } from './corpus.ts'
import { Notes } from './notes.ts'

describe('the corpus of realistic cells', () => {
  const folder = temporaryFolder()
  const notes = new Notes()
  let graph: Graph
  let run = 0
  let durable = 0
  const start = async () => { graph = await boot({ dir: folder.path, kernel: { spareHelper: true } }); notes.register(graph.ctx) }

  before(start)
  after(async () => { await graph.dispose(); folder.remove() })

  for (const { name, samples } of corpus()) {
    it(`${name}: ${samples.length} cells are durable and replay to the same values`, async function () {
      this.timeout(120_000)
      let session = await graph.kernel.open(name)
      const contracted: unknown[] = []
      for (const sample of samples) durable += await isDurable(session, sample) ? 1 : 0
      run += samples.length
      const live = await probe(session, samples)
      const { dispatched } = notes
      await graph.dispose()
      await start()
      session = await graph.kernel.open(name)
      graph.ctx.on('ptc-journal/contracted', (...what) => { contracted.push(what) })
      await session.recover()
      const again = await probe(session, samples)
      for (const [index, { title }] of samples.entries()) expect(again[index], title).to.equal(live[index])
      expect(contracted, 'nothing contracts').to.deep.equal([])
      expect(notes.dispatched, 'R1 a replay dispatches nothing').to.equal(dispatched)
    })
  }

  it('is durable as a whole; clocks and timers alone would have made most of it volatile', () => {
    const samples = corpus().flatMap((session) => session.samples)
    const byContract = samples.filter(isDurableByContract).length
    const percent = (count: number) => `${(100 * count / samples.length).toFixed(1)} %`
    console.log(`      ${samples.length} cells: durable ${percent(durable)}; by the contract's rule ${percent(byContract)}, so volatile ${percent(samples.length - byContract)}`)
    expect(samples.length).to.be.at.least(100)
    if (run === samples.length) expect(durable).to.equal(samples.length)
  })
})

async function isDurable(session: ReplSession, { title, source }: Sample): Promise<boolean> {
  const { status, error, record } = await session.run(source)
  if (status !== 'noop' && error !== undefined && !source.includes('\nthrow ')) throw new Error(`${title}: ${error.name} ${error.message}`)
  expect(status, `${title}: ${record.volatileReason ?? error?.message}`).to.equal('durable')
  return true
}

/** Each probe's value as text in which every kind of value can be told from every other. */
async function probe(session: ReplSession, samples: readonly Sample[]): Promise<string[]> {
  const look = `import { inspect as inspectProbe } from 'node:util'
    return [${samples.map((sample) => `inspectProbe(${sample.probe}, { depth: 20, maxArrayLength: null, maxStringLength: null })`).join(',\n')}]`
  const { value, status, error, logs } = await session.run(look)
  expect(status, error?.message).to.equal('durable')
  expect(error, JSON.stringify(error)).to.equal(undefined)
  expect(logs.map(({ text }) => text), 'no diagnostic').to.deep.equal([])
  return value as string[]
}

// A fixed set of random programs, cut into cells, on both engines: each has to behave like the same program in one piece.
// docs/reference/fuzz.md says how to look for more.
import { expect } from 'chai'
import { KernelEngine, RealmEngine, type Engine } from './fuzz/engines.ts'
import { Comparison } from './fuzz/fuzz.ts'
import { generate, cellsOf } from './fuzz/program.ts'
import { report } from './fuzz/report.ts'

const SEED = 20

async function run(engine: Engine, programs: number): Promise<Comparison> {
  const comparison = new Comparison(engine)
  try {
    for (let index = 0; index < programs; index += 1) {
      const difference = await comparison.run(SEED, index)
      if (difference !== undefined) expect.fail(report(`--seed ${SEED} --from ${index} --programs 1`, difference))
    }
  } finally {
    await engine.close()
  }
  return comparison
}

describe('random programs in cells', () => {
  it('compiled cells in a realm behave like the whole program', async () => {
    const { counts } = await run(new RealmEngine(), 300)
    expect(counts.invalid, 'texts that are no programs').to.be.below(10)
    expect(counts.threw, 'programs that end early').to.be.below(80)
    expect(counts.cells).to.be.above(600)
  }).timeout(60_000)

  it('the cells of a kernel session behave like the whole program', async () => {
    const { counts } = await run(new KernelEngine(), 50)
    expect(counts.cells).to.be.above(90)
  }).timeout(60_000)

  it('the same seed makes the same program', () => {
    expect(cellsOf(generate(4, '_t'))).to.deep.equal(cellsOf(generate(4, '_t')))
    expect(cellsOf(generate(4, '_t'))).to.not.deep.equal(cellsOf(generate(5, '_t')))
  })
})

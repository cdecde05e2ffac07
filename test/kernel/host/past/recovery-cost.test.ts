// What a recovery costs: the whole history is folded, but only the path to the head is replayed, and it tells how far it is.
import { expect } from 'chai'
import type { CellRecord } from '../../../../plugins/journal/types.ts'
import { boot, type Graph } from '../../../harness/graph.ts'
import { answerOf } from '../../../harness/sessions.ts'

describe('the cost of a recovery', () => {
  let graph: Graph
  let progress: [done: number, of: number][]
  beforeEach(async () => {
    progress = []
    graph = await boot()
    graph.ctx.on('ptc-journal/replaying', (_session, done, of) => { progress.push([done, of]) })
  })
  afterEach(() => graph.dispose())

  it('is told as n of m, from nothing to all', async () => {
    const session = await graph.kernel.open('s')
    for (const source of ['let a = 1', 'a += 1', 'a += 1']) await session.run(source)
    await session.reset()
    progress.length = 0
    expect(answerOf(await session.run('a'))).to.deep.equal({ value: 3 })
    expect(progress).to.deep.equal([[0, 3], [1, 3], [2, 3], [3, 3]])
  })

  it('grows with the path to the head, not with what was left behind', async () => {
    const first = await graph.kernel.open('s')
    const { record } = await first.run("let a = 1; await repl.state({ action: 'save', name: 'base' }); undefined")
    await first.close()
    const plain: CellRecord = { ...record, calls: [], operations: [], completion: { kind: 'return', hasValue: false } }
    const history = await graph.ctx.ptcJournal.history('s')
    const cell = (source: string, record: CellRecord) => { history.append({ kind: 'cell-settled', cell: history.append({ kind: 'cell-opened', source, cwd: '/' }), record }) }
    // None of these replays: a recovery that tried one would contract.
    for (let i = 0; i < 500; i += 1) {
      for (let j = 0; j < 4; j += 1) cell('throw new Error("this was left behind")', plain)
      cell('this was left behind, too', { ...plain, operations: [{ action: 'restore', name: 'base' }] })
    }
    await history.close()
    const session = await graph.kernel.open('s')
    progress.length = 0
    const result = await session.run('a')
    expect([answerOf(result), result.diagnostics]).to.deep.equal([{ value: 1 }, []])
    expect(progress).to.deep.equal([[0, 1], [1, 1]])
  })
})

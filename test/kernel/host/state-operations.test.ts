// `repl.state` in cells, live and across recovery (contract 3.5 and its examples in 3.8).
import { expect } from 'chai'
import type { ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { answerOf, temporaryFolder } from '../../harness/sessions.ts'

describe('repl.state', () => {
  const folder = temporaryFolder()
  let graph: Graph
  let session: ReplSession
  let name = ''
  let count = 0
  const start = async () => { graph = await boot({ dir: folder.path, kernel: { spareHelper: true } }); session = await graph.kernel.open(name) }
  beforeEach(async () => { name = `state ${count += 1}`; await start() })
  afterEach(() => graph.dispose())
  after(() => folder.remove())
  const value = async (source: string) => answerOf(await session.run(source))

  it('3.8 a checkpoint is the final state of the cell that saved it', async () => {
    await session.run('let v = 1')
    expect(await value("const receipt = await repl.state({ action: 'save', name: 's' }); v = 2; receipt")).to.deep.equal({ value: { action: 'save', name: 's', saved: true } })
    await session.run('v = 3; let later = 1')
    expect(await value("await repl.state({ action: 'restore', name: 's' })")).to.deep.equal({ value: { action: 'restore', name: 's', restored: true } })
    const after = await session.run('[v, typeof later]')
    expect([answerOf(after), after.diagnostics]).to.deep.equal([{ value: [2, 'undefined'] }, []])
    await graph.dispose()
    await start()
    expect(await value('[v, typeof later]')).to.deep.equal({ value: [2, 'undefined'] })
  })

  it('list names checkpoints and the mode; delete takes unknown names', async () => {
    await session.run("await repl.state({ action: 'save', name: 'b' }); await repl.state({ action: 'save', name: 'a' })")
    expect(await value("await repl.state({ action: 'list' })")).to.deep.equal({ value: { names: ['a', 'b'], mode: 'durable' } })
    expect(await value("await repl.state({ action: 'delete', name: 'nobody' })")).to.deep.equal({ value: { action: 'delete', name: 'nobody', deleted: true } })
    await session.run("await repl.state({ action: 'delete', name: 'b' })")
    expect(await value("(await repl.state({ action: 'list' })).names")).to.deep.equal({ value: ['a'] })
  })

  it('an unnamed restore of a durable cell goes back to the cell before it', async () => {
    await session.run('let n = 1')
    await session.run("n = 2; await repl.state({ action: 'restore' })")
    expect(await value('n')).to.deep.equal({ value: 1 })
  })

  it('a volatile session can not save, and restore makes it durable again', async () => {
    await session.run('let kept = 1')
    await session.run('process.pid; let gone = 1')
    expect(await value("(await repl.state({ action: 'list' })).volatileReason")).to.deep.equal({ value: 'process.pid' })
    expect(await value("await repl.state({ action: 'save', name: 'x' }).catch((e) => e.message)")).to.have.property('value').that.matches(/volatile \(process\.pid\)/u)
    await session.run("await repl.state({ action: 'restore' })")
    const result = await session.run('[kept, typeof gone, (await repl.state({ action: "list" })).mode]')
    expect([answerOf(result), result.status, result.diagnostics]).to.deep.equal([{ value: [1, 'undefined', 'durable'] }, 'durable', []])
  })

  it('a save in a cell that turns volatile afterwards is dropped', async () => {
    await session.run("await repl.state({ action: 'save', name: 'early' }); process.pid")
    expect(await value("(await repl.state({ action: 'list' })).names")).to.deep.equal({ value: [] })
  })

  it('what makes no sense is refused', async () => {
    for (const [args, error] of [
      ['', 'TypeError'], ['1', 'TypeError'], ["{ action: 'fly' }", 'TypeError'], ["{ action: 'save' }", 'TypeError'], ["{ action: 'save', name: '../x' }", 'TypeError'],
      ["{ action: 'list', name: 'x' }", 'TypeError'], ["{ action: 'list', extra: 1 }", 'TypeError'], ["{ action: 'restore', name: 'nobody' }", 'Error'],
    ] as const) expect(await value(`await repl.state(${args})`), args).to.deep.equal({ error })
  })
})

// Both binding policies on one session (contract 1.3): what `protected` refuses, when, and that switching resets nothing.
import { expect } from 'chai'
import type { ReplSession } from '../../plugins/kernel/types.ts'
import { boot, type Graph } from '../harness/graph.ts'
import { answerOf, temporaryFolder } from '../harness/sessions.ts'

describe('binding policies', () => {
  const folder = temporaryFolder()
  let graph: Graph
  let session: ReplSession
  let count = 0
  before(async () => { graph = await boot({ dir: folder.path, kernel: { spareHelper: true } }) })
  after(async () => { await graph.dispose(); folder.remove() })
  beforeEach(async () => { session = await graph.kernel.open(`policy ${count += 1}`, { policy: 'protected' }) })
  afterEach(() => session.close())

  it('1.l a write to a protected name throws TypeError; its right-hand side has run', async () => {
    await session.run('const log = []; const x = { v: 1 }')
    expect(answerOf(await session.run("x = (log.push('rhs'), { v: 2 })"))).to.deep.equal({ error: 'TypeError' })
    expect(answerOf(await session.run('[x.v, log]'))).to.deep.equal({ value: [1, ['rhs']] })
  })

  it('a name of an earlier cell can not be declared again; nothing of the cell runs (PTC-N001)', async () => {
    await session.run('const x = 1; let y = 2')
    const result = await session.run('y = 5; const x = 2')
    expect([result.status, result.diagnostics.map(({ code }) => code)]).to.deep.equal(['noop', ['PTC-N001']])
    expect(result.diagnostics[0]!.collisions?.[0]).to.include({ name: 'x', reason: 'protected-root-redeclaration' })
    expect(answerOf(await session.run('[x, y]'))).to.deep.equal({ value: [1, 2] })
  })

  it('native local rules hold inside a cell', async () => {
    expect((await session.run('const a = 1; const a = 2')).status).to.equal('noop')
    expect((await session.run('function f() { const b = 1; b = 2 } f()')).error?.name).to.equal('TypeError')
  })

  it('let can be written, imports can not', async () => {
    await session.run("let n = 1; import { sep } from 'node:path'")
    expect(answerOf(await session.run('n = 2; n'))).to.deep.equal({ value: 2 })
    expect(answerOf(await session.run("sep = '!'"))).to.deep.equal({ error: 'TypeError' })
  })

  it('switching does not reset, holds from the next cell on, and is replayed as it was', async () => {
    await session.run('const fixed = 1')
    session.policy = 'stateful'
    expect(answerOf(await session.run('const fixed = fixed + 1; let free = 1; fixed'))).to.deep.equal({ value: 2 })
    session.policy = 'protected'
    expect((await session.run('let free = 2')).status).to.equal('noop')
    await session.kill()
    const result = await session.run('[fixed, free]')
    expect([answerOf(result), result.diagnostics]).to.deep.equal([{ value: [2, 1] }, []])
  })

  it('anything else is refused', () => {
    expect(() => { session.policy = 'loose' as never }).to.throw(/stateful.*protected/u)
  })
})

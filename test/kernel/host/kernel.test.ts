// The service around sessions: one object per id, how many of them are live, and what is refused.
import { expect } from 'chai'
import { MemorySource } from '../../../plugins/journal/memory-store.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { answerOf } from '../../harness/sessions.ts'

describe('the kernel service', () => {
  let graph: Graph
  afterEach(() => graph.dispose())

  it('answers one live object per id, and a new one after it was closed', async () => {
    graph = await boot()
    const [one, two] = await Promise.all([graph.kernel.open('a'), graph.kernel.open('a')])
    expect(one).to.equal(two)
    await one.close()
    expect(await graph.kernel.open('a')).not.to.equal(one)
    expect(graph.kernel.sessions().map(({ id }) => id)).to.deep.equal(['a'])
  })

  it('keeps at most so many sessions live; the longest unused goes to sleep and is woken by its next cell', async () => {
    graph = await boot({ kernel: { maxLiveKernels: 2 } })
    const sessions = []
    for (const id of ['a', 'b', 'c']) {
      const session = await graph.kernel.open(id)
      await session.run(`const me = '${id}'`)
      sessions.push(session)
    }
    expect(sessions.map(({ state }) => state)).to.deep.equal(['cold', 'idle', 'idle'])
    expect(answerOf(await sessions[0]!.run('me'))).to.deep.equal({ value: 'a' })
    expect(sessions.map(({ state }) => state)).to.deep.equal(['idle', 'cold', 'idle'])
  })

  it('a volatile session is not put to sleep: it would lose names', async () => {
    graph = await boot({ kernel: { maxLiveKernels: 1 } })
    const first = await graph.kernel.open('a')
    await first.run('let only = process.pid')
    const second = await graph.kernel.open('b')
    await second.run('1')
    expect([first.state, second.state]).to.deep.equal(['idle', 'idle'])
    expect(answerOf(await first.run('typeof only'))).to.deep.equal({ value: 'number' })
  })

  it('an unused session goes to sleep', async () => {
    graph = await boot({ kernel: { idleMs: 20 } })
    const session = await graph.kernel.open('a')
    await session.run('const kept = 1')
    while (session.state !== 'cold') await new Promise((resolve) => { setTimeout(resolve, 5) })
    expect(answerOf(await session.run('kept'))).to.deep.equal({ value: 1 })
  })

  it('K2 a cell keeps the limits with which it was submitted; misuse throws', async () => {
    graph = await boot()
    const session = await graph.kernel.open('a', { limits: { maxWallMs: 60_000 } })
    const limits = { maxWallMs: 5_000 }
    const running = session.run('await new Promise((r) => setTimeout(r, 50)); 1', { limits })
    limits.maxWallMs = 1
    expect(answerOf(await running)).to.deep.equal({ value: 1 })
    const refused = async (work: () => Promise<unknown>) => { try { await work(); return 'nothing' } catch (error) { return (error as { code: string }).code } }
    expect(await refused(() => session.run('1', { limits: { computeMs: 0 } }))).to.equal('bad-limit')
    expect(await refused(() => session.run('1', { limits: { nonsense: 1 } as never }))).to.equal('bad-limit')
    expect(await refused(() => session.run(5 as never))).to.equal('bad-source')
    expect(await refused(() => session.run('1', { cwd: 'relative' }))).to.equal('bad-cwd')
    expect(await refused(() => graph.kernel.open(''))).to.equal('bad-session-id')
    await session.close()
    expect(await refused(() => session.run('1'))).to.equal('closed')
  })

  it('a directory that does not exist refuses the cell (PTC-C003)', async () => {
    graph = await boot()
    const session = await graph.kernel.open('a')
    const result = await session.run('1', { cwd: '/nowhere/at/all' })
    expect([result.status, result.diagnostics.map(({ code }) => code)]).to.deep.equal(['noop', ['PTC-C003']])
    expect(answerOf(await session.run('1'))).to.deep.equal({ value: 1 })
  })
})

describe('a history that can not be given back', () => {
  it('is said in the log when the kernel closes', async () => {
    const graph = await boot()
    const memory = new MemorySource()
    graph.ctx.ptcJournal.source({
      kind: 'stuck', read: (id) => memory.read(id), list: () => memory.list(),
      async open(id) {
        const history = await memory.open(id)
        return {
          id, repairs: history.repairs, entries: () => history.entries(), append: (entry, how) => history.append(entry, how),
          close: () => Promise.reject(new Error('the lock stays')),
        }
      },
    })
    await (await graph.kernel.open('a')).run('1')
    await graph.fibers.kernel.dispose()
    const { buffer } = graph.ctx.logger
    expect(buffer.filter(({ type }) => type === 'error').map(({ args }) => String(args[0]))).to.deep.equal(['Error: the lock stays'])
    buffer.length = 0
    await graph.ctx.fiber.dispose()
  })
})

describe('callers and listeners that throw', () => {
  let graph: Graph
  afterEach(async () => { graph.ctx.logger.buffer.length = 0; await graph.dispose() })

  it('cost a line in the log, not the cell, its record or the session', async () => {
    graph = await boot()
    for (const event of ['ptc-journal/confirmed', 'ptc-kernel/cell-settled', 'ptc-journal/replaying'] as const) {
      graph.ctx.on(event, () => { throw new Error(`a listener of ${event}`) })
    }
    const session = await graph.kernel.open('a')
    const result = await session.run("console.log('said'); const kept = 1", { onOutput: () => { throw new Error('a caller') } })
    expect([result.status, result.output, result.diagnostics]).to.deep.equal(['durable', 'said', []])
    await session.reset()
    expect(answerOf(await session.run('kept'))).to.deep.equal({ value: 1 })
    const logged = graph.ctx.logger.buffer.filter(({ type }) => type === 'error').map(({ args }) => String(args[0]))
    expect(logged).to.include.members(['Error: a listener of ptc-journal/confirmed', 'Error: a caller'])
  })
})

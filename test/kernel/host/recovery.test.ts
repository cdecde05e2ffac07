// What comes back after the live state is gone, and what is said about the rest (contract 3.4 and 3.8; R1 to R3, J2, J3).
import { expect } from 'chai'
import type { CellResult, ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { join } from 'node:path'
import { answerOf, temporaryFolder } from '../../harness/sessions.ts'

const codes = ({ diagnostics }: CellResult) => diagnostics.map(({ code }) => code)

describe('recovery', () => {
  const folder = temporaryFolder()
  let graph: Graph
  let session: ReplSession
  let dispatched: unknown[]
  let release: (() => void)[]

  const start = async () => {
    graph = await boot({ dir: folder.path })
    graph.ctx.capabilityPlan.register('notes', {
      add: { replay: 'recorded-value', call: (args) => { dispatched.push(args); return { count: dispatched.length } } },
      hold: { replay: 'recorded-value', call: (args) => new Promise((resolve) => { release.push(() => resolve(args)) }) },
      never: { replay: 'recorded-value', call: () => new Promise(() => {}) },
      fail: { replay: 'recorded-value', call: () => { throw new RangeError('out of notes') } },
      volatile: { replay: 'volatile', call: () => 1 },
    })
    session = await graph.kernel.open(name)
  }
  const restart = async () => { await graph.dispose(); await start() }
  let name = ''
  let count = 0

  beforeEach(async () => { dispatched = []; release = []; name = `recovery ${count += 1}`; await start() })
  afterEach(() => graph.dispose())
  after(() => folder.remove())

  it('3.8 a durable name survives a new process without a word', async () => {
    await session.run('const a = 41')
    await restart()
    const result = await session.run('return a + 1')
    expect([answerOf(result), result.logs, result.status]).to.deep.equal([{ value: 42 }, [], 'durable'])
  })

  it('3.8 an unrecorded input is lost, with one PTC-R002 in the logs', async () => {
    await session.run('let x = 1')
    const touched = await session.run("const m = await import('node:fs')")
    const live = await session.run('return typeof m.readFileSync')
    expect([touched.status, live.status, answerOf(live)]).to.deep.equal(['volatile', 'volatile', { value: 'function' }])
    expect(touched.record.volatileReason).to.equal('import node:fs')
    await restart()
    const result = await session.run('return [typeof m, x]')
    expect(answerOf(result)).to.deep.equal({ value: ['undefined', 1] })
    expect(codes(result)).to.deep.equal(['PTC-R002'])
    expect(result.logs[0]!.text).to.match(/^warning\[PTC-R002\]: 2 cells/)
    expect(codes(await session.run('1'))).to.deep.equal([])
    await restart()
    expect(codes(await session.run('x')), 'a durable cell after it re-establishes trust').to.deep.equal([])
  })

  it('3.8 R1 a recorded answer comes back without the call', async () => {
    await session.run("const seven = (await notes.add({ n: 7 })).count")
    await restart()
    expect(answerOf(await session.run('return seven'))).to.deep.equal({ value: 1 })
    expect(dispatched).to.have.length(1)
  })

  it('R2 parallel answers come back in the order in which they came', async () => {
    const running = session.run(`const order = []
      await Promise.all(['a', 'b', 'c'].map(async (v) => { order.push(await notes.hold(v)) }))
      return order`)
    await until(() => release.length === 3)
    release[2]!(); await turn(); release[0]!(); await turn(); release[1]!()
    const first = await running
    expect(first.record.calls.map(({ settle }) => settle)).to.deep.equal([1, 2, 0])
    await restart()
    expect(answerOf(await session.run('return order'))).to.deep.equal(answerOf(first))
  })

  it('recorded errors come back as errors of their class', async () => {
    await session.run('let caught; try { await notes.fail() } catch (e) { caught = [e instanceof RangeError, e.name, e.message] }')
    await restart()
    expect(answerOf(await session.run('caught'))).to.deep.equal({ value: [true, 'RangeError', 'out of notes'] })
  })

  it('a cell that threw is durable, with what it did before', async () => {
    const failed = await session.run("let before = 1; throw new TypeError('stop')")
    expect([failed.status, answerOf(failed)]).to.deep.equal(['durable', { error: 'TypeError' }])
    await restart()
    expect(answerOf(await session.run('before'))).to.deep.equal({ value: 1 })
  })

  it('clocks, randomness and the environment read the same again', async () => {
    const first = await session.run(`process.env.PTC_TEST = 'x'
      const seen = [Date.now(), new Date().toISOString(), Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(4))], performance.now(), process.env.PATH, process.cwd()]
      seen`)
    expect(first.status).to.equal('durable')
    await restart()
    expect(answerOf(await session.run('seen'))).to.deep.equal(answerOf(first))
  })

  it('timers fire in the recorded order, among answers, without waiting', async () => {
    const first = await session.run(`const events = []
      import { setTimeout as sleep } from 'node:timers/promises'
      await Promise.all([
        sleep(20).then(() => events.push('slow')), sleep(1).then(() => events.push('fast')),
        notes.add(1).then(() => events.push('answer')),
        new Promise((r) => { let n = 0; const i = setInterval(() => { events.push('tick'); if (++n === 3) { clearInterval(i); r() } }, 2) }),
        new Promise((r) => setImmediate(() => { events.push('immediate'); r() })),
      ])
      events`)
    expect(first.status, JSON.stringify(first.error)).to.equal('durable')
    await restart()
    expect(answerOf(await session.run('events'))).to.deep.equal(answerOf(first))
    expect(dispatched).to.have.length(1)
  })

  it('a volatile member makes its cell volatile', async () => {
    expect((await session.run('await notes.volatile()')).record.volatileReason).to.equal('notes.volatile')
  })

  it('an aborted open call is discarded with its name; names from before survive', async () => {
    await session.run('const kept = 1')
    const abort = new AbortController()
    const running = session.run('await notes.hold({})', { signal: abort.signal })
    await until(() => release.length === 1)
    abort.abort(new Error('enough'))
    const result = await running
    expect([result.status, result.error?.kind, result.error?.message]).to.deep.equal(['discarded', 'abort', 'enough'])
    expect([result.record.calls, result.record.volatileReason]).to.deep.equal([[], 'notes.hold'])
    expect(answerOf(await session.run('kept'))).to.deep.equal({ value: 1 })
  })

  it('J3 a record that does not replay contracts to its parent, and the cell still runs', async () => {
    const { record } = await session.run('let first = 1; 1')
    await session.close()
    const history = await graph.ctx.ptcJournal.history(name)
    const forged = history.append({ kind: 'cell-opened', source: 'let second = 2; 2', cwd: folder.path })
    history.append({ kind: 'cell-settled', cell: forged, record }, { sync: true })    // it says 1, the source says 2
    await history.close()
    const contracted: (number | null)[] = []
    graph.ctx.on('ptc-journal/contracted', (_session, frontier) => { contracted.push(frontier) })
    session = await graph.kernel.open(name)
    const result = await session.run('return [typeof first, typeof second]')
    expect(answerOf(result)).to.deep.equal({ value: ['number', 'undefined'] })
    expect(codes(result)).to.deep.equal(['PTC-R002'])
    expect(contracted).to.have.length(1)
    await restart()
    expect(answerOf(await session.run('return [typeof first, typeof second]')), 'the boundary stays').to.deep.equal({ value: ['number', 'undefined'] })
  })

  it('what an explicit recovery lost is said with the next cell', async () => {
    await session.run('process.pid')
    await restart()
    await session.recover()
    expect(codes(await session.run('1'))).to.deep.equal(['PTC-R002'])
  })

  it('a helper that dies while it replays costs nothing', async () => {
    const file = join(folder.path, 'once')
    await session.run('const kept = 1')
    await session.reset()
    // The replayed source below ends its process the first time that it is replayed.
    await session.close()
    const { record } = await (await graph.kernel.open(`${name} source`)).run('1')
    const history = await graph.ctx.ptcJournal.history(name)
    const source = `process.getBuiltinModule('fs').existsSync(${JSON.stringify(file)}) || (process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(file)}, ''), process.reallyExit(7)); 1`
    const forged = history.append({ kind: 'cell-opened', source, cwd: folder.path })
    history.append({ kind: 'cell-settled', cell: forged, record }, { sync: true })
    await history.close()
    session = await graph.kernel.open(name)
    const result = await session.run('kept')
    expect(answerOf(result)).to.deep.equal({ value: 1 })
    const boundaries = []
    for await (const entry of graph.ctx.ptcJournal.read(name)) if (entry.kind === 'boundary') boundaries.push(entry.failed)
    expect(boundaries, 'only the record itself may be given up').to.satisfy((failed: number[]) => failed.every((cell) => cell === forged))
  })

  it('a record is not held to the limits of today', async () => {
    await session.run('let sum = 0; for (let i = 0; i < 3e8; i += 1) sum += i % 3; sum', { limits: { computeMs: 60_000 } })
    await session.close()
    session = await graph.kernel.open(name, { limits: { computeMs: 20, maxValueNodes: 1 } })
    const result = await session.run('typeof sum')
    expect([answerOf(result), codes(result)]).to.deep.equal([{ value: 'number' }, []])
  })

  it('reset drops the live state and the next cell has it again', async () => {
    await session.run('const r = { n: 1 }')
    await session.reset()
    expect(session.state).to.equal('cold')
    expect(answerOf(await session.run('r.n'))).to.deep.equal({ value: 1 })
  })

  it('R3 names of a namespace that was not there when the cell ran do not refuse it', async () => {
    await session.run('const web = 1; const kept = web + 1')
    await restart()
    graph.ctx.capabilityPlan.register('web', { get: { replay: 'recorded-value', call: () => 2 } })
    expect(answerOf(await session.run('return [kept, await web.get()]'))).to.deep.equal({ value: [2, 2] })
  })

  it('a namespace that is gone at recovery still answers from the record', async () => {
    await session.run('const n = await notes.add(1)')
    await graph.dispose()
    graph = await boot({ dir: folder.path })
    session = await graph.kernel.open(name)
    expect(answerOf(await session.run('n'))).to.deep.equal({ value: { count: 1 } })
  })
})

const turn = () => new Promise((resolve) => { setImmediate(resolve) })

async function until(condition: () => boolean): Promise<void> {
  for (let turns = 0; !condition(); turns += 1) {
    if (turns > 1_000_000) throw new Error('it never came to that')
    await turn()
  }
}

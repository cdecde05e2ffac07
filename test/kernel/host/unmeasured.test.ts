// Helpers that do not answer: a cell that can not be measured does not start, and one that can not be ended is waited for no
// longer than it has to be (contract 1.6, 1.7).
import { expect } from 'chai'
import type { CellResult, ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { children, until } from '../../harness/processes.ts'
import { answerOf } from '../../harness/sessions.ts'

const outcome = ({ status, error, diagnostics }: CellResult) => [status, error?.kind, diagnostics.map(({ code }) => code)]
const limits = { sampleBoundMs: 30 }
const UNAVAILABLE = ['noop', 'budget-unavailable', ['PTC-X004']]

describe('a helper that does not answer', () => {
  let graph: Graph
  let session: ReplSession
  let helper: number
  let others: number[]

  const start = async (own = {}) => {
    session = await graph.kernel.open('s', { limits: { sampleBoundMs: 10_000, ...own } })
    others = children()
    await session.run('let kept = 1')
    helper = children().find((pid) => !others.includes(pid))!
  }
  beforeEach(async () => { graph = await boot() })
  afterEach(() => graph.dispose())

  it('costs a cell, which does not start, and then the worker', async () => {
    await start()
    process.kill(helper, 'SIGSTOP')
    expect(outcome(await session.run('kept = 2', { limits }))).to.deep.equal(UNAVAILABLE)
    expect([session.state, children().includes(helper)], 'the first keeps the worker').to.deep.equal(['idle', true])
    expect(outcome(await session.run('kept = 3', { limits }))).to.deep.equal(UNAVAILABLE)
    expect([session.state, children().includes(helper)], 'the second does not').to.deep.equal(['cold', false])
    expect(answerOf(await session.run('kept'))).to.deep.equal({ value: 1 })
  })

  it('costs the worker with the first cell where the limit says so', async () => {
    await start({ unmeasuredCellLimit: 1 })
    process.kill(helper, 'SIGSTOP')
    expect(outcome(await session.run('kept = 2', { limits }))).to.deep.equal(UNAVAILABLE)
    expect(session.state).to.equal('cold')
  })

  it('costs no more when it is back: nothing of the cell has run, and the count starts over', async () => {
    await start()
    for (let times = 0; times < 3; times += 1) {
      process.kill(helper, 'SIGSTOP')
      expect(outcome(await session.run('kept = 2', { limits }))).to.deep.equal(UNAVAILABLE)
      process.kill(helper, 'SIGCONT')
      expect(answerOf(await session.run('kept'))).to.deep.equal({ value: 1 })
    }
    expect(children().includes(helper)).to.equal(true)
  })

  for (const [what, options, expected] of [
    ['elapsed time', { limits: { maxWallMs: 30, sampleBoundMs: 60_000 } }, UNAVAILABLE],
    ['an abort', { signal: AbortSignal.timeout(30), limits: { sampleBoundMs: 60_000 } }, ['noop', 'abort', []]],
  ] as const) {
    it(`is waited for no longer than ${what} allows`, async () => {
      await start()
      process.kill(helper, 'SIGSTOP')
      expect(outcome(await session.run('kept = 2', options))).to.deep.equal(expected)
      process.kill(helper, 'SIGCONT')
      expect(answerOf(await session.run('kept'))).to.deep.equal({ value: 1 })
    })
  }

  it('that starts can be given up', async () => {
    session = await graph.kernel.open('s')
    others = children()
    const abort = new AbortController()
    const running = session.run('1', { signal: abort.signal })
    await new Promise((resolve) => { setImmediate(resolve) })
    process.kill(children().find((pid) => !others.includes(pid))!, 'SIGSTOP')
    abort.abort('enough')
    expect(outcome(await running)).to.deep.equal(['noop', 'abort', []])
    expect(answerOf(await session.run('1'))).to.deep.equal({ value: 1 })
  })

  it('and does not die keeps later cells from running beside it, until it has', async () => {
    await start({ workerReclaimMs: 1_000 })
    const { kill } = process
    process.kill = () => true      // what the system does to a process that waits for a device
    await session.reset()
    process.kill = kill
    const blocked = await session.run('1')
    expect([blocked.status, blocked.error?.kind]).to.deep.equal(['noop', 'recovery'])
    expect(blocked.error?.message).to.include(`process ${helper}`)
    process.kill(-helper, 'SIGKILL')
    await until(() => !children().includes(helper), 'the helper is gone')
    let again = blocked
    while (again.error?.kind === 'recovery') again = await session.run('kept')
    expect(answerOf(again)).to.deep.equal({ value: 1 })
  })

  it('and its channel held open by a child of a cell does not hold up its end', async () => {
    await start({ workerReclaimMs: 1_000 })
    const child = await session.run("require('node:child_process').spawn('sleep', ['600'], { detached: true, stdio: [0, 1, 2, 3, 4] }).pid")
    await session.reset()
    expect(answerOf(await session.run('kept'))).to.deep.equal({ value: 1 })
    process.kill(child.value as number, 'SIGKILL')
  })
})

// A helper that is killed or stopped from outside, at every step of a cell: the cell ends, the session's names come back, and the
// process is gone when the session is closed (contract 1.6; K4, W2).
import { expect } from 'chai'
import type { CellResult, ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { children } from '../../harness/processes.ts'
import { answerOf, isAlive } from '../../harness/sessions.ts'

const CELL = "console.log('begun'); kept = 2; await notes.held(1); await new Promise((r) => setTimeout(r, 5)); console.log('ending'); kept"

interface Step {
  readonly name: string
  /** Submits the cell and calls `strike` at the step. */
  run(session: ReplSession, strike: () => void, onCall: (then: () => void) => void): Promise<CellResult>
}

const limits = { maxWallMs: 1_500, sampleBoundMs: 300 }
const onText = (session: ReplSession, text: string, strike: () => void) =>
  session.run(CELL, { limits, onOutput: (entry) => { if (entry.text.includes(text)) strike() } })

const STEPS: readonly Step[] = [
  { name: 'before it is submitted', run: (session, strike) => { strike(); return session.run(CELL, { limits }) } },
  { name: 'as it is submitted', run: (session, strike) => { const running = session.run(CELL, { limits }); strike(); return running } },
  { name: 'as it is compiled', run: (session, strike) => { const running = session.run(`${CELL}\n${'f(1);'.repeat(20_000)}`, { limits }); setImmediate(() => setImmediate(strike)); return running } },
  { name: 'as it runs', run: (session, strike) => onText(session, 'begun', strike) },
  { name: 'as a call opens', run: (session, strike, onCall) => { onCall(strike); return session.run(CELL, { limits }) } },
  { name: 'as its answer settles', run: (session, strike, onCall) => { onCall(() => setImmediate(strike)); return session.run(CELL, { limits }) } },
  { name: 'as it ends', run: (session, strike) => onText(session, 'ending', strike) },
]

const SIGNALS: readonly (readonly [signal: NodeJS.Signals, kinds: readonly string[]])[] = [
  ['SIGKILL', ['worker-exit', 'recovery']],
  ['SIGSTOP', ['timeout', 'budget-unavailable']],
]

describe('a helper that is struck from outside', function () {
  this.timeout(60_000)
  let graph: Graph
  let onCall = () => {}
  let count = 0
  before(async () => {
    graph = await boot()
    graph.ctx.capabilityPlan.register('notes', { held: { replay: 'recorded-value', call: (args) => { onCall(); return args } } })
  })
  after(() => graph.dispose())
  afterEach(() => { onCall = () => {} })

  for (const [signal, kinds] of SIGNALS) {
    for (const step of STEPS) {
      it(`by ${signal} ${step.name}`, async () => {
        const others = children()
        const session = await graph.kernel.open(`s ${count += 1}`)
        await session.run('let kept = 1; const f = (x) => x')
        const helper = children().find((pid) => !others.includes(pid))!
        let struck = false
        const result = await step.run(session, () => { if (!struck) { struck = true; process.kill(helper, signal) } }, (then) => { onCall = then })
        expect(struck, 'the step was reached').to.equal(true)
        const came = result.error?.kind ?? 'ran'
        expect(['ran', ...kinds], result.error?.message ?? '').to.include(came)
        const expected = result.status === 'durable' ? 2 : 1
        let back = await session.run('kept', { limits })
        for (let cost = 0; back.error !== undefined && cost < 3; cost += 1) back = await session.run('kept', { limits: { ...limits, maxWallMs: 20_000 } })
        expect(answerOf(back)).to.deep.equal({ value: expected })
        await session.close()
        expect(isAlive(helper)).to.equal(false)
      })
    }

    it(`by ${signal} as its session closes`, async () => {
      const others = children()
      const session = await graph.kernel.open(`s ${count += 1}`)
      await session.run('let kept = 1')
      const helper = children().find((pid) => !others.includes(pid))!
      process.kill(helper, signal)
      await session.close()
      expect(isAlive(helper)).to.equal(false)
    })
  }
})

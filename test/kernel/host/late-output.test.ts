// Output that no cell can own: where it is noticed, what it costs, and how often it is said (contract 1.7; decision 15; O1).
import { expect } from 'chai'
import type { CellResult, ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { until } from '../../harness/processes.ts'
import { answerOf } from '../../harness/sessions.ts'

const outcome = ({ status, error, diagnostics }: CellResult) => [status, error?.kind, diagnostics.map(({ code }) => code)]
const TIMER = (body: string) => `setTimeout(() => { ${body} }, 20); 1`
const CHILD = (script: string) => `require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(script)}], { stdio: ['ignore', 'inherit', 'inherit'] }); 1`

/** A cell that leaves something behind, and who is said to have written what. */
const idle: readonly (readonly [what: string, cell: string, message: RegExp])[] = [
  ['console.log in a timer', TIMER("console.log('tick')"), /^cell 2 wrote to stdout after it had ended.*"tick\\n"/],
  ['console.error in a timer', TIMER("console.error('oh')"), /^cell 2 wrote to stderr.*"oh\\n"/],
  ['an interval that never stops', 'setInterval(() => console.log("x".repeat(1000)), 1)', /^cell 2 .*x…"/],
  ['a promise that nobody awaits', "new Promise((r) => setTimeout(r, 20)).then(() => console.log('then')); 1", /^cell 2 .*then/],
  ['a child process', CHILD('sleep 0.05; echo child'), /^something wrote to stdout while no cell ran.*"child\\n"/],
  ['a child process on stderr', CHILD('sleep 0.05; echo child >&2'), /^something wrote to stderr while no cell ran/],
  ['a descriptor', TIMER("require('node:fs').writeSync(1, 'bare')"), /^something wrote to stdout while no cell ran.*"bare"/],
]

describe('late output', () => {
  let graph: Graph
  let session: ReplSession
  let count = 0
  before(async () => { graph = await boot({ kernel: { spareHelper: true } }) })
  after(() => graph.dispose())
  beforeEach(async () => {
    session = await graph.kernel.open(`late ${count += 1}`)
    await session.run('let kept = 1')
  })
  afterEach(() => session.close())

  for (const [what, cell, message] of idle) {
    it(`between cells, of ${what}: the worker ends, and the next cell says so, once`, async () => {
      const left = await session.run(cell)
      expect(left.error).to.equal(undefined)
      await until(() => session.state === 'cold', 'the worker is reset')
      const told = await session.run('kept = 2')
      expect(outcome(told)).to.deep.equal(['noop', 'worker-exit', ['PTC-X003']])
      expect(told.error?.message).to.match(message)
      expect(answerOf(await session.run('kept')), 'said once; nothing of the cell that said it ran').to.deep.equal({ value: 1 })
      const waited = await session.run('await new Promise((r) => setTimeout(r, 20)); 1')
      expect([waited.output, waited.status], 'what printed does not go on after the recovery').to.deep.equal(['', 'durable'])
    })
  }

  it('of an earlier cell ends the cell that runs, instead of being taken for its own', async () => {
    await session.run("globalThis.print = () => {}; const wait = new Promise((r) => { globalThis.go = r }); wait.then(() => console.log('late')); 1")
    const result = await session.run("console.log('mine'); kept = 2; go(); await new Promise((r) => setTimeout(r, 5_000))")
    expect(outcome(result)).to.deep.equal(['discarded', 'worker-exit', ['PTC-X003']])
    expect(result.error?.message).to.match(/^cell 2 wrote to stdout/)
    expect(result.output).to.equal('mine')
    expect(answerOf(await session.run('kept'))).to.deep.equal({ value: 1 })
  })

  it('is no matter when the cell awaits what prints, or the cell that runs prints through a function of an earlier one', async () => {
    await session.run("const say = (what) => console.log(what); await new Promise((r) => setTimeout(() => { console.log('in time'); r() }, 10))")
    const { output } = await session.run("say('now'); setTimeout(() => say('soon'), 1); await new Promise((r) => setTimeout(r, 30))")
    expect(output).to.equal('now\nsoon')
  })

  it('does not include what Node and the kernel say about a program: that is shown with the next cell, and the names stay', async () => {
    let { output } = await session.run("const live = process.pid; process.emitWarning('careful'); setTimeout(() => { throw new RangeError('late') }, 5); Promise.reject(new TypeError('nobody')); 1")
    for (let cells = 0; cells < 200 && !output.includes('RangeError'); cells += 1) {
      output += (await session.run('await new Promise((r) => setTimeout(r, 5))')).output
    }
    expect(output).to.match(/Warning: careful/).and.match(/rejection: TypeError: nobody/).and.match(/cell 2: Uncaught exception: RangeError: late/)
    expect(answerOf(await session.run('typeof live'))).to.deep.equal({ value: 'number' })
  })

  it('of a nested run is the nested run\'s failure, and the parent goes on', async () => {
    const code = 'setTimeout(() => console.log(1), 1); await new Promise((r) => setTimeout(r, 40)); 5'
    expect(answerOf(await session.run(`(await code.run({ code: ${JSON.stringify(code)}, description: 'd' })).result`))).to.deep.equal({ value: 5 })
  })

  it('an abort before the cell starts does not use up the report', async () => {
    await session.run(TIMER('console.log(1)'))
    await until(() => session.state === 'cold', 'the worker is reset')
    expect(outcome(await session.run('1', { signal: AbortSignal.abort('no') }))).to.deep.equal(['noop', 'abort', []])
    expect(outcome(await session.run('1'))).to.deep.equal(['noop', 'worker-exit', ['PTC-X003']])
  })
})

// What ends a cell from outside, and what the session is like afterwards (contract 1.6; W2, K4).
import { expect } from 'chai'
import type { CellResult, ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { answerOf } from '../../harness/sessions.ts'

const codes = ({ diagnostics }: CellResult) => diagnostics.map(({ code }) => code)

describe('a cell that is ended', () => {
  let graph: Graph
  let session: ReplSession
  let opened: () => void
  let callOpened: Promise<void>

  before(async () => {
    graph = await boot({ kernel: { spareHelper: true } })
    graph.ctx.capabilityPlan.register('notes', {
      never: { replay: 'recorded-value', call: () => { opened(); return new Promise(() => {}) } },
      echo: { replay: 'recorded-value', call: (args) => args },
    })
  })
  after(() => graph.dispose())
  let count = 0
  beforeEach(async () => {
    callOpened = new Promise((resolve) => { opened = resolve })
    session = await graph.kernel.open(`faults ${count += 1}`)
    await session.run('let kept = 1')
  })
  afterEach(async () => {
    expect(answerOf(await session.run('kept')), 'the session goes on').to.deep.equal({ value: 1 })
    await session.close()
  })

  it('by its compute budget, in an endless loop', async () => {
    const result = await session.run('kept = 2; for (;;);', { limits: { computeMs: 150 } })
    expect([result.status, result.error?.kind, codes(result)]).to.deep.equal(['discarded', 'timeout', ['PTC-X002']])
  })

  it('by its wall budget, in a promise that never settles', async () => {
    const result = await session.run('kept = 2; await new Promise(() => {})', { limits: { maxWallMs: 150 } })
    expect([result.status, result.error?.kind]).to.deep.equal(['discarded', 'timeout'])
  })

  it('waiting does not count as computing', async () => {
    const result = await session.run('await new Promise((r) => setTimeout(r, 600)); 3', { limits: { computeMs: 200 } })
    expect(answerOf(result)).to.deep.equal({ value: 3 })
  })

  it('by SIGKILL of the helper during a cell', async () => {
    const running = session.run("console.log('started'); await new Promise(() => {})", { onOutput: () => { void session.kill() } })
    const result = await running
    expect([result.status, result.error?.kind]).to.deep.equal(['discarded', 'worker-exit'])
    expect(result.output).to.equal('started')
    expect(codes(await session.run('1')), 'nothing that was confirmed is lost').to.deep.equal([])
  })

  it('by SIGKILL of the helper during a call, which is then reported once', async () => {
    const running = session.run('await notes.never()')
    await callOpened
    await session.kill()
    const result = await running
    expect([result.status, result.record.volatileReason]).to.deep.equal(['discarded', 'notes.never'])
    expect(codes(await session.run('1'))).to.deep.equal(['PTC-R002'])
    expect(codes(await session.run('2'))).to.deep.equal([])
  })

  it('by SIGKILL of the helper between cells', async () => {
    await session.kill()
    const result = await session.run('kept')
    expect([answerOf(result), result.status, result.logs]).to.deep.equal([{ value: 1 }, 'durable', []])
  })

  it('by an abort before it starts: nothing ran', async () => {
    const result = await session.run('kept = 2', { signal: AbortSignal.abort('no') })
    expect([result.status, result.error]).to.deep.equal(['noop', { kind: 'abort', message: 'no' }])
  })

  it('by an abort while it runs', async () => {
    const abort = new AbortController()
    const result = await session.run("console.log(1); for (;;) await notes.echo(1)", { signal: abort.signal, onOutput: () => abort.abort('stop') })
    expect([result.status, result.error?.kind, result.error?.message]).to.deep.equal(['discarded', 'abort', 'stop'])
  })

  it('by running out of memory', async () => {
    const result = await session.run('const rows = []; for (;;) rows.push(new Array(1e5).fill(rows.length))')
    expect([result.status, result.error?.kind]).to.deep.equal(['discarded', 'worker-exit'])
    expect(result.error?.message).to.match(/out of memory/)
  }).timeout(60_000)

  it('by printing too much: the newest entries stay', async () => {
    const result = await session.run("for (let i = 0; ; i += 1) { console.log('line ' + i); if (i % 100 === 0) await null }", { limits: { maxOutputBytes: 20_000 } })
    expect([result.status, result.error?.kind]).to.deep.equal(['discarded', 'output-limit'])
    expect(Buffer.byteLength(result.output)).to.be.at.most(4_096)
    expect(result.logs.length).to.be.greaterThan(100)
  })

  it('not by a value that can not leave: the worker stays', async () => {
    const result = await session.run('let made = () => 1; return made')
    expect([result.status, result.error?.kind, codes(result)]).to.deep.equal(['durable', 'invalid-output', ['PTC-O001']])
    expect(answerOf(await session.run('typeof made'))).to.deep.equal({ value: 'function' })
  })

  it('not by a late exception or rejection of an earlier cell', async () => {
    await session.run("setTimeout(() => { throw new Error('late') }, 1); Promise.reject(new RangeError('nobody')); 1")
    const result = await session.run('await new Promise((r) => setTimeout(r, 50)); 2')
    expect(answerOf(result)).to.deep.equal({ value: 2 })
  })

  it('cells of one session run one after the other (K1)', async () => {
    const results = await Promise.all([
      session.run('let order = []; await new Promise((r) => setTimeout(r, 20)); order.push(1)'),
      session.run('order.push(2)'), session.run('order.push(3); order'),
    ])
    expect(answerOf(results[2]!)).to.deep.equal({ value: [1, 2, 3] })
  })

  it('a source that is refused is a noop with PTC-C001 and its place', async () => {
    const result = await session.run('let fine = 1\nlet broken = (')
    expect([result.status, codes(result), result.error?.name]).to.deep.equal(['noop', ['PTC-C001'], 'SyntaxError'])
    expect(result.diagnostics[0]!.source?.start.line).to.equal(2)
    expect(answerOf(await session.run('typeof fine'))).to.deep.equal({ value: 'undefined' })
  })

  it('a thrown error has its place in the cell (PTC-X001)', async () => {
    const result = await session.run("const a = 1\n  throw new Error('here')")
    expect(result.diagnostics[0]!.source).to.deep.equal({ cell: 'current', start: { line: 2, column: 9 } })
    for (const [source, line, column] of [['missing(1)', 1, 1], ['let b = 2; missing(b)', 1, 12], ['1\nmissing(1)', 2, 1]] as const) {
      const last = await session.run(source)
      expect(last.diagnostics[0]!.source?.start, source).to.deep.equal({ line, column })
    }
    await session.run('\nfunction thrower() {\n  null.x\n}')
    const later = await session.run('thrower()')
    expect(later.diagnostics[0]!.source?.start).to.deep.equal({ line: 3, column: 8 })
    expect(later.diagnostics[0]!.source?.cell).to.match(/^cell \d+$/)
  })
})

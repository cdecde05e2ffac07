// What a program may call, and for how long (contract 1.8; K3, C2).
import { expect } from 'chai'
import type { ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { answerOf } from '../../harness/sessions.ts'

describe('leases', () => {
  let graph: Graph
  let session: ReplSession
  let count = 0

  before(async () => {
    graph = await boot({ kernel: { spareHelper: true } })
    graph.ctx.capabilityPlan.register('notes', {
      echo: { replay: 'recorded-value', call: (args) => args },
      slow: { replay: 'recorded-value', call: (args, { signal }) => new Promise((resolve, reject) => {
        const timer = setTimeout(() => resolve(args), 30)
        signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason) })
      }) },
    })
    graph.ctx.capabilityPlan.register('odd', Object.fromEntries(['__proto__', 'constructor', 'toString'].map((name) =>
      [name, { replay: 'recorded-value', call: () => name } as const])), { errorClass: { name: 'OddError', memberNameProperty: 'memberName' } })
    graph.ctx.capabilityPlan.register('failing', {
      no: { replay: 'recorded-value', call: () => { throw new Error('refused') } },
    }, { errorClass: { name: 'FailingError', memberNameProperty: 'memberName' } })
  })
  after(() => graph.dispose())
  beforeEach(async () => { session = await graph.kernel.open(`lease ${count += 1}`) })
  afterEach(() => session.close())

  it('K3 a member kept from an earlier cell rejects with a lease error', async () => {
    await session.run('const kept = notes.echo; const all = notes')
    expect(answerOf(await session.run('return await kept(1)'))).to.deep.equal({ error: 'Error' })
    expect(answerOf(await session.run('return await all.echo(1).catch((e) => e.name)'))).to.deep.equal({ value: 'LeaseError' })
  })

  it('a helper that looks the namespace up uses the cell that calls it', async () => {
    await session.run('async function ask(v) { return notes.echo(v) }')
    expect(answerOf(await session.run('return ask(1)'))).to.deep.equal({ value: 1 })
    expect(answerOf(await session.run('return ask(2)'))).to.deep.equal({ value: 2 })
  })

  it('K3 a continuation of an ended cell can not borrow the lease of the next one', async () => {
    await session.run("let late = 'none'; setTimeout(async () => { try { late = await notes.echo(1) } catch (e) { late = e.name } }, 10)")
    expect(answerOf(await session.run('await new Promise((r) => setTimeout(r, 80)); late'))).to.deep.equal({ value: 'LeaseError' })
  })

  it('a cell waits for the calls that it did not await', async () => {
    const result = await session.run("notes.slow('v').then((v) => { globalThis.got = v }); 1")
    expect(result.record.calls).to.have.length(1)
    expect(answerOf(await session.run('got'))).to.deep.equal({ value: 'v' })
  })

  it('member names of the language are members like others', async () => {
    expect(answerOf(await session.run("return [await odd['__proto__'](), await odd.constructor(), await odd.toString()]")))
      .to.deep.equal({ value: ['__proto__', 'constructor', 'toString'] })
  })

  it('a declared error class carries the name of the member', async () => {
    expect(answerOf(await session.run('try { await failing.no() } catch (e) { return [e instanceof FailingError, e.name, e.memberName, e.message] }')))
      .to.deep.equal({ value: [true, 'FailingError', 'no', 'refused'] })
  })

  it('a call that fails stands where the program made it', async () => {
    const { diagnostics } = await session.run('const f = async () => {\n  await failing.no()\n}\nawait f()')
    expect(diagnostics[0]?.source).to.deep.equal({ cell: 'current', start: { line: 2, column: 17 } })
    expect(answerOf(await session.run('return f().catch((e) => e.stack)'))).to.deep.equal({ value: 'FailingError: refused\n    at f (cell 1:2:17)\n    at cell 2:1:8' })
  })

  it('one argument at most, and only what can be encoded, without a dispatch', async () => {
    const result = await session.run('return [await notes.echo(1, 2).catch((e) => e.name), await notes.echo(() => 1).catch((e) => e.name)]')
    expect(answerOf(result)).to.deep.equal({ value: ['TypeError', 'TypeError'] })
    expect(result.record.calls).to.deep.equal([])
  })

  it('an owner namespace can not be declared over; nothing of the cell runs', async () => {
    const result = await session.run('globalThis.ran = 1; const notes = 2')
    expect([result.status, result.diagnostics.map(({ code }) => code)]).to.deep.equal(['noop', ['PTC-N001']])
    expect(answerOf(await session.run('typeof ran'))).to.deep.equal({ value: 'undefined' })
  })

  it('`capabilities` can, and answers what may be called', async () => {
    expect(answerOf(await session.run('(await capabilities.tree()).map((n) => n.namespace)'))).to.deep.equal({ value: ['code', 'failing', 'notes', 'odd', 'repl', 'tools'] })
    expect(answerOf(await session.run('const capabilities = 5; capabilities'))).to.deep.equal({ value: 5 })
  })

  it('4.1 a bad question to the explorer is a CapabilityExplorationError and a TypeError, with its operation', async () => {
    const result = await session.run(`
      const asked = [capabilities.tree({}), capabilities.find(''), capabilities.inspect(null), capabilities.search({ query: 'notes', cursor: 'x' })]
      return await Promise.all(asked.map((call) => call.catch((e) => [e instanceof CapabilityExplorationError, e instanceof TypeError, e.name, e.operation])))`)
    expect(answerOf(result)).to.deep.equal({ value: ['tree', 'find', 'inspect', 'search'].map((operation) => [true, true, 'CapabilityExplorationError', operation]) })
  })

  it("4.1 the kernel's own namespaces are shown with their contracts", async () => {
    expect(answerOf(await session.run("const { symbols, unknown } = await capabilities.inspect({ symbols: ['repl.state', 'code.run'] }); [symbols.map((s) => s.name), unknown]")))
      .to.deep.equal({ value: [['state', 'run'], []] })
    expect(answerOf(await session.run("(await capabilities.find('code'))[0].symbol"))).to.deep.equal({ value: 'code.run' })
  })

  it('a thousand parallel calls are answered', async () => {
    expect(answerOf(await session.run('(await Promise.all(Array.from({ length: 1000 }, (_, i) => notes.echo(i)))).reduce((a, b) => a + b)')))
      .to.deep.equal({ value: 499500 })
  })
})

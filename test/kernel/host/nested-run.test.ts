// `code.run` in cells (contract 1.8): isolated, bounded in depth, one recorded call.
import { expect } from 'chai'
import type { ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { answerOf } from '../../harness/sessions.ts'

describe('code.run', () => {
  let graph: Graph
  let session: ReplSession
  let added: unknown[]
  before(async () => {
    graph = await boot({ kernel: { spareHelper: true, maxNestedRunCodeDepth: 2 } })
    graph.ctx.capabilityPlan.register('notes', { add: { replay: 'recorded-value', call: (args) => { added.push(args); return added.length } } })
  })
  after(() => graph.dispose())
  let count = 0
  beforeEach(async () => { added = []; session = await graph.kernel.open(`nested ${count += 1}`) })
  afterEach(() => session.close())
  const value = async (source: string) => answerOf(await session.run(source))

  it('answers logs and result, and shares no names', async () => {
    await session.run('const mine = 1')
    expect(await value("await code.run({ code: 'console.log(1); const theirs = typeof mine; return theirs', description: 'd' })"))
      .to.deep.equal({ value: { logs: ['1'], result: 'undefined' } })
    expect(await value('typeof theirs')).to.deep.equal({ value: 'undefined' })
    expect(await value("await code.run({ code: 'const x = 1', description: 'd' })")).to.deep.equal({ value: { logs: [] } })
  })

  it('takes exactly code and description', async () => {
    expect(await value("await code.run({ code: 'return 1', description: 'd', extra: true })")).to.deep.equal({ error: 'TypeError' })
    expect(await value("await code.run({ code: 'return 1' })")).to.deep.equal({ error: 'TypeError' })
  })

  it('a failure is a CodeExecutionError that names its kind; the parent goes on', async () => {
    expect(await value("try { await code.run({ code: 'throw new RangeError(\"no\")', description: 'd' }) } catch (e) { return [e.name, e instanceof CodeExecutionError, e.operation, e.message] }"))
      .to.deep.equal({ value: ['CodeExecutionError', true, 'run', 'exception: RangeError: no'] })
    expect(await value("await code.run({ code: 'let = (', description: 'd' }).catch((e) => e.name)")).to.deep.equal({ value: 'CodeExecutionError' })
    expect(await value('return 42')).to.deep.equal({ value: 42 })
  })

  it('nests as deep as the limit, and no deeper', async () => {
    const nest = (depth: number): string => depth === 0 ? 'return 1' : `return (await code.run({ code: ${JSON.stringify(nest(depth - 1))}, description: 'd' })).result`
    expect(await value(nest(2))).to.deep.equal({ value: 1 })
    expect(await value(`try { ${nest(3)} } catch (e) { return e.message }`)).to.have.property('value').that.matches(/RangeError: code\.run is nested more than 2 deep/u)
  }).timeout(60_000)

  it('R1 is one recorded call: a replay runs nothing again', async () => {
    await session.run("const nested = (await code.run({ code: 'return await notes.add(1)', description: 'd' })).result")
    await session.kill()
    expect(await value('nested')).to.deep.equal({ value: 1 })
    expect(added).to.deep.equal([1])
  })

  it('ends with its cell', async () => {
    const result = await session.run("await code.run({ code: 'for (;;);', description: 'd' })", { limits: { maxWallMs: 1_500 } })
    expect([result.status, result.record.volatileReason]).to.deep.equal(['discarded', 'code.run'])
  })
})

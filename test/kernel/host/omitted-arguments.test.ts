// The omitted-argument rule of contract 1.8, from the cell to the record and back: `tools.x()` is `tools.x({})` where the schema admits it.
import { expect } from 'chai'
import { decode } from '../../../plugins/kernel/wire/index.ts'
import type { ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { answerOf } from '../../harness/sessions.ts'

const optional = { type: 'object', properties: { a: { type: 'string' } } }
const answer = { replay: 'recorded-value', call: (args: unknown) => ({ given: args === undefined ? 'nothing' : args }) } as const

describe('omitted arguments', () => {
  let graph: Graph
  let session: ReplSession
  let count = 0
  let withdraw: (() => void)[] = []

  const members = {
    zero: { ...answer, parameters: optional }, needs: { ...answer, parameters: { ...optional, required: ['a'] } },
    broken: { ...answer, parameters: { type: 'object', properties: { a: { type: 'date' } } } }, free: answer,
  }
  const register = () => { withdraw = ['tools', 'others'].map(name => graph.ctx.capabilityPlan.register(name, members)) }
  before(async () => { graph = await boot({ kernel: { spareHelper: true } }) })
  after(() => graph.dispose())
  beforeEach(async () => { register(); session = await graph.kernel.open(`omitted ${count += 1}`) })
  afterEach(async () => { await session.close(); for (const dispose of withdraw) dispose() })

  const rows: readonly (readonly [title: string, call: string, args: unknown, value: object])[] = [
    ['tools.x() is tools.x({})', 'tools.zero()', {}, { value: { given: {} } }],
    ['an explicit undefined stays', 'tools.zero(undefined)', undefined, { error: 'TypeError' }],
    ['required input', 'tools.needs()', undefined, { error: 'TypeError' }],
    ['a schema that can not be used', 'tools.broken()', undefined, { error: 'Error' }],
    ['no schema', 'tools.free()', undefined, { value: { given: 'nothing' } }],
    ['another namespace', 'others.zero()', undefined, { error: 'TypeError' }],
  ]
  for (const [title, call, args, value] of rows) {
    it(`1.8 ${title}`, async () => {
      const result = await session.run(`return await ${call}`)
      expect(result.record.calls.map((recorded) => decode(recorded.args as never))).to.deep.equal([args])
      expect(answerOf(result)).to.deep.equal(value)
    })
  }

  it('1.8 R3 what was dispatched is what is replayed, whatever the schema says today', async () => {
    await session.run('const first = [await tools.zero(), await tools.free(), await tools.free({}), await tools.zero({})]')
    for (const dispose of withdraw) dispose()
    withdraw = [graph.ctx.capabilityPlan.register('tools', { zero: answer, free: { ...answer, parameters: optional } })]
    await session.reset()
    const result = await session.run('first')
    expect([result.value, result.diagnostics]).to.deep.equal([[{ given: {} }, { given: 'nothing' }, { given: {} }, { given: {} }], []])
  })
})

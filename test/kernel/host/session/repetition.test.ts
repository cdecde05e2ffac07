// PTC-W001 and PTC-W002 (contract 10): exactly at the third identical failure, and whose error it is.
import { expect } from 'chai'
import type { CellResult, OpenOptions, ReplSession } from '../../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../../harness/graph.ts'

describe('the same failure again and again', () => {
  let graph: Graph
  let session: ReplSession
  let count = 0
  before(async () => {
    graph = await boot({ kernel: { spareHelper: true } })
    graph.ctx.capabilityPlan.configure({ managementEnabled: true })
    graph.ctx.capabilityPlan.register('notes', { add: { replay: 'recorded-value', call: () => 1 } })
  })
  after(() => graph.dispose())
  const open = async (options?: OpenOptions) => { session = await graph.kernel.open(`repeated ${count += 1}`, options) }
  beforeEach(() => open())
  afterEach(() => session.close())

  const warningsOf = ({ diagnostics }: CellResult) => diagnostics.filter(({ code }) => /^PTC-W/u.test(code))
  const codesOf = async (...sources: readonly string[]) => {
    const codes: string[] = []
    for (const source of sources) codes.push(warningsOf(await session.run(source)).map(({ code }) => code).join() || '-')
    return codes.join(' ')
  }

  it('is said at the third time and at no other', async () => {
    expect(await codesOf('missing', '1; missing', 'missing', 'missing', 'missing', 'missing')).to.equal('- - PTC-W001 - - -')
  })

  it('a success and another failure start anew', async () => {
    expect(await codesOf('missing', 'missing', '1', 'missing', 'missing', 'other', 'missing', 'missing', 'missing')).to.equal('- - - - - - - - PTC-W001')
  })

  it('an aborted cell leaves the count as it is', async () => {
    await codesOf('missing', 'missing')
    await session.run('1', { signal: AbortSignal.abort(new Error('not now')) })
    expect(await codesOf('missing')).to.equal('PTC-W001')
  })

  it('is in the result, in its log and in its record, with the effect of the failure itself', async () => {
    await codesOf('missing', 'missing')
    const { diagnostics, logs, record } = await session.run('missing')
    expect(diagnostics.at(-1)).to.deep.include({
      code: 'PTC-W001', severity: 'warning', phase: 'execute', stateEffect: 'partially-applied', cause: { code: 'PTC-LOCAL', message: 'ReferenceError: missing is not defined' },
    })
    expect(record.diagnostics.at(-1)).to.deep.equal(diagnostics.at(-1))
    expect(logs).to.have.length(1)
    expect(logs[0]).to.have.property('text').that.matches(/^warning\[PTC-W001\]: .*\nphase: execute\nstate: partially-applied\ncause: PTC-LOCAL: ReferenceError: missing is not defined\nhelp: /u)
  })

  const causes: readonly (readonly [title: string, source: string, code: string, cause: string | undefined, effect: string])[] = [
    ['a name before its declaration', '(() => { early; let early })()', 'PTC-W001', 'PTC-LOCAL', 'partially-applied'],
    ['a name of an owner', 'let notes = 1', 'PTC-W001', 'PTC-LOCAL', 'unchanged'],
    ['a lease that is over', 'await kept({})', 'PTC-W001', 'PTC-CAPABILITY', 'partially-applied'],
    ['a member that was closed while the cell ran', 'await closing()', 'PTC-W001', 'PTC-CAPABILITY', 'partially-applied'],
    ['a failure of the program', "throw new RangeError('no')", 'PTC-W002', undefined, 'partially-applied'],
    ['an error that reads like the end of a lease', 'throw Object.assign(new Error(leased.message), { name: leased.name })', 'PTC-W002', undefined, 'partially-applied'],
    ['an error that claims an origin', "Object.prototype.origin = 'lease'; try { throw new Error('x') } finally { delete Object.prototype.origin }", 'PTC-W002', undefined, 'partially-applied'],
    ['a reference error of the program', "throw new ReferenceError('of my own')", 'PTC-W002', undefined, 'partially-applied'],
    ['what can not be parsed', 'let x = ', 'PTC-W002', undefined, 'unchanged'],
    ['a value that can not leave', 'return { get v() { return globalThis.asked = true } }', 'PTC-W002', undefined, 'partially-applied'],
  ]
  for (const [title, source, code, cause, effect] of causes) {
    it(`${title}: ${code}${cause === undefined ? '' : ` ${cause}`}`, async () => {
      let closes = false
      const plan = graph.ctx.capabilityPlan.session(session.id)
      const withdraw = graph.ctx.capabilityPlan.register('gate', { open: { replay: 'recorded-value', call: () => { if (closes) plan.close('notes.add') } } })
      try {
        plan.refresh()
        await session.run('globalThis.kept = notes.add')
        await session.run('globalThis.leased = await kept({}).catch((error) => error); async function closing() { await gate.open(); await notes.add({}) }')
        closes = true
        const results: CellResult[] = []
        for (let times = 0; times < 3; times += 1) {
          results.push(await session.run(source))
          plan.reopen('notes.add')
        }
        const [warning] = warningsOf(results[2]!)
        expect([warning?.code, warning?.cause?.code, warning?.stateEffect, results.map(({ error }) => error?.message)])
          .to.deep.equal([code, cause, effect, results.map(() => results[0]!.error!.message)])
        const primary = results[0]!.diagnostics[0]!
        expect(primary.dispatchState).to.equal(cause === 'PTC-CAPABILITY' ? 'not-dispatched' : undefined)
      } finally {
        withdraw()
      }
    })
  }

  it('PTC-O001 names the place in the value and calls no getter', async () => {
    const { diagnostics, status } = await session.run('return { list: [1, { get v() { return globalThis.asked = true } }] }')
    expect(status).to.equal('durable')
    expect(diagnostics[0]).to.include({ code: 'PTC-O001' }).and.have.property('message').that.matches(/^\$\.list\[1\]\.v /u)
    expect((await session.run('typeof asked')).value).to.equal('undefined')
  })

  it('a name taken in a protected session is told as a name', async () => {
    await session.close()
    await open({ policy: 'protected' })
    await session.run('const taken = 1')
    expect(await codesOf('let taken', 'let taken', 'let taken')).to.equal('- - PTC-W001')
  })
})

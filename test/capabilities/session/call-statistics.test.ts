// What sessions have called: which calls count, how the window moves, and which documents are refused. Would catch statistics that grow,
// that count what a replay does, or that change what a session has been told.
import { expect } from 'chai'
import { MAX_SAMPLE_SYMBOLS, MAX_SAMPLES } from '../../../plugins/capabilities/session/documents.ts'
import type { CapabilityService } from '../../../plugins/capabilities/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { answerOf } from '../../harness/sessions.ts'
import { callContext, member } from '../hosts.ts'

const schema = 'ptc-capability-statistics/v1'
const POLICY = { schema: 'ptc-capability-policy/v1', default: { availability: 'enabled', disclosure: 'host' }, namespaces: {}, servers: {}, members: {} } as const
const SETTINGS = { enabled: true, windowSize: 3, minimumSamples: 2, fullThreshold: 0.5 }

describe('statistics of calls', () => {
  let graph: Graph
  let plan: CapabilityService
  let ending: AbortController
  beforeEach(async () => {
    graph = await boot()
    plan = graph.ctx.capabilityPlan
    ending = new AbortController()
    plan.configure({ statistics: SETTINGS })
    plan.register('notes', { add: member(() => 'added'), list: member(() => 'listed'), fail: member(() => { throw new Error('no') }), wait: member(() => { ending.abort(); return new Promise(() => {}) }) })
  })
  afterEach(() => graph.dispose())

  const samples = (): string[] => plan.statistics.document.samples.map(({ session, symbols }) => `${session}: ${symbols.join(' ')}`)

  it('a sample is a session with what its live cells have called, answered or failed', async () => {
    const session = await graph.kernel.open('s')
    await session.run('await notes.list(); await notes.list(); try { await notes.fail() } catch {}')
    expect(samples()).to.deep.equal(['s: notes.fail notes.list'])
    await session.run('await notes.add(); throw new Error("after it")')
    await session.run("await code.run({ code: 'return notes.list()', description: 'a nested cell' }); await repl.state({ action: 'save', name: 'here' }).catch(() => {})")
    expect(samples()).to.deep.equal(['s: code.run notes.add notes.fail notes.list repl.state'])
  })

  it('calls without an answer, of the explorer, of nothing and of what is closed do not count', async () => {
    const session = await graph.kernel.open('s')
    await session.run('await capabilities.tree(); await tools.edit_run_code({}).catch(() => {}); await notes.wait()', { signal: ending.signal })
    plan.called('s', ['nobody.knows', 'notes', 'notes.nothing', '.', 'notes.constructor'])
    plan.configure({ managementEnabled: true })
    plan.session('closed').close('notes.add')
    plan.called('closed', ['notes.add'])
    expect(samples()).to.deep.equal([])
  })

  it('R1 a replay counts nothing', async () => {
    const session = await graph.kernel.open('s')
    await session.run('const kept = await notes.add()')
    plan.statistics.reset()
    await session.reset()
    expect(answerOf(await session.run('kept'))).to.deep.equal({ value: 'added' })
    expect(samples()).to.deep.equal([])
  })

  it('nothing is collected while they are off', async () => {
    plan.configure({ statistics: { ...SETTINGS, enabled: false } })
    await (await graph.kernel.open('s')).run('await notes.add()')
    expect([plan.statistics.isCollecting, samples()]).to.deep.equal([false, []])
  })

  it('the window holds the sessions that have called something last', () => {
    let changes = 0
    graph.ctx.on('capability-plan/statistics-changed', () => { changes++ })
    for (const session of ['a', 'b', 'c']) plan.called(session, ['notes.add'])
    plan.called('c', ['notes.add', 'notes.add'])
    expect([samples(), changes], 'what is known already is no change').to.deep.equal([['a: notes.add', 'b: notes.add', 'c: notes.add'], 3])
    plan.called('a', ['notes.list'])
    plan.called('d', ['notes.add'])
    expect(samples()).to.deep.equal(['c: notes.add', 'a: notes.add notes.list', 'd: notes.add'])
  })

  it('a sample is bounded', () => {
    const many = Array.from({ length: MAX_SAMPLE_SYMBOLS + 9 }, (_, i) => `m${i}`)
    plan.register('many', Object.fromEntries(many.map(name => [name, member()])))
    plan.called('s', many.map(name => `many.${name}`))
    expect(plan.statistics.document.samples[0]!.symbols).to.have.length(MAX_SAMPLE_SYMBOLS)
    plan.statistics.set(plan.statistics.document)
  })

  it('S2 they decide for sessions that begin or are refreshed, and for no other', () => {
    plan.configure({ managementEnabled: true, policy: { ...POLICY, allocation: { baseline: true, budget: true, statistics: true } } })
    const full = (id: string) => plan.session(id).document.composition?.full.filter(symbol => symbol.startsWith('notes.'))
    plan.view('before')
    expect(full('before')).to.deep.equal(['notes.add', 'notes.fail', 'notes.list', 'notes.wait'])
    for (const session of ['a', 'b']) plan.called(session, ['notes.list'])
    plan.view('after')
    expect([full('before'), full('after')]).to.deep.equal([['notes.add', 'notes.fail', 'notes.list', 'notes.wait'], ['notes.list']])
    expect(plan.declaration('after')).to.include('declare const notes: {\n  list(').and.match(/\/\/ {3}notes: add, fail, wait\n/u)
    plan.session('before').refresh()
    expect(full('before')).to.deep.equal(['notes.list'])
  })

  it('a member that is not declared is called all the same', async () => {
    plan.configure({ managementEnabled: true, policy: { ...POLICY, allocation: { baseline: true, budget: true, statistics: true } } })
    for (const session of ['a', 'b']) plan.called(session, ['notes.list'])
    expect(await plan.dispatch('notes', 'add', undefined, { ...callContext(), session: 'new' })).to.equal('added')
  })

  it('the owner gets, sets and resets them', () => {
    plan.called('a', ['notes.list'])
    const stored = JSON.parse(JSON.stringify(plan.statistics.document)) as object
    expect(stored).to.deep.equal({ schema, samples: [{ session: 'a', symbols: ['notes.list'] }] })
    plan.statistics.reset()
    expect(plan.statistics.document).to.deep.equal({ schema, samples: [] })
    plan.statistics.set(stored)
    expect(plan.statistics.document).to.deep.equal(stored)
    plan.statistics.set({ schema, samples: ['z', 'y', 'x', 'w'].map(session => ({ session, symbols: ['n.b', 'n.a', 'n.b'] })) })
    expect(samples(), 'as many as the window holds, in order').to.deep.equal(['y: n.a n.b', 'x: n.a n.b', 'w: n.a n.b'])
  })

  it('a corrupt document is refused and nothing is lost', () => {
    plan.called('a', ['notes.list'])
    const good = { session: 'b', symbols: ['n.m'] }
    const REFUSED: readonly (readonly [document: unknown, message: RegExp])[] = [
      [null, /the statistics can not be used: it is not an object/], [[], /not an object/], [{ samples: [] }, /their schema is not ptc-capability-statistics\/v1/],
      [{ schema: 'ptc-capability-statistics/v2', samples: [] }, /their schema/], [{ schema, samples: [], extra: 1 }, /there is no field "extra"/],
      [{ schema, samples: {} }, /not a list/], [{ schema, samples: Array.from({ length: MAX_SAMPLES + 1 }, (_, i) => ({ ...good, session: `${i}` })) }, /at most 10000/],
      [{ schema, samples: [{ ...good, at: 1 }] }, /a sample can not be used: there is no field "at"/], [{ schema, samples: [{ ...good, session: '' }] }, /its session is not a text/],
      [{ schema, samples: [{ ...good, symbols: [] }] }, /1 to 1000 symbols/], [{ schema, samples: [{ ...good, symbols: [1] }] }, /not a list of symbols/],
      [{ schema, samples: [good, good] }, /twice/],
    ]
    for (const [document, message] of REFUSED) expect(() => plan.statistics.set(document)).to.throw(message).with.property('code', 'bad-document')
    expect(samples()).to.deep.equal(['a: notes.list'])
  })
})

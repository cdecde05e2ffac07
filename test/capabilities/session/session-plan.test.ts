// S1 to S3: what a session may call. Would catch a closure that one of program, explorer, declaration and dispatch does not know of, and
// a session whose offer changes under it.
import { expect } from 'chai'
import type { CapabilityService } from '../../../plugins/capabilities/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { answerOf } from '../../harness/sessions.ts'
import { callContext, member } from '../hosts.ts'

describe('plan of a session', () => {
  let graph: Graph
  let plan: CapabilityService
  let withdraw: () => void

  beforeEach(async () => {
    graph = await boot()
    plan = graph.ctx.capabilityPlan
    plan.configure({ managementEnabled: true })
    withdraw = plan.register('notes', { add: member(() => 'added'), list: member(() => 'listed') })
    plan.register('tools', { mcp__git__log: member(), mcp__git__push: member(), mcp__other__log: member(), edit_run_code: member() })
    plan.register('mcp', { git: member(), other: member() })
  })
  afterEach(() => graph.dispose())

  /** All surfaces of a session, which have to agree, as symbols of the registered namespaces. */
  async function surface(id: string): Promise<string[]> {
    const own = (symbols: string[]) => symbols.filter(symbol => !/^(?:capabilities|code|repl)\./u.test(symbol)).sort()
    const program = own(plan.view(id).flatMap(({ name, members }) => members.map(each => `${name}.${each}`)))
    const explorer = own(plan.tree(id).flatMap(({ namespace, members }) => members.map(each => `${namespace}.${each}`)))
    const text = plan.declaration(id)
    const all = ['notes.add', 'notes.list', 'tools.mcp__git__log', 'tools.mcp__git__push', 'tools.mcp__other__log', 'tools.edit_run_code', 'mcp.git', 'mcp.other', 'late.come']
    const dispatched: string[] = []
    for (const symbol of all) {
      const [namespace = '', name = ''] = symbol.split('.')
      const answer = await plan.dispatch(namespace, name, undefined, { ...callContext(), session: id }).catch((error: { code?: string }) => error.code)
      if (answer !== 'closed' && answer !== 'unknown-member') dispatched.push(symbol)
      const declaresIt = new RegExp(`declare const ${namespace}: \\{[^}]*\\b${name}\\(`, 'u').test(text)
      expect(declaresIt, `declaration of ${symbol}`).to.equal(program.includes(symbol))
    }
    expect(explorer, 'explorer').to.deep.equal(program)
    expect(dispatched.sort(), 'dispatch').to.deep.equal(program)
    return program
  }

  const ALL = ['mcp.git', 'mcp.other', 'notes.add', 'notes.list', 'tools.edit_run_code', 'tools.mcp__git__log', 'tools.mcp__git__push', 'tools.mcp__other__log']
  const CLOSED: readonly (readonly [target: string, gone: readonly string[]])[] = [
    ['notes.add', ['notes.add']],
    ['notes', ['notes.add', 'notes.list']],
    ['mcp.git', ['mcp.git', 'tools.mcp__git__log', 'tools.mcp__git__push']],
    ['tools.edit_run_code', []],
    ['tools', ['tools.mcp__git__log', 'tools.mcp__git__push', 'tools.mcp__other__log']],
    ['nobody.knows', []],
    ['note', []],
  ]
  for (const [target, gone] of CLOSED) {
    it(`S1 4.2 closing ${target} takes away ${gone.join(', ') || 'nothing'}`, async () => {
      expect(await surface('s')).to.deep.equal(ALL)
      plan.session('s').close(target)
      expect(await surface('s')).to.deep.equal(ALL.filter(symbol => !gone.includes(symbol)))
      expect(await surface('another'), 'another session').to.deep.equal(ALL)
      plan.session('s').reopen(target)
      expect(await surface('s')).to.deep.equal(ALL)
    })
  }

  it('S1 a cell sees a closure at once, also one that is running, and one of the kernel\'s namespaces', async () => {
    const session = await graph.kernel.open('s')
    plan.register('self', { close: member((target, { session: id }) => { plan.session(id).close(target as string) }) })
    const running = "await self.close('notes.add'); return [typeof notes.add, await notes.add().catch(e => e.message), await capabilities.tree().then(t => t.find(n => n.namespace === 'notes').members)]"
    expect(answerOf(await session.run(running))).to.deep.equal({ value: ['function', 'notes.add is closed in this session', ['list']] })
    expect(answerOf(await session.run('return [typeof notes.add, await notes.list()]'))).to.deep.equal({ value: ['undefined', 'listed'] })
    plan.session('s').close('code')
    expect(answerOf(await session.run("[typeof code, typeof repl, (await capabilities.inspect({ symbols: ['code.run'] })).unknown]"))).to.deep.equal({ value: ['undefined', 'object', ['code.run']] })
  })

  it('S1 R3 a session that used what is closed now is recovered', async () => {
    const session = await graph.kernel.open('s')
    await session.run("const kept = [await notes.add(), (await code.run({ code: 'return 1', description: 'one' })).result]")
    for (const target of ['notes', 'code']) plan.session('s').close(target)
    await session.reset()
    const result = await session.run('[...kept, typeof notes, typeof code]')
    expect([result.value, result.diagnostics]).to.deep.equal([['added', 1, 'undefined', 'undefined'], []])
  })

  it('S2 what is registered later is offered after refresh, what is withdrawn is gone, what comes back is back', async () => {
    expect(await surface('s')).to.deep.equal(ALL)
    plan.register('late', { come: member() })
    expect(await surface('s')).to.deep.equal(ALL)
    expect(await surface('new')).to.include('late.come')
    withdraw()
    expect(await surface('s')).to.deep.equal(ALL.filter(symbol => !symbol.startsWith('notes.')))
    plan.register('notes', { add: member(), list: member() })
    expect(await surface('s')).to.deep.equal(ALL)
    plan.session('s').close('notes')
    plan.session('s').refresh()
    expect(await surface('s')).to.include('late.come').and.not.include('notes.add')
  })

  it('S3 a session that began while management was off stays as it is until it is refreshed, and the other way round', async () => {
    plan.configure({ managementEnabled: false })
    plan.session('off').close('notes')
    expect(await surface('off'), 'the closure is kept, not applied').to.deep.equal(ALL)
    plan.configure({ managementEnabled: true })
    expect(await surface('off')).to.deep.equal(ALL)
    expect(await surface('on')).to.deep.equal(ALL)
    plan.session('off').refresh()
    expect(await surface('off')).to.not.include('notes.add')
    plan.configure({ managementEnabled: false })
    plan.session('on').close('notes')
    expect(await surface('on')).to.not.include('notes.add')
    plan.session('on').refresh()
    expect(await surface('on')).to.deep.equal(ALL)
  })

  it('the document brings a plan back in another process', async () => {
    plan.session('s').close('notes.add')
    await surface('s')
    const stored = JSON.parse(JSON.stringify(plan.session('s').document)) as object
    expect(stored).to.deep.include({ schema: 'ptc-capability-environment/v5', closures: ['notes.add'] })
    plan.forget('s')
    expect(await surface('s')).to.deep.equal(ALL)
    plan.register('late', { come: member() })
    plan.session('s', stored)
    expect(await surface('s')).to.deep.equal(ALL.filter(symbol => symbol !== 'notes.add'))
    expect(plan.session('s').document).to.deep.equal(stored)
  })

  it('documents and targets that are none', () => {
    const good = { schema: 'ptc-capability-environment/v5', closures: [], composition: { managed: true, full: ['a.b'], directory: [], search: [] } }
    plan.session('s', good)
    for (const bad of [
      null, [], {}, { ...good, schema: 'ptc-capability-environment/v4' }, { ...good, closures: 'notes' }, { ...good, closures: [1] }, { ...good, extra: 1 },
      { ...good, composition: {} }, { ...good, composition: { ...good.composition, managed: 1 } }, { ...good, composition: { ...good.composition, search: ['a.b'] } },
    ]) expect(() => plan.session('s', bad), JSON.stringify(bad)).to.throw().with.property('code', 'bad-document')
    expect(plan.session('s').document, 'the plan is the one before').to.deep.equal(good)
    for (const bad of ['', 7, null, undefined, 'x'.repeat(151)]) expect(() => plan.session('s').close(bad as string)).to.throw().with.property('code', 'bad-target')
  })

  it('what does not fit into the budget is named or counted, callable and shown', async () => {
    plan.configure({ budgetBytes: 30, directoryBytes: 512, baseline: ['notes.list'] })
    const text = plan.declaration('s')
    expect(text).to.include('declare const notes: {\n  list(): Promise<unknown>\n}\n').and.not.include('declare const mcp:')
    expect(text).to.match(/\/\/ capabilities\.inspect\(\{ symbols \}\) shows how to call these:\n(?:\/\/ {3}.*\n)*\/\/ {3}notes: add\n/u)
    expect(text).to.include('declare const capabilities: {')
    expect(await plan.dispatch('notes', 'add', undefined, { ...callContext(), session: 's' })).to.equal('added')
    expect(plan.find('notes.add', 's').map(({ symbol }) => symbol)).to.include('notes.add')
  })

  it('4.3 profiles are saved, exported, imported and switched', () => {
    const full = (id: string) => (plan.view(id), plan.session(id).document.composition!.full.filter(symbol => symbol.startsWith('notes.')))
    const { managementEnabled: _m, statistics: _s, profiles, profile: _p, ...allocation } = plan.settings
    plan.configure({ profiles: { ...profiles, profiles: [{ ...allocation, name: 'plain' }, { ...allocation, name: 'small', budgetBytes: 30, baseline: ['notes.list'] }] } })
    const exported = JSON.parse(JSON.stringify(plan.settings.profiles)) as typeof profiles
    plan.configure({ profiles: { ...profiles, profiles: [] } })
    expect(() => { plan.configure({ profile: 'small' }) }).to.throw('there is no profile "small"')
    plan.configure({ profiles: exported, profile: 'small' })
    expect(full('first')).to.deep.equal(['notes.list'])
    plan.configure({ profile: 'plain' })
    expect([full('first'), full('second')]).to.deep.equal([['notes.list'], ['notes.add', 'notes.list']])
    plan.configure({ profile: null })
    expect(plan.settings.profiles).to.deep.equal(exported)
  })

  it('cursors of a search end when the session closes a member', () => {
    const { nextCursor } = plan.search({ query: 'mcp', limit: 1 }, 's')
    expect(plan.search({ query: 'mcp', limit: 1, cursor: nextCursor! }, 's').matches).to.have.length(1)
    plan.session('s').close('mcp.other')
    expect(() => plan.search({ query: 'mcp', limit: 1, cursor: nextCursor! }, 's')).to.throw('the catalog has changed')
  })
})

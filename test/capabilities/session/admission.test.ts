// S4 and contract 4.2: what one step admits of `tools`. Would catch an admission that gives something back, that reaches a program or
// the stored document, or that outlives its step.
import { expect } from 'chai'
import type { CapabilityService } from '../../../plugins/capabilities/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { callContext, member } from '../hosts.ts'

describe('admission by step', () => {
  let graph: Graph
  let plan: CapabilityService
  beforeEach(async () => {
    graph = await boot()
    plan = graph.ctx.capabilityPlan
    plan.register('tools', { read: member(() => 'text'), send: member(() => 'sent'), run_code: member(), edit_run_code: member() })
    plan.register('notes', { add: member() })
  })
  afterEach(() => graph.dispose())

  const OWN = ['read', 'send', 'run_code', 'edit_run_code']
  /** The members of `tools` that the declaration, the explorer and the program have; the first two have to agree. */
  function told(id = 's'): { shown: string[], callable: string[] } {
    const shown = OWN.filter(name => plan.inspect({ symbols: [`tools.${name}`] }, id).symbols.length > 0)
    const text = /declare const tools: \{[^]*?\n\}/u.exec(plan.declaration(id))?.[0] ?? ''
    expect(OWN.filter(name => new RegExp(`\\b${name}\\(`, 'u').test(text)), 'declaration').to.deep.equal(shown)
    expect(plan.tree(id).map(({ namespace }) => namespace), 'other namespaces').to.include('notes')
    return { shown, callable: OWN.filter(name => plan.view(id).find(view => view.name === 'tools')?.members.includes(name) === true) }
  }

  for (const managementEnabled of [false, true]) {
    it(`S4 the step's admission is what is shown, and not what can be called; management ${managementEnabled ? 'on' : 'off'}`, async () => {
      plan.configure({ managementEnabled })
      expect(told().shown, 'nobody says').to.deep.equal(OWN)
      plan.session('s').admit(['read', 'nobody.knows'])
      expect(told()).to.deep.equal({ shown: ['read', 'run_code', 'edit_run_code'], callable: OWN })
      expect(await plan.dispatch('tools', 'send', undefined, { ...callContext(), session: 's' })).to.equal('sent')
      expect([plan.find('send', 's'), plan.search({ query: 'send' }, 's').total, told('another').shown]).to.deep.equal([[], 0, OWN])
      plan.session('s').admit([])
      expect(told().shown, 'transports are exempt').to.deep.equal(['run_code', 'edit_run_code'])
      plan.session('s').admit(['send'])
      expect(told().shown, 'the next step').to.deep.equal(['send', 'run_code', 'edit_run_code'])
      plan.session('s').admit(null)
      expect(told().shown).to.deep.equal(OWN)
    })
  }

  it('4.2 a row only ever loses a path: composition, closures and admission are intersected', () => {
    plan.configure({ managementEnabled: true })
    plan.view('s')
    plan.register('late', { come: member() })
    plan.session('s').close('tools.send')
    const { document } = plan.session('s')
    plan.session('s').admit(['read', 'send'])
    expect(told().shown).to.deep.equal(['read', 'run_code', 'edit_run_code'])
    expect(plan.find('late.come', 's')).to.deep.equal([])
    expect(plan.session('s').document, 'no document holds it').to.deep.equal(document)
    plan.session('s').reopen('tools.send')
    expect(told().shown).to.deep.equal(['read', 'send', 'run_code', 'edit_run_code'])
  })

  it('S4 counts for the explorer of a cell that brings its own tools', async () => {
    const request = { brought: { members: { look: member(() => 1), send: member(() => 2) } } }
    plan.session('s').admit(['read'])
    const cell = plan.forCell(request)
    expect(cell.tree('s').map(({ namespace, members }) => `${namespace}: ${members.join(' ')}`).filter(row => /^(?:brought|tools)/u.test(row)))
      .to.deep.equal(['brought: look send', 'tools: edit_run_code read run_code'])
  })

  it('an admission that is none is refused, and the one before counts', () => {
    plan.session('s').admit(['read'])
    for (const bad of ['read', [1], {}, undefined]) expect(() => plan.session('s').admit(bad as never)).to.throw().with.property('code', 'bad-document')
    expect(told().shown).to.deep.equal(['read', 'run_code', 'edit_run_code'])
  })
})

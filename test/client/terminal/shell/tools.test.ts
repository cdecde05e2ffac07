// `/tools`, `/find`, `/close`, `/open` and `/refresh`, over a real plan.
import { expect } from 'chai'
import { close, findText, open, refresh, toolsText } from '../../../../client/terminal/shell/tools.ts'
import type { CapabilityService } from '../../../../plugins/capabilities/types.ts'
import { boot, type Graph } from '../../../harness/graph.ts'
import { answerOf } from '../../../harness/sessions.ts'

const member = (description?: string) => ({ ...description === undefined ? {} : { description }, replay: 'recorded-value', effect: 'write', call: () => 1 } as const)

describe('tools of a session, for a person', () => {
  let graph: Graph
  let plan: CapabilityService
  beforeEach(async () => {
    graph = await boot()
    plan = graph.ctx.capabilityPlan
    plan.register('notes', { add: member('Adds a note.\nAt the end.'), list: member() })
    plan.register('tools', { mcp__git__log: member('Shows the log.') })
  })
  afterEach(() => graph.dispose())

  it('lists members with what they do, by name or all', () => {
    expect(toolsText(plan, 's', 'notes')).to.equal('notes.add   Adds a note.\nnotes.list\n')
    expect(toolsText(plan, 's', '').split('\n').map(line => line.split(' ')[0])).to.deep.equal(
      ['code.run', 'notes.add', 'notes.list', 'repl.state', 'tools.edit_run_code', 'tools.mcp__git__log', ''])
  })

  it('shows one member whole', () => {
    expect(toolsText(plan, 's', 'notes.add')).to.equal('notes.add\nAdds a note.\nAt the end.\ntakes: nothing is declared\nanswers: nothing is declared\neffect: write, replay: recorded-value\n')
  })

  it('finds by words', () => {
    expect(findText(plan, 's', 'note')).to.match(/^notes\.add +Adds a note\.\n/)
    expect(findText(plan, 's', 'zzz')).to.match(/^No name or description matches/)
    expect(() => findText(plan, 's', '')).to.throw('usage')
  })

  it('closes at once and for this session only, and opens again', async () => {
    const session = await graph.kernel.open('s')
    const kindOf = async () => answerOf(await session.run('[typeof notes, typeof repl]'))
    expect(await kindOf()).to.deep.equal({ value: ['object', 'object'] })
    expect(close(plan, 's', 'notes.add')).to.equal('notes.add is closed in this session: 1 member less. Sessions that begin from now on are managed as well.\n')
    expect(close(plan, 's', 'notes')).to.equal('notes is closed in this session: 1 member less.\n')
    expect(close(plan, 's', 'repl')).to.match(/1 member less/)
    expect(close(plan, 's', 'mcp.git')).to.match(/1 member less/)
    expect(await kindOf()).to.deep.equal({ value: ['undefined', 'undefined'] })
    expect(toolsText(plan, 's', '')).to.match(/\nclosed in this session: mcp\.git, notes, notes\.add, repl\n$/)
    expect(toolsText(plan, 'another', 'notes')).to.match(/^notes\.add/)
    expect(close(plan, 's', 'notes')).to.equal('notes is closed already.\n')
    for (const name of ['notes', 'notes.add', 'repl']) expect(open(plan, 's', name)).to.equal(`${name} is open again.\n`)
    expect(await kindOf()).to.deep.equal({ value: ['object', 'object'] })
  })

  it('composes anew, and what is closed stays closed', () => {
    expect(refresh(plan, 's')).to.equal('What the session may call is composed anew: nothing has changed.\n')
    close(plan, 's', 'notes.add')
    // As after a restart: the session is managed, its composition's setting is not.
    plan.configure({ managementEnabled: false })
    const withdraw = plan.register('late', { come: member(), go: member() })
    expect(refresh(plan, 's')).to.equal('What the session may call is composed anew: 2 more (late.come, late.go).\n')
    withdraw()
    plan.register('other', { one: member() })
    expect(refresh(plan, 's')).to.equal('What the session may call is composed anew: 1 more (other.one).\n')
    expect(() => toolsText(plan, 's', 'notes.add')).to.throw('names nothing')
  })

  it('says what makes no sense, and changes nothing', () => {
    for (const name of ['nobody', 'notes.nothing', 'tools.edit_run_code']) {
      expect(() => close(plan, 's', name), name).to.throw(`${name} names nothing that this session can call`)
    }
    expect(() => toolsText(plan, 's', 'nobody')).to.throw('nobody names nothing')
    expect(() => close(plan, 's', '')).to.throw('usage')
    expect(() => open(plan, 's', 'notes')).to.throw('nothing is closed')
    close(plan, 's', 'notes')
    expect(() => open(plan, 's', 'note')).to.throw('note is not closed; closed are notes')
    expect(() => open(plan, 's', '')).to.throw('usage: /open NAME; is not closed')
    expect(plan.session('s').closures).to.deep.equal(['notes'])
  })
})

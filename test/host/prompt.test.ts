// What the model reads before it writes a cell. That it stays as it is is shown by `bytes.test.ts`.
import type { Context } from '@deepseek-ai/cordis'
import { expect } from 'chai'
import type { CapabilityService } from '../../plugins/capabilities/types.ts'
import { resultsIn, withHost } from './host.ts'
import { cell, say, type ModelRequest } from './model.ts'
import { giveTools } from './tool.ts'

const done = say('Done.')
const systemOf = ({ messages }: ModelRequest) => messages.find(({ role }) => role === 'system')?.content ?? ''
/** Everything of a request that comes before the conversation. */
const prefixOf = (request: ModelRequest) => JSON.stringify([systemOf(request), request.tools])
const setup = (ctx: Parameters<typeof giveTools>[0]) => giveTools(ctx, { add: { needs: ['a'], call: ({ a }) => a } })

describe('the prompt', () => {
  it('describes cells, and not programs that keep nothing', () => withHost(async (host) => {
    await (await host.open({ setup })).ask(done)
    const [request] = host.model.requests as [ModelRequest]
    const [tool] = request.tools!
    expect(tool!.function.name).to.equal('run_code')
    expect(tool!.function.description).to.contain('Top-level names persist')
    expect(tool!.function.parameters.properties.code!.description).to.match(/^The cell:/u)
    const system = systemOf(request)
    expect(system).to.contain('## The session behind run_code').and.to.contain('a TypeScript cell of the session').and.to.contain('add: {')
    expect(system).not.to.match(/erasable syntax|\{\{|\}\}/u)
    expect(system.indexOf('## The session behind')).to.be.below(system.indexOf('## Writing code for run_code'))
  }))

  it('declares what cells can call beside the tools, as the plan has it', () => withHost(async (host) => {
    await (await host.open()).ask(done)
    const plan = (host.ctx as unknown as { get(name: 'capabilityPlan'): CapabilityService }).get('capabilityPlan')
    expect(systemOf(host.model.requests[0]!)).to.contain(plan.declaration().trimEnd()).and.to.contain('declare const repl: {')
  }))

  it('names the namespaces of other plugins, and cells call them', () => withHost(async (host) => {
    await host.ctx.plugin({
      name: 'notes', inject: ['capabilityPlan'],
      apply(ctx: Context) {
        const { capabilityPlan } = ctx as unknown as { capabilityPlan: CapabilityService }
        capabilityPlan.register('notes', { add: { description: 'Fills {{name}} in.', replay: 'recorded-value', call: () => 'noted' } })
      },
    })
    const conversation = await host.open({ setup })
    expect(resultsIn(await conversation.ask(cell('return await notes.add()'), done))).to.deep.equal(['noted'])
    expect(systemOf(host.model.requests[0]!)).to.contain('/** Fills { {name}} in. */\n  add(): Promise<unknown>')
  }))

  it('and programs lose what the session has closed, at once, and have it again', () => withHost(async (host) => {
    const plan = (host.ctx as unknown as { get(name: 'capabilityPlan'): CapabilityService }).get('capabilityPlan')
    plan.configure({ managementEnabled: true })
    const section = (name: string) => ({ name, order: 120, text: `Guidance of ${name}.` })
    const conversation = await host.open({ setup: (ctx) => {
      giveTools(ctx, { add: { needs: ['a'], call: ({ a }) => a }, mcp__notes__list: { call: () => [] }, read: { call: () => null } })
      for (const name of ['tool:add', 'mcp:notes', 'tool:read']) ctx.get('systemPrompt')!.section(section(name))
    } })
    const ask = async () => resultsIn(await conversation.ask(cell('return [Object.keys(tools).sort(), (await capabilities.tree()).find(({ namespace }) => namespace === "tools").members].join("|")'), done))
    const all = 'add,edit_run_code,mcp__notes__list,read'
    expect(await ask()).to.deep.equal([`${all}|${all}`])
    const session = plan.session(`dsh:${conversation.session.id}`)
    for (const target of ['tools.add', 'mcp.notes']) session.close(target)
    expect(await ask()).to.deep.equal(['edit_run_code,read|edit_run_code,read'])
    const closed = systemOf(host.model.requests.at(-1)!)
    expect(closed).not.to.match(/\badd: |mcp__notes|of (?:tool:add|mcp:notes)/u)
    expect(closed).to.match(/\bread: /u).and.to.contain('Guidance of tool:read.')
    const gone = await conversation.ask(cell('return await tools.add({ a: 1 })'), done)
    expect(resultsIn(gone)[0]).to.contain('tools.add is not a function')
    for (const target of ['tools.add', 'mcp.notes']) session.reopen(target)
    expect(await ask()).to.deep.equal([`${all}|${all}`])
    expect(prefixOf(host.model.requests.at(-1)!)).to.equal(prefixOf(host.model.requests[0]!))
  }))

  it('is the host\'s own where tools are called natively', async () => {
    const requests: (readonly ModelRequest[])[] = []
    for (const bridge of [undefined, null]) {
      await withHost(async (host) => {
        await (await host.open({ setup })).ask(done)
        requests.push(host.model.requests)
      }, { mode: 'native', ...bridge === null ? { bridge } : {} })
    }
    expect(requests[0]!.map(prefixOf)).to.deep.equal(requests[1]!.map(prefixOf))
  })
})

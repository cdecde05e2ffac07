// Sessions among others: agents that start agents, forks, crashes, hosts that do not have the bundle.
import { expect } from 'chai'
import { temporaryFolder } from '../harness/sessions.ts'
import { endOf, resultsIn, withHost, type Conversation, type Host } from './host.ts'
import { cell, say } from './model.ts'
import { giveTools } from './tool.ts'

const done = say('Done.')
const run = async (conversation: Conversation, code: string) => resultsIn(await conversation.ask(cell(code), done)).join('|')

describe('a session among others', () => {
  it('goes on while an agent that its cell has started runs cells of its own', () => withHost(async (host) => {
    const child = await host.open()
    const lead = await host.open({ setup: (ctx) => giveTools(ctx, { delegate: { call: async () => await run(child, 'var mine = "child"; return mine') } }) })
    host.model.answer = ({ messages }) => {
      const asked = messages.filter(({ role }) => role === 'tool').length
      if (asked > 0) return done
      const isLead = host.model.requests.length === 1
      return cell(isLead ? 'var mine = "lead"; return [await tools.delegate({}), mine]' : 'var mine = "child"; return mine')
    }
    expect(resultsIn(await lead.ask())).to.deep.equal(['[\n  "child",\n  "lead"\n]'])
    host.model.answer = undefined
    await lead.dispose()
    expect(await run(child, 'return mine')).to.equal('child')
  }))

  it('that is disposed in the middle of a cell ends it', () => withHost(async (host) => {
    const reached = Promise.withResolvers<void>()
    const conversation = await host.open({ setup: (ctx) => giveTools(ctx, { tell: { call() { reached.resolve(); return null } } }) })
    const other = await host.open()
    const asked = conversation.ask(cell('await tools.tell({}); for (;;) {}'))
    await reached.promise
    const kernel = host.bridge.session(conversation.session.id)!
    await conversation.dispose()
    expect(endOf(await asked)).to.equal('aborted')
    expect(kernel.state).to.equal('closed')
    expect(await run(other, 'return 1')).to.equal('1')
  }))

  it('survives the death of its process, and a cell that never ends', () => withHost(async (host) => {
    const conversation = await host.open()
    await run(conversation, 'var kept = 1')
    await host.bridge.session(conversation.session.id)!.kill()
    expect(await run(conversation, 'return kept')).to.equal('1')
    const [ended] = resultsIn(await conversation.ask(cell('kept = 2; for (;;) {}'), done))
    expect(ended).to.match(/^Error: code run failed \(timeout\): error\[PTC-X002\]/u)
    expect(await run(conversation, 'return kept')).to.equal('1')
  }, { kernel: { computeMs: 500 } }))

  it('is put to sleep for another one, and wakes with its names', () => withHost(async (host) => {
    const [first, second] = [await host.open(), await host.open()]
    await run(first, 'var kept = 1')
    await run(second, 'var other = 2')
    expect([first, second].map(({ session }) => host.bridge.session(session.id)!.state)).to.deep.equal(['cold', 'idle'])
    expect(await run(first, 'return kept')).to.equal('1')
  }, { kernel: { maxLiveKernels: 1 } }))

  it('that was forked earlier does not have what came later', () => withHost(async (host) => {
    const conversation = await host.open()
    await run(conversation, 'var first = 1')
    const early = conversation.session.events
    await run(conversation, 'var second = 2; first = 3')
    const fork = await host.open({ seed: early, parent: conversation.session.id })
    expect(await run(fork, 'return [first, typeof second].join()')).to.equal('1,undefined')
  }))

  it('can be continued without the bundle, and again with it', async () => {
    const folder = temporaryFolder()
    const step = (use: (host: Host) => Promise<void>, bridge?: null) => withHost(use, { sessions: folder.path, ...bridge === null ? { bridge } : {} })
    try {
      await step(async (host) => { await run(await host.open({ id: 'moved', cwd: folder.path }), 'var kept = 1') })
      await step(async (host) => { expect(await run(await host.resume('moved'), 'var other = 2; return typeof kept')).to.equal('undefined') }, null)
      await step(async (host) => {
        expect(await run(await host.resume('moved'), 'return [kept, typeof other].join()')).to.match(/PTC-R002[^]*\n1,undefined$/u)
      })
    } finally {
      folder.remove()
    }
  })

  it('runs two cells of one message in their order', () => withHost(async (host) => {
    const conversation = await host.open()
    const both = { calls: ['var n = 1', 'n += 1; return n'].map((code) => ({ name: 'run_code', arguments: { code, description: 'One of two' } })) }
    expect(resultsIn(await conversation.ask(both, done))).to.deep.equal(['(run_code completed with no output)', '2'])
  }))

  it('of one agent among others that call natively', () => withHost(async (host) => {
    const tools = { add: { needs: ['a'], call: ({ a }: Record<string, unknown>) => Number(a) + 1 } }
    const native = await host.open({ setup: (ctx) => giveTools(ctx, tools) })
    expect(resultsIn(await native.ask({ calls: [{ name: 'add', arguments: { a: 1 } }] }, done))).to.deep.equal(['2'])
    const coding = await host.open({ setup: (ctx) => { giveTools(ctx, tools); ctx.get('tools')!.presentAs('code') } })
    expect(await run(coding, 'var x = await tools.add({ a: 2 })')).to.contain('no output')
    expect(await run(coding, 'x')).to.equal('3')
  }, { mode: 'native' }))
})

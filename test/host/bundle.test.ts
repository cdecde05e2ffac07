// The bundle in a host's composition: switched off, switched over, and with runtimes of the host that come late or change.
import type { Context } from '@deepseek-ai/cordis'
import { expect } from 'chai'
import { resultsIn, withHost, type Conversation, type Host } from './host.ts'
import { cell, say, type Model } from './model.ts'
import { giveTools } from './tool.ts'

const done = say('Done.')
const run = async (conversation: Conversation, code: string) => resultsIn(await conversation.ask(cell(code), done)).join('|')
const entry = (host: Host, id: string) => [...host.ctx.get('loader')!.entries()].find((candidate) => candidate.options.id === id)!
const update = async (host: Host, id: string, options: object) => {
  await entry(host, id).parent.tree.update(id, options)
  await host.ctx.get('loader')!.await()
}

/** One turn with a program and a call, and everything about it that can be seen from outside. */
async function observe(host: Host): Promise<unknown> {
  const conversation = await host.open({ id: 'same', cwd: '/tmp', setup: (ctx) => giveTools(ctx, { add: { needs: ['a'], call: ({ a }) => Number(a) + 1 } }) })
  const events = await conversation.ask(cell('enum E { A }'), cell('const x = await tools.add({ a: 1 }); console.log(x); return typeof x'), done)
  const runtime = host.ctx.get('codeRuntime')!
  const requests = (host.model as Model).requests.map(({ messages, tools }) => [messages, tools])
  return [runtime.constructor.name, runtime.language, runtime.isolation, resultsIn(events), requests, events.map(({ type }) => type)]
}

describe('the bundle', () => {
  it('that is switched off leaves a host that behaves as if it were not there', async () => {
    const seen: unknown[] = []
    for (const bridge of [{ enabled: false }, null]) await withHost(async (host) => { seen.push(await observe(host)) }, { bridge })
    expect(seen[0]).to.deep.equal(seen[1])
  })

  it('can be switched off and on while sessions are there', () => withHost(async (host) => {
    const conversation = await host.open()
    await run(conversation, 'var x = 1')
    await update(host, 'ptc-plus-bridge', { config: { enabled: false } })
    expect(await run(conversation, 'return typeof x')).to.equal('undefined')
    await update(host, 'ptc-plus-bridge', { config: { enabled: true } })
    expect(await run(conversation, 'return x')).to.match(/\n?1$/u)
  }))

  it('reloads: the session is rebuilt from its log', () => withHost(async (host) => {
    const conversation = await host.open()
    await run(conversation, 'var x = 1')
    for (const id of ['ptc-plus', 'ptc-plus-bridge', 'ptc-plus-original', 'code-runtime']) {
      await update(host, id, { disabled: true })
      await update(host, id, { disabled: null })
      expect(await run(conversation, 'return x'), id).to.equal('1')
    }
  }))

  it('publishes nothing while the host has no runtime, and follows one that comes late', () => withHost(async (host) => {
    expect(host.ctx.get('codeRuntime')).to.equal(undefined)
    await update(host, 'code-runtime', { disabled: null })
    const conversation = await host.open()
    await run(conversation, 'var x = 1')
    expect(await run(conversation, 'return x')).to.equal('1')
    expect(await host.ctx.get('codeRuntime')!.run({ program: 'return typeof x', bindings: [] })).to.deep.equal({ logs: [], value: 'undefined' })
  }, { patches: [{ id: 'code-runtime', disabled: true }] }))

  it('says in the log that the host has no runtime, once it has waited', () => withHost(async (host) => {
    await (await host.open()).ask(done)
    expect(host.logged.warn.filter((text) => text.includes('no runtime for programs'))).to.have.length(1)
  }, { mode: 'native', bridge: { executionSeamTimeoutMs: 1 }, patches: [{ id: 'code-runtime', disabled: true }] }))

  it('leaves programs in a language that is not its own to the host', () => withHost(async (host) => {
    const snakes = { name: 'snakes', apply(ctx: Context) { ctx.provide('codeRuntime', { language: 'python', isolation: 'none', run: async () => ({ logs: [], value: 'hiss' }) }) } }
    const realm = entry(host, 'ptc-plus-original').ctx as Context
    await realm.plugin(snakes)
    const conversation = await host.open()
    expect(await run(conversation, 'print(1)')).to.equal('hiss')
    expect(host.logged.warn).to.include('the host\'s codeRuntime runs python; its cells stay with it')
    expect(host.model.requests[0]!.tools![0]!.function.description).to.contain('Python')
  }, { patches: [{ id: 'code-runtime', disabled: true }] }))
})

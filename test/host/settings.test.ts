// Settings of the bridge while the host runs: who runs the cells, and what becomes of a change that does not work.
import type { Context } from '@deepseek-ai/cordis'
import { expect } from 'chai'
import { endOf, resultsIn, withHost, type Conversation, type Host } from './host.ts'
import { cell, say } from './model.ts'
import { giveTools, type TestTool } from './tool.ts'

const done = say('Done.')
const run = async (conversation: Conversation, code: string) => resultsIn(await conversation.ask(cell(code), done)).join('|')
const entry = (host: Host, id: string) => [...host.ctx.get('loader')!.entries()].find((candidate) => candidate.options.id === id)!
const row = (host: Host) => entry(host, 'ptc-plus-bridge')
async function configure(host: Host, config: object): Promise<void> {
  await row(host).parent.tree.update('ptc-plus-bridge', { config })
  await host.ctx.get('loader')!.await()
}
/** Until the settings in the row are those. */
async function restored(host: Host, config: object): Promise<void> {
  while (JSON.stringify(row(host).options.config) !== JSON.stringify(config)) await new Promise((resolve) => { setImmediate(resolve) })
  await host.ctx.get('loader')!.await()
}

const programs = { run: async ({ program }: { program: string }) => ({ logs: [], value: `the host's own ran ${program}` }), language: 'typescript', isolation: 'none' }
/** A host whose own runtime is this one. */
const withRuntime = (own: object, use: (host: Host) => Promise<void>, bridge: Record<string, unknown> = {}) => withHost(async (host) => {
  const realm = entry(host, 'ptc-plus-original').ctx as Context
  const runtime = Object.create(programs, Object.getOwnPropertyDescriptors(own)) as object
  await realm.plugin({ name: 'own-runtime', apply(ctx: Context) { ctx.provide('codeRuntime', runtime as never) } })
  await use(host)
}, { patches: [{ id: 'code-runtime', disabled: true }], bridge })

describe('settings of the bridge', () => {
  for (const [own, official] of [[{ retainsState: true }, true], [{ programFormat: 'repl' }, true], [{ programFormat: 'function-body', retainsState: false }, false], [{}, false]] as const) {
    it(`officialReplPriority ${official ? 'leaves cells to' : 'takes cells from'} a runtime that declares ${JSON.stringify(own)}, live both ways`, () => withRuntime(own, async (host) => {
      const conversation = await host.open()
      expect(await run(conversation, 'var kept = 1')).to.contain('no output')
      const kernel = host.bridge.session(conversation.session.id)!
      await configure(host, { officialReplPriority: true })
      expect(kernel.state).to.equal('closed')
      const answer = await run(conversation, 'return kept')
      expect(answer).to.match(official ? /^the host's own ran return kept$/u : /^1$/u)
      expect(host.bridge.session(conversation.session.id) === undefined).to.equal(official)
      expect(host.model.requests.at(-1)!.messages[0]!.content!.includes('## The session behind run_code')).to.equal(!official)
      await configure(host, { officialReplPriority: false })
      expect(await run(conversation, 'return kept')).to.match(/(?:^|\n)1$/u)
    }))
  }

  for (const config of [{ enabled: false }, { officialReplPriority: true }]) {
    it(`that change in the middle of a cell end it, and nothing else: ${JSON.stringify(config)}`, () => withHost(async (host) => {
      const change: TestTool = { async call() { await configure(host, config); return 1 } }
      const conversation = await host.open({ setup: (ctx) => giveTools(ctx, { change }) })
      const events = await conversation.ask(cell('var kept = 1'), cell('var lost = 2; await tools.change({}); var never = 3'), done)
      expect(endOf(events)).to.equal('completed')
      expect(resultsIn(events)[1]).to.contain('PTC-X002').and.to.contain('the session was closed')
      await configure(host, { enabled: true })
      expect(await run(conversation, 'return [kept, typeof lost, typeof never].join()')).to.match(/PTC-R002[^]*\n1,undefined,undefined$/u)
    }))
  }

  it('that can not be read are refused, and the row keeps those that worked', () => withHost(async (host) => {
    const conversation = await host.open()
    await run(conversation, 'var kept = 1')
    await configure(host, { executionSeamTimeoutMs: 5000 })
    const refused = await configure(host, { enabled: 'perhaps' }).then(() => undefined, (error: Error) => error)
    expect(refused).to.be.an('error')
    await restored(host, { executionSeamTimeoutMs: 5000 })
    expect(await run(conversation, 'return kept')).to.equal('1')
    // What restarts the bridge later meets settings that work.
    for (const disabled of [true, null]) { await entry(host, 'ptc-plus').parent.tree.update('ptc-plus', { disabled }); await host.ctx.get('loader')!.await() }
    expect(await run(conversation, 'return kept')).to.equal('1')
  }))

  const broken = { get retainsState(): boolean { throw new Error('a broken runtime') } }
  const told = (host: Host) => (host.logged.error as string[]).splice(0)

  it('that do not work are put back to those that did', () => withRuntime(broken, async (host) => {
    const conversation = await host.open()
    await run(conversation, 'var kept = 1')
    await configure(host, { executionSeamTimeoutMs: 5000 })
    await configure(host, { officialReplPriority: true })
    await restored(host, { executionSeamTimeoutMs: 5000 })
    expect(told(host)).to.deep.equal(['these settings do not work (a broken runtime): back to the last ones that did'])
    expect(await run(conversation, 'return kept')).to.equal('1')
  }))

  it('that do not work from the start switch the bridge off', () => withRuntime(broken, async (host) => {
    await restored(host, { enabled: false, officialReplPriority: true })
    expect(told(host)).to.have.length(1)
    expect(host.bridge.enabled).to.equal(false)
    expect(await run(await host.open(), 'return 1')).to.equal('the host\'s own ran return 1')
  }, { officialReplPriority: true }))
})

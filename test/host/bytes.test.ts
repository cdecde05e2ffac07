// Byte stability: what stands before the conversation in a request (system prompt, tools, their order) is the same over the whole life
// of a session, in every process, and what was sent once stays as it was sent.
import type { Context } from '@deepseek-ai/cordis'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import { expect } from 'chai'
import type { CapabilityService } from '../../plugins/capabilities/types.ts'
import { temporaryFolder } from '../harness/sessions.ts'
import { withHost, type Conversation, type Host, type HostOptions } from './host.ts'
import { cell, say, type Model, type ModelRequest } from './model.ts'
import { giveTools } from './tool.ts'

const done = say('Done.')
/** Everything of a request that comes before the conversation, as text. */
const prefixOf = ({ messages, tools }: ModelRequest) => JSON.stringify([messages.filter(({ role }) => role === 'system'), tools])
/** More than one, registered in another order than the alphabet's. */
const setup = (ctx: Context) => giveTools(ctx, { write: { needs: ['a'], call: ({ a }) => a }, add: { needs: ['a'], call: ({ a }) => a, parallel: true }, read: { call: () => null } })
/** A plugin whose namespaces come and go with the capability plan. */
const notes = {
  name: 'notes', inject: ['capabilityPlan'],
  apply(ctx: Context) {
    const { capabilityPlan } = ctx as unknown as { capabilityPlan: CapabilityService }
    for (const name of ['notes', 'ideas']) capabilityPlan.register(name, { add: { description: `Adds to ${name}.`, replay: 'recorded-value', call: () => name } })
  },
}

async function update(host: Host, id: string, options: object): Promise<void> {
  const entry = [...host.ctx.get('loader')!.entries()].find((candidate) => candidate.options.id === id)!
  await entry.parent.tree.update(id, options)
  await host.ctx.get('loader')!.await()
}

function compact({ session }: Conversation, keep: number): void {
  const shadowed = session.surface.nodes.slice(0, -keep)
  const message = createUserMessage({ content: [{ type: 'text', text: 'Earlier, things were computed.' }], source: { kind: 'user' } })
  session.append('user/message', message, { surfaceOp: { op: 'replace', start: shadowed[0]!, end: shadowed.at(-1)! }, sourceEventSeqs: shadowed })
}

type State = (host: Host, conversation: Conversation) => unknown
const reload = (id: string): State => async (host, conversation) => {
  for (const disabled of [true, null]) await update(host, id, { disabled })
  await conversation.ask(cell('n'), done)
}

const STATES: Readonly<Record<string, State>> = {
  'in its first turn': (_host, conversation) => conversation.ask(cell('var n = await tools.add({ a: 1 })'), done),
  'after cells': (_host, conversation) => conversation.ask(cell('enum E { A }; class C {}; function f() {}'), cell('await tools.edit_run_code({ edits: [{ old_string: "A", new_string: "B" }] })'), done),
  'after failures, with a tip': (_host, conversation) => conversation.ask(cell('missing()'), cell('missing()'), cell('missing()'), cell('let {'), done),
  'after a cell that can not be replayed': (_host, conversation) => conversation.ask(cell('import "node:fs"'), done),
  'asleep': async (host, conversation) => { await host.bridge.session(conversation.session.id)!.reset(); await conversation.ask(done) },
  'recovered with a loss': (_host, conversation) => conversation.ask(cell('typeof n'), done),
  'killed': async (host, conversation) => { await host.bridge.session(conversation.session.id)!.kill(); await conversation.ask(cell('n'), done) },
  'after a cancelled turn': async (_host, conversation) => {
    const asked = conversation.ask(cell('for (;;) {}'))
    while (!conversation.session.events.at(-1)?.type.startsWith('tool/call')) await new Promise((resolve) => { setImmediate(resolve) })
    conversation.agent.cancel({ kind: 'user' })
    await asked
    await conversation.ask(done)
  },
  'compacted': async (_host, conversation) => { compact(conversation, 3); await conversation.ask(cell('typeof n'), done) },
  'after a reload of the kernel': reload('ptc-plus'),
  'after a reload of the bridge': reload('ptc-plus-bridge'),
  'after a reload of the host\'s runtime': reload('code-runtime'),
  'switched off and on again': async (host, conversation) => {
    await update(host, 'ptc-plus-bridge', { config: { enabled: false } })
    await update(host, 'ptc-plus-bridge', { config: { enabled: true } })
    await conversation.ask(cell('1'), done)
  },
  'in another agent': async (host) => { await (await host.open({ setup })).ask(cell('1'), done) },
  'in an agent that another one has started': async (host, conversation) => {
    const child = await host.open({ setup, parent: conversation.session.id })
    await child.ask(cell('1'), done)
    await child.dispose()
  },
  'in a fork': async (host, conversation) => { await (await host.open({ setup, seed: conversation.session.events, parent: conversation.session.id })).ask(cell('1'), done) },
}

describe('the bytes before the conversation', () => {
  for (const mode of ['code', 'both'] as const) {
    it(`are the same in every state of a session, and in the next process (${mode})`, async function () {
      this.timeout(60_000)
      const folder = temporaryFolder()
      const options: HostOptions = { sessions: folder.path, mode }
      let first: string | undefined
      const compare = ({ requests }: Model, state: string) => {
        for (const request of requests) expect(prefixOf(request), state).to.equal(first ??= prefixOf(request))
      }
      try {
        await withHost(async (host) => {
          await host.ctx.plugin(notes)
          const conversation = await host.open({ id: 'stable', cwd: folder.path, setup })
          for (const [state, reach] of Object.entries(STATES)) {
            await reach(host, conversation)
            compare(host.model, state)
          }
          expect(host.model.requests[0]!.tools!.map((tool) => tool.function.name)).to.deep.equal(mode === 'code' ? ['run_code'] : ['add', 'read', 'run_code', 'write'])
        }, options)
        await withHost(async (host) => {
          await host.ctx.plugin(notes)
          const conversation = await host.resume('stable', { setup })
          await conversation.ask(cell('typeof n'), done)
          compare(host.model, 'resumed')
        }, options)
      } finally {
        folder.remove()
      }
    })
  }

  it('are the host\'s own while the bridge is switched off', async () => {
    const seen: string[][] = []
    for (const bridge of [{}, null]) {
      await withHost(async (host) => {
        const conversation = await host.open({ setup })
        if (bridge !== null) {
          await conversation.ask(cell('1'), done)
          await update(host, 'ptc-plus-bridge', { config: { enabled: false } })
        }
        const from = host.model.requests.length
        await conversation.ask(cell('return 1'), done)
        seen.push(host.model.requests.slice(from).map(prefixOf))
      }, { bridge })
    }
    expect(seen[0]).to.deep.equal(seen[1])
  })

  it('and the conversation so far are what the next request begins with', () => withHost(async (host) => {
    const conversation = await host.open({ setup })
    for (const [state, reach] of Object.entries(STATES)) if (!/compacted|another|fork/u.test(state)) await reach(host, conversation)
    const { requests } = host.model
    for (const [index, { messages }] of requests.entries()) {
      if (index === 0) continue
      const before = requests[index - 1]!.messages
      expect(JSON.stringify(messages.slice(0, before.length)), `request ${index}`).to.equal(JSON.stringify(before))
    }
    expect(requests.length).to.be.above(20)
  })).timeout(60_000)
})

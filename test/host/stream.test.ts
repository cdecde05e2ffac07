// What becomes of a model's calls that are in the wrong place, broken, or without a description: real turns of the published host.
import type { Context } from '@deepseek-ai/cordis'
import { LlmError, type StreamChunk } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { defineTool } from '@deepseek-ai/dsh-tools'
import { expect } from 'chai'
import { DESCRIPTION_KEY, SUMMARY } from '../../plugins/cordis-bridge/stream/description.ts'
import { endOf, resultsIn, withHost, type Conversation, type Host } from './host.ts'
import { cell, say, type Answer, type ToolCall } from './model.ts'
import { giveTools } from './tool.ts'

const done = say('Done.')
const calls = (...made: ToolCall[]): Answer => ({ calls: made })
const add = (a: number, name = 'add'): ToolCall => ({ name, arguments: { a } })
const setup = (ctx: Context) => {
  giveTools(ctx, { add: { needs: ['a'], parallel: true, call: ({ a }) => Number(a) + 1 } })
  ctx.get('tools')!.register(defineTool({
    name: 'describe', description: 'Describes.', parameters: { description: { type: 'string', required: true } },
    output: { schema: { type: 'string' }, render: (_args, value) => [{ type: 'text', text: value }] }, execute: async ({ description }) => description,
  }))
}
/** What the model has called, as the log has it. */
const calledIn = (events: readonly SessionEvent[]) => events.flatMap((event) => event.type === 'tool/call' ? [event.data.name] : [])
const metaIn = (events: readonly SessionEvent[]) => events.flatMap((event) => event.type === 'tool/result' ? [(event.data.meta ?? {}) as Record<string, unknown>] : [])
const noticesIn = ({ model }: Host) => (model.requests.at(-1)!.messages).filter(({ role, content }) => role === 'user' && /description/u.test(JSON.stringify(content)))
const withAgent = (use: (conversation: Conversation, host: Host) => Promise<void>, bridge: Record<string, unknown> = {}, mode: 'code' | 'both' = 'code') =>
  withHost(async (host) => { await use(await host.open({ setup }), host) }, { bridge, mode })

describe('a call in the wrong place', () => {
  it('runs as the cell that it should have been, and its result is the tool\'s', () => withAgent(async (conversation, host) => {
    const events = await conversation.ask(calls(add(1)), cell('return 1'), done)
    expect(calledIn(events)).to.deep.equal(['run_code', 'run_code'])
    expect(resultsIn(events)).to.deep.equal(['2', '1'])
    const [made] = host.model.requests[1]!.messages.find(({ role }) => role === 'assistant')!.tool_calls!
    expect(JSON.parse(made!.function.arguments)).to.deep.equal({ code: '{ return await tools.add({"a":1}) }', description: 'Call the tool add' })
    expect(made!.id).to.equal('call_1_0')
  }))

  it('beside another: both run', () => withAgent(async (conversation) => {
    const events = await conversation.ask(calls(add(1), add(2, 'tools.add')), done)
    expect(calledIn(events)).to.deep.equal(['run_code', 'run_code'])
    expect(resultsIn(events)).to.deep.equal(['2', '3'])
  }))

  it('beside a cell: the names of the cell are there for it', () => withAgent(async (conversation) => {
    const made = calls({ name: 'run_code', arguments: { code: 'var x = 5', description: 'Set x' } }, add(1))
    expect(resultsIn(await conversation.ask(made, cell('return x'), done)).slice(1)).to.deep.equal(['2', '5'])
  }))

  for (const [name, bridge, made] of [
    ['of a tool that nobody has', {}, add(1, 'mystery')], ['of the editor', {}, add(1, 'edit_run_code')],
    ['where that is switched off', { canonicalizeToolCalls: false }, add(1)],
  ] as const) {
    it(`${name} is refused by the host`, () => withAgent(async (conversation) => {
      const events = await conversation.ask(calls(made), done)
      expect(calledIn(events)).to.deep.equal([made.name])
      expect(resultsIn(events)[0]).to.match(/only `run_code` is callable|unknown tool/u)
      expect(endOf(events)).to.equal('completed')
    }, bridge))
  }

  it('is the tool\'s own call where tools can be called natively as well', () => withAgent(async (conversation) => {
    const events = await conversation.ask(calls(add(1)), done)
    expect([calledIn(events), resultsIn(events)]).to.deep.equal([['add'], ['2']])
  }, {}, 'both'))

  it('is refused where the session has closed the tool', () => withAgent(async (conversation, host) => {
    const plan = (host.ctx as unknown as { get(name: 'capabilityPlan'): { configure(settings: object): void, session(id: string): { close(target: string): void } } }).get('capabilityPlan')
    plan.configure({ managementEnabled: true })
    plan.session(`dsh:${conversation.session.id}`).close('tools.add')
    expect(calledIn(await conversation.ask(calls(add(1)), done))).to.deep.equal(['add'])
  }))

  it('is recovered like any cell', () => withAgent(async (conversation, host) => {
    await conversation.ask(calls(add(1)), cell('var x = 1'), done)
    await host.bridge.session(conversation.session.id)!.reset()
    expect(resultsIn(await conversation.ask(cell('return x'), done))).to.deep.equal(['1'])
  }))
})

/** A provider that reads the arguments of calls, as later ones do: the published one leaves that to the host. */
async function* strict(source: AsyncIterable<StreamChunk>, cut: boolean, thrown: boolean): AsyncGenerator<StreamChunk> {
  const broken = new LlmError('invalid JSON in the arguments of a tool call: Unexpected token', 'MALFORMED_RESPONSE')
  let isBroken = false
  for await (const chunk of source) {
    if (chunk.type === 'block-end' && chunk.block.type === 'tool-call') {
      try { JSON.parse(chunk.block.arguments) } catch { isBroken = true }
      if (isBroken && cut) continue
    }
    if (chunk.type !== 'finish' || !isBroken) yield chunk
    else if (thrown) throw broken
    else yield { type: 'finish', reason: { kind: 'error', failure: { message: broken.message, code: broken.code } } }
  }
}

describe('a response that the provider gives up', () => {
  const withStrict = (use: (conversation: Conversation, host: Host) => Promise<void>, { cut = false, thrown = false, bridge = {} } = {}) => withAgent(async (conversation, host) => {
    await host.ctx.plugin({ name: 'strict', apply(ctx: Context) { ctx.on('llm/stream', (_options, next) => strict(next(), cut, thrown), { global: true }) } })
    await use(conversation, host)
  }, bridge)
  const broken: Answer = calls({ name: 'run_code', arguments: '{"code":"return 1","description":"Return one"}}' })

  for (const thrown of [false, true]) {
    it(`for one brace too many runs without it (${thrown ? 'thrown' : 'as its end'})`, () => withStrict(async (conversation) => {
      const events = await conversation.ask(broken, done)
      expect(resultsIn(events)).to.deep.equal(['1'])
      expect(endOf(events)).to.equal('completed')
    }, { thrown }))

    it(`in the middle of a call runs nothing, and the model gets another step (${thrown ? 'thrown' : 'as its end'})`, () => withStrict(async (conversation, host) => {
      const events = await conversation.ask(calls({ name: 'run_code', arguments: '{"code":"globalThis.ran = 1; retu' }), cell('return typeof ran'), done)
      expect(resultsIn(events)).to.have.length(2)
      expect(resultsIn(events)[0]).to.match(/^Error: /u)
      expect(resultsIn(events)[1]).to.equal('undefined')
      expect(endOf(events)).to.equal('completed')
      expect(host.model.requests).to.have.length(3)
    }, { cut: true, thrown }))
  }

  it('without a description as well runs all the same', () => withStrict(async (conversation) => {
    expect(resultsIn(await conversation.ask(calls({ name: 'run_code', arguments: '{"code":"return 1"}}' }), done))).to.deep.equal(['1'])
  }))

  it('with whole calls that can not be corrected has them refused, and runs the others', () => withStrict(async (conversation) => {
    const events = await conversation.ask(calls({ name: 'run_code', arguments: '{"code":' }, { name: 'run_code', arguments: { code: 'return 2', description: 'Two' } }), done)
    expect(resultsIn(events)[0]).to.match(/^Error: invalid arguments/u)
    expect(resultsIn(events)[1]).to.equal('2')
  }))

  it('again and again has calls of different names in the log', () => withStrict(async (conversation) => {
    const cutOff = calls({ name: 'run_code', arguments: '{"code' })
    const events = await conversation.ask(cutOff, cutOff, cell('return 3'), done)
    const ids = events.flatMap((event) => event.type === 'tool/call' ? [event.data.callId] : [])
    expect(new Set(ids).size).to.equal(3)
    expect(resultsIn(events)[2]).to.equal('3')
  }, { cut: true }))

  it('where the bridge is switched off ends the turn, as the host has it', () => withStrict(async (conversation) => {
    expect(endOf(await conversation.ask(broken))).to.equal('error')
  }, { bridge: { enabled: false } }))
})

describe('a call without a description', () => {
  const bare: Answer = calls({ name: 'run_code', arguments: { code: 'var x = 1; x' } })

  it('runs, and what stands for it is in the metadata alone', () => withAgent(async (conversation, host) => {
    const events = await conversation.ask(bare, cell('return x'), done)
    expect(resultsIn(events)).to.deep.equal(['1', '1'])
    expect(metaIn(events).map((meta) => meta[DESCRIPTION_KEY])).to.deep.equal([SUMMARY, undefined])
    const [made] = host.model.requests[1]!.messages.find(({ role }) => role === 'assistant')!.tool_calls!
    expect(JSON.parse(made!.function.arguments)).to.deep.equal({ code: 'var x = 1; x' })
    expect(noticesIn(host)).to.deep.equal([])
    await host.bridge.session(conversation.session.id)!.reset()
    expect(resultsIn(await conversation.ask(cell('return x'), done))).to.deep.equal(['1'])
  }))

  it('has the metadata also when it fails', () => withAgent(async (conversation) => {
    const events = await conversation.ask(calls({ name: 'run_code', arguments: { code: 'missing()' } }), done)
    expect(metaIn(events)[0]).to.include({ [DESCRIPTION_KEY]: SUMMARY }).and.to.have.property('dshPtcPlus')
  }))

  it('is refused by the host where that is wanted, and the model is told which description it is', () => withAgent(async (conversation, host) => {
    const events = await conversation.ask(bare, cell('return typeof x'), done)
    expect(resultsIn(events)).to.deep.equal(['Error: invalid arguments: missing required property "description"', 'undefined'])
    expect(noticesIn(host)).to.have.length(1)
    expect(JSON.stringify(noticesIn(host))).to.contain('run_code was refused before anything ran')
  }, { autoDescribeRunCode: false }))

  it('inside of a cell is another one, and the model is told so', () => withAgent(async (conversation, host) => {
    const events = await conversation.ask(cell('return await tools.describe({})'), done)
    expect(resultsIn(events)[0]).to.contain('"description"')
    expect(JSON.stringify(noticesIn(host))).to.contain('is missing in the argument of that tool')
  }))

  it('sends the same requests either way', async () => {
    const seen: string[] = []
    for (const autoDescribeRunCode of [true, false]) {
      await withAgent(async (conversation, host) => {
        await conversation.ask(done)
        seen.push(JSON.stringify([host.model.requests[0]!.messages[0], host.model.requests[0]!.tools]))
      }, { autoDescribeRunCode })
    }
    expect(seen[0]).to.equal(seen[1])
    expect(seen[0]).to.contain('"required":["code","description"]')
  })

  it('runs as its request was assembled, whatever is set in between', () => withAgent(async (conversation, host) => {
    const row = [...host.ctx.get('loader')!.entries()].find(({ options }) => options.id === 'ptc-plus-bridge')!
    await host.ctx.plugin({
      name: 'between',
      apply(ctx: Context) {
        let isFirst = true
        ctx.on('llm/stream', (_options, next) => {
          if (!isFirst) return next()
          isFirst = false
          return (async function* change() {
            await row.parent.tree.update('ptc-plus-bridge', { config: { autoDescribeRunCode: false } })
            await host.ctx.get('loader')!.await()
            yield* next()
          })()
        }, { global: true })
      },
    })
    const events = await conversation.ask(bare, bare, done)
    expect(resultsIn(events)[0]).to.equal('1')
    expect(resultsIn(events)[1]).to.contain('missing required property')
  }))

  it('leaves the host\'s definition as it was when the bundle goes', () => withAgent(async (conversation, host) => {
    const execute = () => Object.getOwnPropertyDescriptor(host.ctx.get('tools')!.get('run_code', conversation.agent), 'execute')
    const before = execute()
    await conversation.ask(bare, done)
    expect(execute()!.value).not.to.equal(before!.value)
    const row = [...host.ctx.get('loader')!.entries()].find(({ options }) => options.id === 'ptc-plus-bridge')!
    await row.parent.tree.update('ptc-plus-bridge', { config: { enabled: false } })
    await host.ctx.get('loader')!.await()
    expect(execute()).to.deep.equal(before)
  }))
})

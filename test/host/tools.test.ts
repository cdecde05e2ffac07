// Tools inside cells: through the host's own pipeline, with everything that it decides.
import { expect } from 'chai'
import { endOf, resultsIn, withHost, type Host } from './host.ts'
import { cell, say } from './model.ts'
import { giveTools, untilAborted, type TestTool } from './tool.ts'

const done = say('Done.')

const openWith = (host: Host, tools: Readonly<Record<string, TestTool>>) => host.open({ setup: (ctx) => giveTools(ctx, tools) })

describe('tools inside a cell', () => {
  it('run in parallel where they may, and the host logs every call', () => withHost(async (host) => {
    const both = Promise.withResolvers<void>()
    let running = 0
    // Neither call ends before the other has begun.
    const meet: TestTool = {
      needs: ['n'], parallel: true,
      async call({ n }) { running += 1; if (running === 2) both.resolve(); await both.promise; return n },
    }
    const conversation = await openWith(host, { meet })
    const events = await conversation.ask(cell('const got = await Promise.all([tools.meet({ n: 1 }), tools.meet({ n: 2 })]); return got'), done)
    expect(resultsIn(events)).to.deep.equal(['[\n  1,\n  2\n]'])
    const dispatched = events.flatMap((event) => event.type === 'tool/code-dispatch' ? [[event.data.subCallId, event.data.isError]] : [])
    expect(dispatched).to.deep.equal([['call_1_0:code:1', false], ['call_1_0:code:2', false]])
  }))

  it('reject with the host\'s class of errors', () => withHost(async (host) => {
    const conversation = await openWith(host, { fail: { call() { throw new Error('no such file') } } })
    const caught = await conversation.ask(cell('try { await tools.fail({}) } catch (e) { return [e instanceof ToolCallError, e.toolName, e.message] }'), done)
    expect(resultsIn(caught)).to.deep.equal(['[\n  true,\n  "fail",\n  "no such file"\n]'])
    const [thrown] = resultsIn(await conversation.ask(cell('const a = 1\nawait tools.fail({})'), done))
    expect(thrown).to.match(/^Error: code run failed \(exception\): error\[PTC-X001\]: ToolCallError: no such file\n --> current:2:13\n2 \| await tools\.fail/u)
    expect(resultsIn(await conversation.ask(cell('a'), done))).to.deep.equal(['1'])
  }))

  it('are refused by a policy as the host refuses them', () => withHost(async (host) => {
    let calls = 0
    const conversation = await openWith(host, { forbidden: { call() { calls += 1; return null } } })
    conversation.agent.ctx.on('tools/pre-execute', async (exec, next) => exec.name === 'forbidden' ? { kind: 'deny', reason: 'not today' } : await next())
    const refused = await conversation.ask(cell('return await tools.forbidden({}).catch((e) => `${e.name}: ${e.message}`)'), done)
    expect(resultsIn(refused)).to.deep.equal(['ToolCallError: not today'])
    const [asked] = resultsIn(await conversation.ask({ calls: [{ name: 'forbidden', arguments: {} }] }, done))
    expect(asked).to.contain('ToolCallError: not today')
    expect(calls).to.equal(0)
  }))

  it('answer with images, which the host shows the model after the run', () => withHost(async (host) => {
    const image = { type: 'image', attachment: { attachmentId: 'picture', mediaType: 'image/png', bytes: 1, width: 2, height: 1 } }
    const conversation = await host.open({ setup: (ctx) => {
      ctx.get('tools')!.register({
        name: 'shot', description: 'Takes a picture.', parameters: { type: 'object', properties: {}, additionalProperties: false },
        output: { schema: {}, render: () => [{ type: 'text', text: 'A picture.' }, image as never] }, isConcurrencySafe: () => false, execute: async () => 'taken',
      })
    } })
    const events = await conversation.ask(cell('return await tools.shot()'), done)
    expect(resultsIn(events)).to.deep.equal(['taken'])
    const shown = events.flatMap((event) => event.type === 'user/message' && event.data.content.some(({ type }) => type === 'image') ? [event.data] : [])
    expect(shown).to.have.length(1)
    expect(shown[0]!.content.find(({ type }) => type === 'image')).to.deep.equal(image)
    expect(events.findIndex(({ type }) => type === 'tool/result')).to.be.below(events.findIndex(({ data }) => data === shown[0]))
  }))

  it('know the agent that calls', () => withHost(async (host) => {
    const seen: unknown[] = []
    const conversation = await openWith(host, {
      who: { call(_args, exec) { seen.push(host.ctx.get('agents')!.currentInitiator()?.id, exec.agent?.id, exec.rootCallId); return null } },
    })
    await conversation.ask(cell('setTimeout(() => {}, 1); await tools.who()'), done)
    expect(seen).to.deep.equal([conversation.agent.id, conversation.agent.id, 'call_1_0'])
  }))

  it('are shown by the explorer, with the host\'s contract', () => withHost(async (host) => {
    const conversation = await openWith(host, { add: { needs: ['a', 'b'], call: ({ a, b }) => Number(a) + Number(b) } })
    const [shown] = resultsIn(await conversation.ask(cell(
      'const [contract] = (await capabilities.inspect({ symbols: ["tools.add"] })).symbols; return [contract.description, contract.parameters.required, contract.authority].join("|")',
    ), done))
    expect(shown).to.equal('The test tool add.|a,b|dsh-tool-dispatch')
  }))

  it('end with the turn that is cancelled while one runs, and the session goes on', () => withHost(async (host) => {
    const called = Promise.withResolvers<void>()
    const conversation = await openWith(host, {
      wait: { call: (_args, { signal }) => { called.resolve(); return untilAborted(signal) } },
    })
    await conversation.ask(cell('var before = 7'), done)
    const cancelled = conversation.ask(cell('var during = 8; await tools.wait({})'))
    await called.promise
    conversation.agent.cancel({ kind: 'user' })
    const events = await cancelled
    expect(endOf(events)).to.equal('aborted')
    expect(resultsIn(events)[0]).to.contain('PTC-X002')
    expect(resultsIn(await conversation.ask(cell('return [before, typeof during]'), done))[0]).to.contain('7,\n  "undefined"')
  }))

  it('do not count as cells when they run programs themselves', () => withHost(async (host) => {
    const conversation = await openWith(host, {
      script: { call: async () => await host.ctx.get('codeRuntime')!.run({ program: 'return typeof outer', bindings: [] }) },
    })
    const [answer] = resultsIn(await conversation.ask(cell('var outer = 1; return (await tools.script({})).value'), done))
    expect(answer).to.equal('undefined')
  }))
})

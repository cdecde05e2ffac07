// Edits in a host's session: which cell a cell's edit is about, that what comes of it goes the way of every call, and that the log
// has all of it.
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import type { ToolExecution } from '@deepseek-ai/dsh-tools'
import { expect } from 'chai'
import { temporaryFolder } from '../harness/sessions.ts'
import { endOf, resultsIn, withHost, type Conversation, type Host } from './host.ts'
import { cell, say } from './model.ts'
import { giveTools, untilAborted, type TestTool } from './tool.ts'

const done = say('Done.')
const editing = (old: string, next: string, after = '') => cell(`const receipt = await tools.edit_run_code({ edits: [{ old_string: ${JSON.stringify(old)}, new_string: ${JSON.stringify(next)} }] });${after} return receipt`)
const run = async (conversation: Conversation, code: string) => resultsIn(await conversation.ask(cell(code), done)).join('|')
const accepted = (target: number) => JSON.stringify({ accepted: true, scheduled: true, target_call_seq: target }, null, 2)

/** The `seq` of the calls of `run_code` in the log. */
const callsIn = ({ session }: Conversation) => session.events.filter(({ type }) => type === 'tool/call').map(({ seq }) => seq)
const nestedIn = ({ session }: Conversation) => session.events.flatMap((event) => event.type === 'tool/code-dispatch-start' ? [[event.seq, event.data.subCallId, event.data.arguments]] : [])
const metaOf = ({ session }: Conversation) => {
  const last = session.events.findLast((event) => event.type === 'tool/result')
  return (last?.type === 'tool/result' ? last.data.meta : undefined) as Record<string, Record<string, unknown>> | undefined
}

async function inTurn(...uses: ((host: Host, cwd: string) => Promise<void>)[]): Promise<void> {
  const folder = temporaryFolder()
  try {
    for (const use of uses) await withHost((host) => use(host, folder.path), { sessions: folder.path })
  } finally {
    folder.remove()
  }
}

describe('an edit in a host', () => {
  it('runs the cell as edited after the one that edits, in the session and in the log', () => withHost(async (host) => {
    const conversation = await host.open()
    const [, shown] = resultsIn(await conversation.ask(cell('var n = 1; var runs = (globalThis.runs ?? 0) + 1; return n'), editing('n = 1', 'n = 20', ' n += 100;'), done))
    const [target, root] = callsIn(conversation) as [number, number]
    expect(shown).to.equal(`edit_run_code: run_code call ${target} is edited and runs after this cell\n${accepted(target)}\n\nrun_code call ${target}, as edited:\n20`)
    expect(await run(conversation, 'return [n, runs].join()')).to.equal('20,2')
    const [[nested, id, args]] = nestedIn(conversation) as [[number, string, object]]
    expect([id, args]).to.deep.equal(['call_2_0:derived', { code: 'var n = 20; var runs = (globalThis.runs ?? 0) + 1; return n', description: `Edit of run_code call ${target}` }])
    const meta = conversation.session.events.flatMap((event) => event.type === 'tool/result' ? [event.data.meta as Record<string, Record<string, unknown>>] : [])[1]!
    expect(meta.dshPtcPlusEdit).to.deep.equal({ targetCallSeq: target })
    expect(meta.dshPtcPlusDerivedRun).to.deep.equal(args)
    expect(meta.dshPtcPlusDerivedCell).to.deep.include({ startSeq: root, executionStartSeq: nested })
    expect(meta.dshPtcPlusDerivedCell!.record).to.deep.include({ status: 'durable' })
  }))

  it('can be edited in turn, as itself', () => withHost(async (host) => {
    const conversation = await host.open()
    const results = resultsIn(await conversation.ask(cell('return "one"'), editing('one', 'two'), editing('two', 'three'), done))
    expect(results[2]).to.match(/\nthree$/u)
    const [[first], [second]] = nestedIn(conversation) as [[number], [number]]
    expect(second).to.be.above(first)
    expect(metaOf(conversation)!.dshPtcPlusEdit).to.deep.equal({ targetCallSeq: first })
  }))

  it('is about what has settled last in this turn, failures and refusals of the compiler included', () => withHost(async (host) => {
    const conversation = await host.open()
    const results = resultsIn(await conversation.ask(
      editing('a', 'b'), cell('missing()'), editing('missing()', 'return 7'), cell('let {'), editing('let {', 'return 8'), done,
    ))
    expect(results[0]).to.contain('there is no cell to edit: none has settled in this turn')
    expect([results[2], results[4]].map((text) => text!.split('\n').at(-1))).to.deep.equal(['7', '8'])
    expect(resultsIn(await conversation.ask(editing('8', '9'), done))[0]).to.contain('there is no cell to edit')
  }))

  it('of a wrong guard is refused with the name of the cell, and nothing runs', () => withHost(async (host) => {
    const conversation = await host.open()
    const [, refused] = resultsIn(await conversation.ask(
      cell('return "one"'), cell('return await tools.edit_run_code({ edits: [{ old_string: "one", new_string: "two" }], expected_target_call_seq: 999 })'), done,
    ))
    expect(JSON.parse(refused!).reason).to.contain(`run_code call ${callsIn(conversation)[0]} ("return \\"one\\""): the edit expects run_code call 999`)
    expect(nestedIn(conversation)).to.deep.equal([])
  }))

  it('repairs a cell with what its diagnostic offers', () => withHost(async (host) => {
    const conversation = await host.open()
    const [rejected] = resultsIn(await conversation.ask(cell('if (true) { globalThis.seen = 1'), done))
    expect(rejected).to.contain('tools.edit_run_code(').and.to.contain(`expected_target_call_seq: ${callsIn(conversation)[0]}`)
  }))

  it('whose run a policy refuses keeps the cell that edited, which says so', () => withHost(async (host) => {
    const conversation = await host.open()
    const asked: string[] = []
    conversation.agent.ctx.on('tools/pre-execute', async (exec: Readonly<ToolExecution>, next) => {
      if (exec.name === 'run_code') asked.push(`${exec.callId}, ${exec.parent === undefined ? 'direct' : `of ${exec.rootCallId}`}`)
      return exec.callId.endsWith(':derived') ? { kind: 'deny', reason: 'not today' } : await next()
    })
    const [, shown] = resultsIn(await conversation.ask(cell('var n = 1; return n'), editing('n = 1', 'n = 20', ' var kept = 5;'), done))
    expect(shown).to.match(/as edited:\nError: not today$/u)
    expect(asked).to.deep.equal(['call_1_0, direct', 'call_2_0, direct', 'call_2_0:derived, of call_2_0'])
    expect(metaOf(conversation)).not.to.have.any.keys('dshPtcPlusEdit', 'dshPtcPlusDerivedCell')
    await host.bridge.session(conversation.session.id)!.reset()
    expect(await run(conversation, 'return [n, kept].join()')).to.equal('1,5')
  }))

  it('calls tools in its run like any cell: in the log, for the agent', () => withHost(async (host) => {
    const seen: unknown[] = []
    const who: TestTool = { call(_args, exec) { seen.push([host.ctx.get('agents')!.currentInitiator()?.id, exec.callId, exec.rootCallId]); return seen.length } }
    const conversation = await host.open({ setup: (ctx) => giveTools(ctx, { who }) })
    const results = resultsIn(await conversation.ask(cell('return await tools.who({})'), editing('return', 'return 10 * '), done))
    expect(results[1]).to.match(/\n20$/u)
    expect(seen).to.deep.equal([[conversation.agent.id, 'call_1_0:code:1', 'call_1_0'], [conversation.agent.id, 'call_2_0:derived:code:1', 'call_2_0']])
    expect(nestedIn(conversation).map(([, id]) => id)).to.deep.equal(['call_1_0:code:1', 'call_2_0:derived', 'call_2_0:derived:code:1'])
  }))

  it('is in the session that the next process rebuilds, and its cells can be edited there', () => {
    let calls = 0
    const setup = (ctx: Parameters<typeof giveTools>[0]) => giveTools(ctx, { count: { call() { calls += 1; return calls } } })
    return inTurn(async (host, cwd) => {
      const conversation = await host.open({ id: 'edited', cwd, setup })
      await conversation.ask(cell('var n = await tools.count({})'), editing('await', '10 * await'), done)
      expect(await run(conversation, 'n += 1; return n')).to.equal('21')
    }, async (host) => {
      const conversation = await host.resume('edited', { setup })
      const results = resultsIn(await conversation.ask(cell('return n'), editing('return n', 'return 2 * n'), done))
      expect(results[0]).to.equal('21')
      expect(results[1]).to.match(/\n42$/u)
      expect(calls).to.equal(2)
    }, async (host) => {
      const conversation = await host.resume('edited', { setup })
      const seed = conversation.session.events
      expect(await run(conversation, 'return n')).to.equal('21')
      const fork = await host.open({ seed, parent: 'edited', setup })
      expect(await run(fork, 'return n')).to.equal('21')
      expect(calls).to.equal(2)
    })
  })

  it('goes with the call that edited when that is compacted away', () => withHost(async (host) => {
    const conversation = await host.open()
    await conversation.ask(cell('var n = 1'), done)
    const hidden = await conversation.ask(cell('var m = 1'), editing('m = 1', 'm = 2'), done)
    expect(await run(conversation, 'return [n, m].join()')).to.equal('1,2')
    const seqs = new Set(hidden.map(({ seq }) => seq))
    const shadowed = conversation.session.surface.nodes.filter((seq) => seqs.has(seq))
    const message = createUserMessage({ content: [{ type: 'text', text: 'Something was edited.' }], source: { kind: 'user' } })
    conversation.session.append('user/message', message, { surfaceOp: { op: 'replace', start: shadowed[0]!, end: shadowed.at(-1)! }, sourceEventSeqs: shadowed })
    expect(await run(conversation, 'return [n, typeof m].join()')).to.match(/PTC-R002[^]*\n1,undefined$/u)
  }))

  it('whose run is cancelled leaves the cell that edited, and the session goes on', () => withHost(async (host) => {
    const called = Promise.withResolvers<void>()
    let isFirst = true
    const conversation = await host.open({
      setup: (ctx) => giveTools(ctx, { wait: { call: (_args, { signal }) => { if (isFirst) { isFirst = false; return 1 } called.resolve(); return untilAborted(signal) } } }),
    })
    const asked = conversation.ask(cell('var n = await tools.wait({})'), editing('n =', 'n = 5 *', ' var kept = 7;'))
    await called.promise
    conversation.agent.cancel({ kind: 'user' })
    const events = await asked
    expect(endOf(events)).to.equal('aborted')
    expect(resultsIn(events)[1]).to.contain('as edited:').and.to.contain('PTC-X002')
    const meta = metaOf(conversation)!
    expect([meta.dshPtcPlus!.status, (meta.dshPtcPlusDerivedCell!.record as Record<string, unknown>).status]).to.deep.equal(['durable', 'discarded'])
    expect(await run(conversation, 'return [n, kept].join()')).to.match(/(?:^|\n)1,7$/u)
  }))

  it('forwards what its run leaves for the model after the result', () => withHost(async (host) => {
    const tell: TestTool = {
      needs: ['n'],
      call({ n }, exec) { exec.deferContext(createUserMessage({ content: [{ type: 'text', text: `told ${String(n)}` }], source: { kind: 'plugin', plugin: 'test' } })); return null },
    }
    const conversation = await host.open({ setup: (ctx) => giveTools(ctx, { tell }) })
    await conversation.ask(cell('await tools.tell({ n: 0 })'), editing('0', '1'), done)
    expect(host.model.requests.map(({ messages }) => messages.at(-1)!.content)).to.deep.equal(['Go on.', 'told 0', 'told 1'])
  }))

  for (const [after, requests] of [['', 2], [' throw new Error("late");', 3]] as const) {
    it(`ends the turn when its run does and the cell that edited ${after === '' ? 'succeeded' : 'did not: then not'}`, () => withHost(async (host) => {
      const finish: TestTool = { needs: ['n'], call({ n }, exec) { if (n === 1) exec.concludeTurn(); return null } }
      const conversation = await host.open({ setup: (ctx) => giveTools(ctx, { finish }) })
      const events = await conversation.ask(cell('await tools.finish({ n: 0 })'), editing('0', '1', after), ...requests === 3 ? [done] : [])
      expect([endOf(events), host.model.requests.length]).to.deep.equal(['completed', requests])
    }))
  }

  const gone = { drops: () => undefined, changes: (meta: Record<string, object>) => ({ ...meta, dshPtcPlus: { ...meta.dshPtcPlus, cwd: '/elsewhere' } }) }
  for (const [what, change] of Object.entries(gone)) {
    it(`does not count, nor does the cell that made it, when something ${what} their records`, () => withHost(async (host) => {
      const conversation = await host.open()
      await conversation.ask(cell('var n = 1'), done)
      const stop = conversation.agent.ctx.on('tools/execute', async (exec, next) => {
        const { meta, ...rest } = await next()
        const changed = exec.parent === undefined ? change(meta as Record<string, object>) : meta
        return { ...rest, ...changed === undefined ? {} : { meta: changed } } as typeof rest
      }, { prepend: true })
      const events = await conversation.ask(cell('var m = 1'), editing('m = 1', 'm = 2', ' var by = 1; throw new Error("late");'), done)
      expect(resultsIn(events)[1]).to.contain('Error: late').and.to.contain('as edited:')
      stop()
      expect(await run(conversation, 'return [n, typeof m, typeof by].join()')).to.match(/PTC-R002[^]*\n1,number,undefined$/u)
      await host.bridge.session(conversation.session.id)!.reset()
      expect(await run(conversation, 'return [n, typeof m, typeof by].join()')).to.match(/\n?1,\w+,undefined$/u)
    }))
  }
})

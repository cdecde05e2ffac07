// `tools.edit_run_code` in the cells of a session (contract 3.6, 6.4, 6.5): which cell it is about, what it answers, what runs then.
import { expect } from 'chai'
import type { CellResult, EditOwner, ReplSession } from '../../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../../harness/graph.ts'
import { answerOf, temporaryFolder } from '../../../harness/sessions.ts'

const edit = (old: string, text: string, more = '') => `return await tools.edit_run_code({ edits: [{ old_string: ${JSON.stringify(old)}, new_string: ${JSON.stringify(text)} }]${more} })`
const rejection = (result: CellResult) => {
  expect(result.derived).to.equal(undefined)
  expect(result.value).to.include({ accepted: false, scheduled: false })
  return (result.value as { reason: string }).reason
}

describe('tools.edit_run_code', () => {
  let home: ReturnType<typeof temporaryFolder>
  let graph: Graph
  let session: ReplSession
  const start = async () => {
    graph = await boot({ dir: home.path, kernel: { spareHelper: true } })
    session = await graph.kernel.open('edits')
  }
  beforeEach(async () => { home = temporaryFolder(); await start() })
  afterEach(async () => { await graph.dispose(); home.remove() })
  const value = async (source: string) => answerOf(await session.run(source))
  const opened = async () => {
    const cells: object[] = []
    for await (const entry of graph.ctx.ptcJournal.read('edits')) {
      if (entry.kind === 'cell-opened') cells.push({ seq: entry.seq, source: entry.source, ...entry.derived === undefined ? {} : { derived: entry.derived } })
    }
    return cells as { seq: number, source: string, derived?: object }[]
  }

  it('6.5 answers a receipt, and runs the edited cell as a further cell', async () => {
    await session.run('let a = 1\na + 1')
    const result = await session.run(edit('a = 1', 'a = 20'))
    const [first, editor, derived] = await opened()
    expect(result.value).to.deep.equal({ accepted: true, scheduled: true, target_call_seq: first!.seq })
    expect(result.derived).to.include({ target: first!.seq, source: 'let a = 20\na + 1' })
    expect(answerOf(result.derived!.result)).to.deep.equal({ value: 21 })
    expect([result.status, result.derived!.result.status]).to.deep.equal(['durable', 'durable'])
    expect(derived).to.deep.include({ source: 'let a = 20\na + 1', derived: { of: first!.seq, by: editor!.seq } })
    expect(result.output).to.equal(`edit_run_code: run_code call ${first!.seq} is edited and runs after this cell`)
    expect(await value('a')).to.deep.equal({ value: 20 })
  })

  it('6.1 edits by regular expression as well', async () => {
    await session.run("'1px 2px'")
    const { derived } = await session.run("await tools.edit_run_code({ regex_edits: [{ pattern: '(\\\\d)px', flags: 'g', replacement: '$1em', expected_matches: 2 }] })")
    expect(answerOf(derived!.result)).to.deep.equal({ value: '1em 2em' })
  })

  it('6.4 says what is wrong, in order, and names the cell', async () => {
    expect(rejection(await session.run(edit('a', 'b')))).to.match(/^there is no cell to edit/)
    await session.run('// first\nlet n = 1')
    let seq = (await opened()).at(-1)!.seq
    const edits = "edits: [{ old_string: 'n = 1', new_string: 'n = 2' }]"
    for (const [args, reason] of [
      ['null', /argument is not an object/], ['[]', /argument is not an object/], ['{ edits: 1, extra: 1 }', /unknown field "extra"/],
      ['{}', /exactly one of edits and regex_edits/], [`{ ${edits}, regex_edits: [] }`, /exactly one of/], ['{ edits: 1 }', /edits is not an array/],
      ['{ edits: [] }', /1 to 16/], ["{ regex_edits: Array(17).fill({}) }", /1 to 16/], [`{ ${edits}, expected_target_call_seq: -1 }`, /not a non-negative integer/],
      ['{ edits: [1] }', /edits\[0\] is not an object/], ["{ edits: [{ old_string: 'a' }] }", /new_string is not a text/],
      ["{ edits: [{ old_string: '', new_string: '' }] }", /old_string is empty/], ["{ edits: [{ old_string: 'a', new_string: 'a' }] }", /changes nothing/],
      ["{ edits: [{ old_string: 'a', new_string: 'b', all: true }] }", /unknown field "all"/],
      ["{ regex_edits: [{ pattern: '', flags: '', replacement: '', expected_matches: 1 }] }", /pattern is empty/],
      ["{ regex_edits: [{ pattern: 'a', flags: 'gg', replacement: '', expected_matches: 1 }] }", /flags are not/],
      ["{ regex_edits: [{ pattern: 'a', flags: 'y', replacement: '', expected_matches: 1 }] }", /flags are not/],
      ["{ regex_edits: [{ pattern: 'a', flags: '', replacement: '', expected_matches: 0 }] }", /expected_matches is not/],
      [`{ ${edits.replace('n = 1', 'zz')}, expected_target_call_seq: 99999 }`, /old_string "zz" does not occur/],
      [`{ ${edits}, expected_target_call_seq: 99999 }`, /expects run_code call 99999, but only the most recently settled cell can be edited; send the whole cell with run_code/],
    ] as const) {
      const reason_ = rejection(await session.run(`// first\nlet n = 1; await tools.edit_run_code(${args})`))
      expect(reason_, args).to.match(reason).and.satisfy((text: string) => text.startsWith(`run_code call ${seq} ("// first"): `))
      seq = (await opened()).at(-1)!.seq
    }
  })

  it('3.6 a claimed cell can not be edited again; the first edit runs', async () => {
    await session.run('let a = 1')
    const { value: receipts, derived } = await session.run("await Promise.all([2, 3].map((n) => tools.edit_run_code({ edits: [{ old_string: '1', new_string: `${n}` }] })))")
    expect((receipts as { accepted: boolean }[]).map(({ accepted }) => accepted)).to.deep.equal([true, false])
    expect(derived!.source).to.equal('let a = 2')
  })

  it('3.6 whatever became of a cell, it is editable; a derived cell is the next target', async () => {
    for (const [source, old, text, answer] of [
      ['let x = (', '(', '7; x', { value: 7 }], ['throw new Error("no")', 'throw new Error("no")', '8', { value: 8 }],
      ['process.pid; 1', 'process.pid; 1', '9', { value: 9 }], ['for (;;) {}', 'for (;;) {}', '10', { value: 10 }],
    ] as const) {
      await session.run(source, { limits: { maxWallMs: 3_000 } })
      expect(answerOf((await session.run(edit(old, text))).derived!.result), source).to.deep.equal(answer)
      expect(session.editTarget!.source, source).to.equal(source.replace(old, text))
    }
  }).timeout(60_000)

  it('6.5 an edited cell that can not be parsed is not a target', async () => {
    await session.run('let a = 1')
    const broken = await session.run(edit('= 1', '= ('))
    expect(broken.derived!.result.diagnostics.map(({ code }) => code)).to.deep.equal(['PTC-C001'])
    expect(session.editTarget!.source).to.equal(edit('= 1', '= ('))
  })

  it('6.5 runs after a cell that throws, and not after one that was discarded', async () => {
    await session.run('let a = 1')
    const thrown = await session.run(`await (async () => { ${edit('1', '2')} })(); throw new RangeError('later')`)
    expect([answerOf(thrown), thrown.derived!.result.status, await value('a')]).to.deep.equal([{ error: 'RangeError' }, 'durable', { value: 2 }])
    const late = await session.run(`await (async () => { ${edit('a', 'globalThis.late = 1')} })(); for (;;) {}`, { limits: { maxWallMs: 3_000 } })
    expect([late.status, late.derived]).to.deep.equal(['discarded', undefined])
    expect(await value('typeof late')).to.deep.equal({ value: 'undefined' })
  }).timeout(60_000)

  it('6.6 an end that is repaired in one way only is offered with the cell it belongs to', async () => {
    const { diagnostics } = await session.run('if (true) {\n  6 * 7\u2028\u2029')
    const repair = diagnostics[0]!.help!.at(-1)!
    expect(repair).to.equal(`await tools.edit_run_code({ edits: [{ old_string: "\\u2029", new_string: "\\u2029}" }], expected_target_call_seq: ${(await opened())[0]!.seq} })`)
    expect(answerOf((await session.run(repair)).derived!.result)).to.deep.equal({ value: 42 })
    await session.run('1')
    expect(rejection(await session.run(repair)), 'later').to.match(/does not occur/)
  })

  it('6.6 elsewhere the help fits the length, and an edited cell is given none of it', async () => {
    const helpOf = (result: CellResult) => result.diagnostics[0]!.help!.join()
    expect(helpOf(await session.run('let x y'))).to.equal('Send the whole cell again, corrected.')
    expect(helpOf(await session.run(`let x y ${'//'.padEnd(2_000)}`))).to.match(/tools\.edit_run_code/)
    await session.run('if (true) { 1 }')
    expect(helpOf((await session.run(edit(' }', ''))).derived!.result)).to.equal('Send the whole cell again, corrected.')
    const owner: EditOwner = { capture: () => ({ none: 'none' }), claim: () => false, callOf: (cell) => cell + 1_000 }
    expect(helpOf(await session.run('f(', { edits: owner }))).to.include(`expected_target_call_seq: ${(await opened()).at(-1)!.seq + 1_000}`)
  })

  it('what an edit makes can not edit', async () => {
    await session.run(`typeof 1; ${edit('typeof', 'void')}`)
    const { derived } = await session.run(edit('typeof 1', 'typeof 2'))
    expect(rejection(derived!.result)).to.match(/^a cell that an edit has made can not edit/)
  })

  it('R1 a replay answers the recorded receipt; the derived cell is replayed as the cell that it is', async () => {
    const added: unknown[] = []
    graph.ctx.capabilityPlan.register('notes', { add: { replay: 'recorded-value', call: (args) => added.push(args) } })
    await session.run('let n = await notes.add(1)')
    await session.run(`const receipt = await (async () => { ${edit('add(1)', 'add(2)')} })()`)
    await graph.dispose()
    await start()
    expect(session.editTarget!.source).to.equal('let n = await notes.add(2)')
    expect(await value('[n, receipt.accepted]')).to.deep.equal({ value: [2, true] })
    expect(added).to.deep.equal([1, 2])
    expect(await opened()).to.have.length(4)
  })

  it('a pattern that never ends is refused, and the session goes on', async () => {
    await session.run(`'${'a'.repeat(60)}!'`)
    expect(rejection(await session.run("await tools.edit_run_code({ regex_edits: [{ pattern: '(a+)+$', flags: '', replacement: 'b', expected_matches: 1 }] })"))).to.match(/more than 100 ms/)
    expect(await value('1 + 1')).to.deep.equal({ value: 2 })
  })

  it('is no member of a nested run', async () => {
    expect(await value("(await code.run({ code: 'return typeof tools', description: 'd' })).result")).to.deep.equal({ value: 'undefined' })
  })

  it('another owner of edits is asked instead, and runs what comes of one itself', async () => {
    const claimed: unknown[] = []
    const edits: EditOwner = { capture: () => ({ callSeq: 12, source: 'old' }), claim: (...claim) => { claimed.push(claim); return claimed.length === 1 }, callOf: () => undefined }
    const result = await session.run(edit('old', 'new', ', expected_target_call_seq: 12'), { edits })
    expect([result.value, result.derived]).to.deep.equal([{ accepted: true, scheduled: true, target_call_seq: 12 }, undefined])
    expect(claimed).to.deep.equal([[{ callSeq: 12, source: 'old' }, 'new']])
    expect(rejection(await session.run(edit('old', 'new'), { edits }))).to.equal('run_code call 12 ("old"): another edit of it is waiting to run')
  })

  describe('by a person', () => {
    const request = (old: string, text: string) => ({ edits: [{ old_string: old, new_string: text }] })

    it('runs at once, without a cell that edits', async () => {
      await session.run('let a = 1; a')
      const { receipt, derived } = await session.edit(request('1;', '2;'))
      expect([receipt.accepted, answerOf(derived!.result)]).to.deep.equal([true, { value: 2 }])
      expect((await opened()).at(-1)!.derived).to.deep.equal({ of: derived!.target })
    })

    it('brings a cold session back first, and says what is wrong', async () => {
      await session.run('let a = 1; a')
      await session.reset()
      expect((await session.edit(request('7', '8'))).receipt).to.have.property('reason').that.matches(/does not occur/)
      expect(answerOf((await session.edit({ regex_edits: [{ pattern: '\\d', flags: '', replacement: '5', expected_matches: 1 }] })).derived!.result)).to.deep.equal({ value: 5 })
    })
  })
})

describe('the namespace tools', () => {
  let graph: Graph
  let session: ReplSession
  beforeEach(async () => { graph = await boot(); session = await graph.kernel.open('tools') })
  afterEach(() => graph.dispose())
  const value = async (source: string) => answerOf(await session.run(source))
  const member = (answer: unknown) => ({ replay: 'recorded-value', call: () => answer } as const)

  it('without an owner is soft: a session may have a name of its own there, also across recovery', async () => {
    expect(await value('Object.keys(tools)')).to.deep.equal({ value: ['edit_run_code'] })
    expect(await value('const tools = 5; tools')).to.deep.equal({ value: 5 })
    await session.kill()
    expect(await value('tools')).to.deep.equal({ value: 5 })
  })

  it('R3 a name from before an owner came is replayed as it was', async () => {
    await session.run('const tools = { mine: 1 }; const kept = tools.mine')
    const withdraw = graph.ctx.capabilityPlan.register('tools', { zero: member(0) })
    expect(await value('[typeof tools.mine, await tools.zero(), kept]')).to.deep.equal({ value: ['undefined', 0, 1] })
    await session.kill()
    expect(await value('[typeof tools, kept]')).to.deep.equal({ value: ['object', 1] })
    withdraw()
    await session.kill()
    const result = await session.run('[tools.mine, kept]')
    expect([answerOf(result), result.diagnostics]).to.deep.equal([{ value: [1, 1] }, []])
  })

  it('with an owner has the member in addition, in the explorer and in the declaration as well', async () => {
    const { capabilityPlan } = graph.ctx
    expect(capabilityPlan.declaration()).to.match(/declare const tools: \{[^}]*\bedit_run_code\(/u)
    const withdraw = capabilityPlan.register('tools', { zero: member(0) })
    expect(await value("(await capabilities.inspect({ symbols: ['tools.zero', 'tools.edit_run_code'] })).symbols.map(({ name }) => name)"))
      .to.deep.equal({ value: ['zero', 'edit_run_code'] })
    expect(capabilityPlan.declaration().match(/declare const tools\b/gu)).to.have.length(1)
    withdraw()
    expect(capabilityPlan.tree().find(({ namespace }) => namespace === 'tools')).to.deep.equal({ namespace: 'tools', members: ['edit_run_code'] })
  })

  it('an owner may bring a member of that name, which is then dispatched', async () => {
    graph.ctx.capabilityPlan.register('tools', { edit_run_code: member('of the host') })
    expect(await value('await tools.edit_run_code({})')).to.deep.equal({ value: 'of the host' })
  })

  it('4.2 is a channel: no rule and no closure takes it away', async () => {
    const { capabilityPlan } = graph.ctx
    capabilityPlan.configure({ managementEnabled: true, budgetBytes: 1, policy: {
      schema: 'ptc-capability-policy/v1', default: { availability: 'disabled', disclosure: 'search' }, namespaces: {}, servers: {}, members: {}, allocation: { baseline: true, budget: true, statistics: false },
    } })
    capabilityPlan.session('tools').close('tools')
    expect(await value('typeof tools.edit_run_code')).to.deep.equal({ value: 'function' })
    expect(capabilityPlan.declaration('tools')).to.match(/\bedit_run_code\(/u)
  })
})

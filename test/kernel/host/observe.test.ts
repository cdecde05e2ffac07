// What an onlooker sees of a session's values, and that looking changes nothing (contract 11; V3).
import { expect } from 'chai'
import type { ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { answerOf } from '../../harness/sessions.ts'

const UNREADABLE = ['unreadable', '', false]

/** `[expression, status, text, truncated]`; no text: unreadable. */
const values: readonly (readonly [expression: string, text?: string, truncated?: boolean])[] = [
  ['"a\\nb"', '"a\\nb"'], ["'x'.repeat(513)", `"${'x'.repeat(511)}`, true], ['1.5', '1.5'], ['-0', '-0'], ['NaN', 'NaN'], ['true', 'true'], ['null', 'null'], ['undefined', 'undefined'],
  ['123n', '123n'], ['-(10n ** 127n)', `-1${'0'.repeat(127)}n`], ['10n ** 128n'], ['10n ** 100000n'],
  ['[]', '[]'], ['[1, "a", null, , true]', '[1, "a", null, <empty>, true]'], ['[1, 2, 3, 4, 5, 6]', '[1, 2, 3, 4, 5, … 6 in all]', true],
  ['[[1], {}, () => 1]', '[…, …, …]'], ['new Array(4294967295)', '[<empty>, <empty>, <empty>, <empty>, <empty>, … 4294967295 in all]', true],
  ['Object.defineProperty([1, 2], 1, { get() { ran += 1; return 2 } })', '[1, …]'],
  ['{ a: 1 }'], ['() => 1'], ['Symbol("s")'], ['new Uint8Array(3)'], ['new Date(0)'], ['new Map()'],
  ['new Proxy([1], { get() { ran += 1 }, getOwnPropertyDescriptor() { ran += 1 } })'], ['{ toString() { ran += 1; return "x" }, toJSON() { ran += 1 } }'],
]

describe('observing a session', () => {
  let graph: Graph
  let session: ReplSession
  before(async () => { graph = await boot(); session = await graph.kernel.open('watched') })
  after(() => graph.dispose())

  it('that is cold starts no worker', async () => {
    expect([await session.observe(), await session.observe(['a']), session.state])
      .to.deep.equal([[], [{ name: 'a', status: 'unreadable', text: '', truncated: false }], 'cold'])
  })

  it('V3 shows primitives and the front of arrays, and runs nothing', async () => {
    await session.run(`let ran = 0; ${values.map(([expression], i) => `let v${i} = ${expression}`).join('; ')}`)
    const seen = await session.observe(values.map((_, i) => `v${i}`))
    for (const [i, [expression, text, truncated = false]] of values.entries()) {
      const { status, text: shown, truncated: cut } = seen[i]!
      expect([status, shown, cut], expression).to.deep.equal(text === undefined ? UNREADABLE : ['readable', text, truncated])
    }
    await session.run("Array.isArray = JSON.stringify = () => { ran += 1 }; Object.defineProperty(globalThis, 'v0', { get() { ran += 1 } })")
    const [accessor, foreign, hidden] = await session.observe(['v0', 'process', 'never'])
    expect([accessor, foreign, hidden].map((entry) => entry?.status)).to.deep.equal(['unreadable', 'unreadable', 'unreadable'])
    expect(answerOf(await session.run('ran'))).to.deep.equal({ value: 0 })
  })

  it('shows the newest 128 names when none are named, and 128 of those that are', async () => {
    await session.run(Array.from({ length: 140 }, (_, i) => `let n${i} = ${i}`).join('; '))
    const seen = await session.observe()
    expect([seen.length, seen[0]?.name, seen[0]?.text]).to.deep.equal([128, 'n139', '139'])
    expect(await session.observe(Array.from({ length: 200 }, (_, i) => `n${i % 140}`))).to.have.length(128)
  })

  it('does not wait for a cell that blocks, and does not touch the record of one that runs', async () => {
    let started = () => {}
    const hasStarted = new Promise<void>((resolve) => { started = resolve })
    const running = session.run("console.log('in'); await new Promise((r) => setTimeout(r, 20)); const at = Date.now(); while (Date.now() < at + 2000); 1", { onOutput: started })
    await hasStarted
    await new Promise((resolve) => { setTimeout(resolve, 200) })
    const [blocked] = await session.observe(['n1'])
    expect(blocked?.status).to.equal('unreadable')
    expect((await running).status).to.equal('durable')
    const waiting = session.run('await new Promise((r) => setTimeout(r, 300)); n1')
    while ((await session.observe(['n1']))[0]?.text !== '1');
    const { record, status } = await waiting
    expect([status, record.ambient]).to.deep.equal(['durable', []])
  })

  it('takes names only', async () => {
    for (const names of ['a', [1], {}]) {
      const code = await session.observe(names as never).then(() => 'taken', (error: { code: string }) => error.code)
      expect(code).to.equal('bad-names')
    }
  })
})

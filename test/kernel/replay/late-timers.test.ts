// Would catch: a timer that outlives its cell and costs the session its recovery, or comes back at another place. What timers
// do between two cells is the early part of the second; what they do in a later cell belongs to that cell (R2).
import { expect } from 'chai'
import type { CellRecord } from '../../../plugins/journal/types.ts'
import type { ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { answerOf } from '../../harness/sessions.ts'

/** Resolves when a late callback has set the mark. Looking is no cell. */
async function untilNamed(session: ReplSession, name: string): Promise<void> {
  for (let asked = 0; asked < 5_000; asked += 1) {
    if ((await session.complete('marks')).some((known) => known.name === name)) return
    await new Promise((resolve) => { setTimeout(resolve, 1) })
  }
  throw new Error(`${name} never came`)
}

interface Row {
  readonly title: string
  /** A cell, or `{ until: name }`: the next cell is submitted when `marks` has it. */
  readonly steps: readonly (string | { readonly until: string })[]
  readonly probe: string
  readonly value: unknown
}

const rows: readonly Row[] = [
  {
    title: 'a timer that nobody clears, behind a race',
    steps: ["const first = await Promise.race([1, new Promise((_, no) => setTimeout(() => { marks.fired = true; no(new Error('slow')) }, 5))])", { until: 'fired' }, 'const second = first + 1'],
    probe: '[first, second, marks.fired]', value: [1, 2, true],
  },
  {
    title: 'a callback that goes on after awaits, reads the clock and starts another timer',
    steps: [
      'const seen = []; setTimeout(async () => { seen.push(Date.now()); await null; seen.push(Math.random()); setTimeout(() => { seen.push(crypto.randomUUID()); marks.fired = true }) })',
      { until: 'fired' }, '0',
    ],
    probe: 'seen', value: undefined,
  },
  {
    title: 'an interval over several cells',
    steps: ['let n = 0; const beat = setInterval(() => { n += 1; if (n === 3) marks.three = 1; if (n === 7) marks.seven = 1 }, 1)', { until: 'three' }, 'const a = n', { until: 'seven' }, 'const b = n; clearInterval(beat)'],
    probe: '[a >= 3, b >= 7, n === b, n]', value: undefined,
  },
  {
    title: 'a timer of an earlier cell that fires in a later one, between answers',
    steps: [
      'let word = ""; let begun = false; let open; const opened = new Promise((r) => { open = r }); const beat = setInterval(() => { if (begun) { clearInterval(beat); word += "t"; open() } }, 1)',
      "import { format } from 'node:util'\nbegun = true; word += format('a'); await opened; word += 'b'",
    ],
    probe: 'word', value: 'atb',
  },
  {
    title: 'an immediate and a microtask that nobody awaits',
    steps: ['let order = ""; setImmediate(() => { order += "i"; marks.fired = 1 }); void (async () => { for (let i = 0; i < 20; i += 1) { await null; order += Date.now() > 0 ? "m" : "" } })()', { until: 'fired' }, 'const end = order'],
    probe: '[order, end]', value: [`${'m'.repeat(20)}i`, `${'m'.repeat(20)}i`],
  },
  {
    title: 'a late callback that throws',
    steps: ["let at = 0; setTimeout(() => { at = Date.now(); marks.fired = 1; throw new Error('late') })", { until: 'fired' }, '1'],
    probe: 'at', value: undefined,
  },
  {
    title: 'compression that ends after its cell',
    steps: ["import { gzip } from 'node:zlib'\nlet size = 0; gzip('x'.repeat(100000), (_, out) => { size = out.length; marks.fired = 1 }); 0", { until: 'fired' }, 'const half = size / 2'],
    probe: '[size > 0, half * 2 === size]', value: [true, true],
  },
  {
    title: 'a timer that is cleared between cells, and a refreshed one',
    steps: [
      'let count = 0; const never = setTimeout(() => { count += 100 }, 60000); const again = setTimeout(() => { count += 1; if (count === 1) { again.refresh(); clearTimeout(never) } else marks.fired = 1 }, 1)',
      { until: 'fired' }, 'count',
    ],
    probe: 'count', value: 2,
  },
]

describe('timers that outlive their cell', function () {
  this.timeout(60_000)
  let graph: Graph

  before(async () => { graph = await boot({ kernel: { spareHelper: true } }) })
  after(() => graph.dispose())

  async function play(session: ReplSession, steps: Row['steps']): Promise<CellRecord[]> {
    await session.run('const marks = {}')
    const records: CellRecord[] = []
    for (const step of steps) {
      if (typeof step !== 'string') await untilNamed(session, step.until)
      else records.push((await session.run(step)).record)
    }
    return records
  }

  for (const { title, steps, probe, value } of rows) {
    it(title, async () => {
      const session = await graph.kernel.open(title)
      for (const { status, volatileReason } of await play(session, steps)) expect(status, volatileReason).to.equal('durable')
      const live = await session.run(probe)
      if (value !== undefined) expect(answerOf(live)).to.deep.equal({ value })
      for (const round of ['first', 'second']) {
        await session.kill()
        const again = await session.run(probe)
        expect([answerOf(again), again.status, again.diagnostics], round).to.deep.equal([answerOf(live), 'durable', []])
      }
      await session.close()
    })
  }

  it('are recorded in front of the cell that comes next, with the cell that made them', async () => {
    const session = await graph.kernel.open('record')
    const [, second] = await play(session, ['setTimeout(() => { marks.fired = Date.now() })', { until: 'fired' }, 'const now = Date.now()'])
    expect(second!.wakes).to.deep.equal([{ timer: 0, settle: 0, of: 2, early: true }])
    expect(second!.ambient.map(([source]) => source)).to.deep.equal(['Date.now', 'Date.now'])
    await session.close()
  })

  it('make the next cell volatile only by what can not be recorded', async () => {
    const session = await graph.kernel.open('volatile')
    const [, second] = await play(session, ["setTimeout(() => { fetch('data:,x'); marks.fired = 1 })", { until: 'fired' }, '1'])
    expect([second!.status, second!.volatileReason]).to.deep.equal(['volatile', 'late fetch'])
    await session.close()
  })

  it('are recorded by a cell without a source before the worker is ended without need', async () => {
    const session = await graph.kernel.open('closing')
    await play(session, ['let n = 0; setTimeout(() => { n = 1; marks.fired = 1 })', { until: 'fired' }])
    await session.close()
    const again = await graph.kernel.open('closing')
    const result = await again.run('n')
    expect([answerOf(result), result.diagnostics]).to.deep.equal([{ value: 1 }, []])
    await again.close()
  })

  it('go on after a recovery', async () => {
    const session = await graph.kernel.open('resumed')
    await play(session, ['let n = 0; const beat = setInterval(() => { n += 1 }, 1); const stopped = setTimeout(() => { n = -1000 }, 1); clearTimeout(Number(stopped))'])
    await session.kill()
    await play(session, ["const from = n; await new Promise((r) => { const look = setInterval(() => { if (n > from + 2) { clearInterval(look); r() } }, 1) }); clearInterval(beat)"])
    const live = await session.run('n')
    await session.kill()
    expect(answerOf(await session.run('n'))).to.deep.equal(answerOf(live))
    await session.close()
  })
})

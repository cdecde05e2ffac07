// What a session makes of a host's word: records that were not kept (contract 3.3), cells that the model can not see any more
// (3.4), and a history that is not to be replayed at all.
import { expect } from 'chai'
import type { CellResult, ReplSession } from '../../../../plugins/kernel/types.ts'
import type { HistoryEntry } from '../../../../plugins/journal/types.ts'
import { boot, type Graph } from '../../../harness/graph.ts'
import { HostSource } from '../../../harness/host-source.ts'
import { answerOf } from '../../../harness/sessions.ts'

const codes = ({ diagnostics }: CellResult) => diagnostics.map(({ code }) => code)

async function entriesOf(graph: Graph): Promise<HistoryEntry[]> {
  const found: HistoryEntry[] = []
  for await (const entry of graph.ctx.ptcJournal.read('s')) found.push(entry)
  return found
}

/** The `seq` of the last cell that settled. */
async function last(graph: Graph): Promise<number> {
  const settled = (await entriesOf(graph)).filter((entry) => entry.kind === 'cell-settled')
  return settled.at(-1)!.cell
}

describe('a session whose host confirms records', () => {
  let graph: Graph
  let session: ReplSession
  let confirmed: number[]
  beforeEach(async () => {
    confirmed = []
    graph = await boot({ kernel: { maxLiveKernels: 1 } })
    graph.ctx.ptcJournal.source(new HostSource())
    graph.ctx.on('ptc-journal/confirmed', (_session, cell) => { confirmed.push(cell) })
    session = await graph.kernel.open('s')
  })
  afterEach(() => graph.dispose())

  /** Runs a cell and lets the host say what `kept` makes of its record. */
  async function run(source: string, kept: (result: CellResult) => unknown = ({ record }) => record): Promise<CellResult> {
    const result = await session.run(source)
    graph.ctx.ptcJournal.confirm('s', await last(graph), kept(result))
    return result
  }

  it('3.3 J2: confirms what the host kept, and not before', async () => {
    const { record } = await session.run('let a = 1')
    const cell = await last(graph)
    expect(confirmed).to.deep.equal([])
    expect(graph.ctx.ptcJournal.confirm('s', cell, JSON.parse(JSON.stringify(record)))).to.equal(true)
    expect(confirmed).to.deep.equal([cell])
    await session.reset()
    expect(answerOf(await run('a'))).to.deep.equal({ value: 1 })
    expect(confirmed).to.have.length(2)
  })

  for (const [title, kept] of [['lost', () => undefined], ['changed', ({ record }: CellResult) => ({ ...record, cwd: '/elsewhere' })]] as const) {
    it(`3.3 a record that was ${title} leaves the names and makes what follows volatile; a restart drops it`, async () => {
      await run('let before = 1')
      const lost = await run('let a = 2', kept)
      expect(lost.status).to.equal('durable')
      const next = await run('[before, a]')
      expect([next.status, next.record.volatileReason, answerOf(next)]).to.deep.equal(['volatile', 'its record was not preserved', { value: [1, 2] }])
      await session.reset()
      const after = await run('[before, typeof a]')
      expect([after.status, answerOf(after), codes(after)]).to.deep.equal(['durable', { value: [1, 'undefined'] }, ['PTC-R002']])
    })
  }

  it('3.3 silence until the next cell is a loss', async () => {
    await session.run('let a = 1')
    expect((await session.run('a')).record.volatileReason).to.equal('its record was not preserved')
    expect(confirmed).to.deep.equal([])
  })

  it('can be put to sleep once the host has kept its last record, and not before', async () => {
    const states = async () => {
      const other = await graph.kernel.open('other')
      await other.run('1')
      await other.close()
      return session.state
    }
    await session.run('let a = 1')
    const record = (await entriesOf(graph)).findLast((entry) => entry.kind === 'cell-settled')!.record
    expect(await states()).to.equal('idle')
    graph.ctx.ptcJournal.confirm('s', await last(graph), record)
    expect(await states()).to.equal('cold')
    expect(answerOf(await run('a'))).to.deep.equal({ value: 1 })
  })

  it('is certain of a cell without a source: no host ever heard of it', async () => {
    await run('let a = 1')
    await session.run('')
    expect((await run('a')).status).to.equal('durable')
  })

  it('does not sleep while the host has to speak', async () => {
    await session.run('let a = 1')
    const { canSleep } = session as unknown as { canSleep: boolean }
    expect(canSleep).to.equal(false)
  })

  it('edits nothing of its own accord: what ran would not be in the log of the host', async () => {
    await session.run('f(')
    const request = { edits: [{ old_string: 'f(', new_string: 'f()' }] }
    const result = await session.run(`await tools.edit_run_code(${JSON.stringify(request)})`)
    expect([result.value, result.derived]).to.deep.equal([{ accepted: false, scheduled: false, reason: 'this host does not take edits; send the whole cell again' }, undefined])
    expect((await session.edit(request)).receipt.accepted).to.equal(false)
    expect((await session.run('f(')).diagnostics.at(-1)!.help).to.deep.equal(['Send the whole cell again, corrected.'])
  })

  it('3.3 the next record says which submissions never ran', async () => {
    await run('1')
    graph.ctx.ptcJournal.neverRan('s', 77)
    expect((await run('2')).record.confirms).to.deep.equal([77])
    expect((await run('3')).record.confirms).to.deep.equal([])
  })
})

describe('a session of which the model sees only some cells', () => {
  let graph: Graph
  let session: ReplSession
  let seen: Iterable<number> | undefined
  let hide: () => void
  beforeEach(async () => {
    seen = undefined
    graph = await boot()
    hide = graph.ctx.ptcJournal.visibility(() => seen)
    session = await graph.kernel.open('s')
    for (const source of ['let a = 1', 'let b = 2', 'let c = 3']) await session.run(source)
  })
  afterEach(() => graph.dispose())

  const names = '[typeof a, typeof b, typeof c]'
  const cells = async () => (await entriesOf(graph)).flatMap((entry) => entry.kind === 'cell-opened' ? [entry.seq] : [])
  const boundaries = async () => (await entriesOf(graph)).flatMap((entry) => entry.kind === 'boundary' ? [[entry.failed, entry.frontier]] : [])

  it('3.4 keeps everything while everything is seen, or nobody keeps account', async () => {
    expect(answerOf(await session.run(names))).to.deep.equal({ value: ['number', 'number', 'number'] })
    seen = await cells()
    const result = await session.run(names)
    expect([answerOf(result), codes(result)]).to.deep.equal([{ value: ['number', 'number', 'number'] }, []])
    expect(await boundaries()).to.deep.equal([])
  })

  it('3.4 goes back to before the first cell that is out of sight, live and for good', async () => {
    const [a, b, c] = await cells() as [number, number, number]
    seen = [a, c]
    const result = await session.run(names)
    expect([answerOf(result), codes(result)]).to.deep.equal([{ value: ['number', 'undefined', 'undefined'] }, ['PTC-R002']])
    expect(await boundaries()).to.deep.equal([[b, a]])
    seen = undefined
    await session.reset()
    expect(answerOf(await session.run(names))).to.deep.equal({ value: ['number', 'undefined', 'undefined'] })
  })

  it('3.4 sees nothing when the provider fails or talks nonsense; the cell runs all the same', async () => {
    seen = [Number.NaN]
    expect(answerOf(await session.run(names))).to.deep.equal({ value: ['undefined', 'undefined', 'undefined'] })
    await session.run('let a = 1')
    seen = { [Symbol.iterator]: () => { throw new Error('no surface') } }
    expect(answerOf(await session.run(names))).to.deep.equal({ value: ['undefined', 'undefined', 'undefined'] })
  })

  it('3.4 drops volatile names of a cell that is out of sight, too', async () => {
    seen = await cells()
    await session.run('import fs from "node:fs"; let d = 4')
    const result = await session.run('[typeof c, typeof d]')
    expect(answerOf(result)).to.deep.equal({ value: ['number', 'undefined'] })
    expect(await boundaries()).to.deep.equal([])
  })

  it("does not look for cells without a source: they are the kernel's own account of what timers did", async () => {
    seen = await cells()
    await session.run('')
    expect(answerOf(await session.run(names))).to.deep.equal({ value: ['number', 'number', 'number'] })
    expect(await boundaries()).to.deep.equal([])
  })

  it('is not asked any more when the provider has gone', async () => {
    seen = []
    hide()
    expect(answerOf(await session.run(names))).to.deep.equal({ value: ['number', 'number', 'number'] })
  })
})

describe('a kernel without replay', () => {
  let graph: Graph
  let session: ReplSession
  beforeEach(async () => {
    graph = await boot({ kernel: { durableReplay: false } })
    session = await graph.kernel.open('s')
  })
  afterEach(() => graph.dispose())

  it('3.4 keeps names while they live, calls every cell volatile, and brings nothing back, without a word', async () => {
    expect((await session.run('let a = 1')).record).to.include({ status: 'volatile', volatileReason: 'replay is disabled by configuration' })
    expect(answerOf(await session.run('a'))).to.deep.equal({ value: 1 })
    await session.reset()
    const after = await session.run('typeof a')
    expect([answerOf(after), after.status, after.logs]).to.deep.equal([{ value: 'undefined' }, 'volatile', []])
  })

  it('3.5 refuses saves with the reason, and knows no checkpoints', async () => {
    const refused = await session.run("await repl.state({ action: 'save', name: 'x' })")
    expect(refused.error!.message).to.include('replay is disabled by configuration')
    expect(answerOf(await session.run("await repl.state({ action: 'list' })"))).to.deep.equal({
      value: { names: [], mode: 'volatile', volatileReason: 'replay is disabled by configuration' },
    })
  })

  it('a noop stays one, and the history is written', async () => {
    expect((await session.run('let = ')).status).to.equal('noop')
    expect((await entriesOf(graph)).map(({ kind }) => kind)).to.deep.equal(['cell-opened', 'cell-settled'])
  })
})

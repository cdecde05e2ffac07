// A replay that nobody goes on from: it proves or names the record that does not, calls nobody, writes nothing (R1), and is gone
// with the kernel (K4).
import { expect } from 'chai'
import type { HistoryEntry } from '../../../../plugins/journal/types.ts'
import { boot, type Graph } from '../../../harness/graph.ts'

describe('a rehearsal', () => {
  let graph: Graph
  let calls: number
  beforeEach(async () => {
    calls = 0
    graph = await boot()
    graph.ctx.capabilityPlan.register('notes', { add: { replay: 'recorded-value', call: () => (calls += 1) } })
  })
  afterEach(() => graph.dispose())

  async function entriesAfter(...sources: string[]): Promise<HistoryEntry[]> {
    const session = await graph.kernel.open('s')
    for (const source of sources) await session.run(source)
    await session.close()
    return entries()
  }

  async function entries(): Promise<HistoryEntry[]> {
    const found: HistoryEntry[] = []
    for await (const entry of graph.ctx.ptcJournal.read('s')) found.push(entry)
    return found
  }

  /** The history as it would be if the cell with this source had another one. */
  const altered = (entries: readonly HistoryEntry[], from: string, to: string): HistoryEntry[] =>
    entries.map((entry) => entry.kind === 'cell-opened' && entry.source === from ? { ...entry, source: to } : entry)

  it('R1 proves what replays, without a call and without a word in the history', async () => {
    const before = await entriesAfter('const n = await notes.add(1)', 'let t = Date.now()', 'n + t')
    const contractions: unknown[] = []
    graph.ctx.on('ptc-journal/contracted', (...event) => { contractions.push(event) })
    expect(await graph.kernel.replay(before)).to.deep.equal({ proven: true, replayed: 3 })
    const verdict = await graph.kernel.replay(altered(before, 'const n = await notes.add(1)', 'const n = await notes.add(2)'))
    expect(verdict).to.deep.include({ proven: false, replayed: 0, cell: 1 })
    expect([calls, await entries(), contractions]).to.deep.equal([1, before, []])
    expect(graph.kernel.sessions()).to.deep.equal([])
  })

  it('names the first record that does not replay, and why', async () => {
    const before = await entriesAfter('let a = 1', 'a + 1', 'a + 2')
    const verdict = await graph.kernel.replay(altered(before, 'a + 1', 'a + 5'))
    expect(verdict).to.deep.equal({ proven: false, replayed: 1, cell: 3, reason: 'the replay returned another value than the record' })
  })

  it('names a cell that ends its process, after some tries', async () => {
    const before = await entriesAfter('let a = 1', 'a + 1')
    const verdict = await graph.kernel.replay(altered(before, 'a + 1', 'process.reallyExit(3)'))
    expect(verdict).to.include({ proven: false, replayed: 1, cell: 3 })
  })

  it('proves an empty history', async () => {
    expect(await graph.kernel.replay([])).to.deep.equal({ proven: true, replayed: 0 })
  })

  it('K4 ends with its signal and with the kernel', async () => {
    const forever = altered(await entriesAfter('let a = 1'), 'let a = 1', 'for (;;);')
    const controller = new AbortController()
    const stopped = graph.kernel.replay(forever, { signal: controller.signal })
    controller.abort(new Error('enough'))
    expect(await stopped.catch((error: Error) => error.message)).to.equal('enough')
    const { kernel } = graph
    const ended = kernel.replay(forever).catch((error: { code?: string }) => error.code)
    await graph.fibers.kernel.dispose()
    expect(await ended).to.equal('closed')
    expect(await kernel.replay(forever).catch((error: { code?: string }) => error.code)).to.equal('closed')
  })
})

// The contract of stores must be able to fail: each row here is a store with one fault, and the cases that have to see it.
import { expect } from 'chai'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemorySource } from '../../../plugins/journal/memory-store.ts'
import { sourceContract, type Capability, type Contract, type Place } from '../../../plugins/journal/testing/index.ts'
import type { History, HistoryEntry, HistorySource, NewEntry } from '../../../plugins/journal/types.ts'

const MEMORY: readonly Capability[] = ['reopen', 'other-process', 'large', 'torn-tail', 'damage', 'read-only', 'disk-full', 'power-cut', 'inspect', 'documents']

/** Titles of the cases that fail. */
async function failures({ cases }: Contract): Promise<string[]> {
  const failed: string[] = []
  for (const { title, run } of cases) await run().catch(() => { failed.push(title) })
  return failed
}

type Change = (source: MemorySource) => HistorySource

/** A memory source whose histories are changed. */
const histories = (change: (history: History) => Partial<History>): Change => (source) => ({
  kind: 'spoilt', read: (id) => source.read(id), list: () => source.list(), writer: (id) => source.writer(id), adopt: (id, entries) => source.adopt(id, entries),
  async open(id) {
    const history = await source.open(id)
    const same: History = { id, repairs: [], append: (entry) => history.append(entry), entries: () => history.entries(), close: () => history.close() }
    return { ...same, ...change(history) }
  },
})

async function* mapped(entries: AsyncIterable<HistoryEntry>, change: (entry: HistoryEntry) => HistoryEntry): AsyncGenerator<HistoryEntry> {
  for await (const entry of entries) yield change(entry)
}

async function listed(entries: AsyncIterable<HistoryEntry>): Promise<HistoryEntry[]> {
  const found: HistoryEntry[] = []
  for await (const entry of entries) found.push(entry)
  return found
}

const faults: Readonly<Record<string, readonly [Change, RegExp]>> = {
  'changes what it was given': [histories((history) => ({ entries: () => mapped(history.entries(), (entry) => ({ ...entry, at: 0.5 })) })), /come back in order/],
  'answers other numbers': [histories((history) => ({ append: (entry) => history.append(entry) + 1 })), /under the numbers that append answered/],
  'keeps no order': [histories((history) => ({ async* entries() { yield* (await listed(history.entries())).reverse() } })), /come back in order/],
  'loses an entry': [histories((history) => ({ append: (entry: NewEntry) => entry.kind === 'boundary' ? 99 : history.append(entry) })), /come back in order/],
  'has no end': [histories((history) => ({ close: async () => { void history } })), /closing ends the history/],
  'lets everybody write': [(source) => ({ ...histories(() => ({}))(source), open: (id) => new MemorySource().open(id) }), /L1: opening is refused/],
  'writes over what is there': [(source) => ({
    ...histories(() => ({}))(source), async adopt(id, entries) { await new MemorySource().adopt(id, entries) },
  }), /adopt: a session that has an entry is left alone/],
  'says nobody writes': [(source) => ({ ...histories(() => ({}))(source), writer: () => null }), /writer: names/],
  'has more than it declares': [(source) => ({ ...histories(() => ({}))(source), inspect: () => mapped(source.read('x'), (entry) => entry) as never }), /declares what it has/],
}

const placeOf = (change: Change) => async (): Promise<Place> => {
  const source = change(new MemorySource())
  return { source, again: () => source, end: async () => {} }
}

describe('the contract of history sources', function () {
  this.timeout(60_000)

  for (const [title, [change, expected]] of Object.entries(faults)) it(`sees a store that ${title}`, async () => {
    const failed = await failures(sourceContract(placeOf(change), { gaps: MEMORY }))
    expect(failed.join('\n')).to.match(expected)
  })

  it('accepts the same store without a fault', async () => {
    expect(await failures(sourceContract(placeOf(histories(() => ({}))), { gaps: MEMORY }))).to.deep.equal([])
  })

  it('says what it leaves out, and wants every gap to be declared', async () => {
    const { cases, left } = sourceContract(placeOf((source) => source), { gaps: MEMORY })
    expect(new Set(left.map(({ gap }) => gap))).to.deep.equal(new Set(MEMORY))
    const full = sourceContract(placeOf((source) => source), { gaps: [] })
    expect(full.cases).to.have.length(cases.length + left.length)
    expect(full.left).to.deep.equal([])
    const undeclared = sourceContract(placeOf((source) => source), { gaps: MEMORY.filter((gap) => gap !== 'power-cut') })
    const declared = undeclared.cases.find((one) => one.title.startsWith('declares'))!
    expect(await declared.run().catch((error: Error) => error.message)).to.match(/^power-cut can not be tested/)
  })

  it('sees a store that holds all of a history in memory', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'ptc-greedy-'))
    const module = join(dir, 'greedy.mjs')
    const store = new URL('../../../plugins/journal/file-store.ts', import.meta.url).href
    writeFileSync(module, `import { readFileSync } from 'node:fs'
      import { FileSource } from ${JSON.stringify(store)}
      export const openSource = ({ dir }) => {
        const source = new FileSource({ dir })
        const read = async function* (id) { const held = readFileSync(dir + '/' + id + '.ndjson'); yield* source.read(id); held.at(0) }
        return { kind: 'greedy', open: (id) => source.open(id), read, list: () => source.list() }
      }`)
    try {
      const { cases } = sourceContract(async () => ({
        source: new MemorySource(), again: () => new MemorySource(), module: { url: new URL(`file://${module}`).href, options: { dir } }, end: async () => {},
      }), { gaps: [] })
      const large = cases.find(({ title }) => title.startsWith('a large history'))!
      expect(await large.run().catch((error: Error) => error.message)).to.match(/bytes more memory for a history of 201326592/)
    } finally {
      rmSync(dir, { recursive: true })
    }
  })
})

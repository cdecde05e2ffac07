// Would catch: a build that no longer reads, folds or replays what an older one has written. The files below `golden/<version>/`
// were written by the build that introduced the version and are never edited; altered copies prove that what can not be
// trusted contracts (J1, J3, J4) instead of being guessed.
import { expect } from 'chai'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CellRecord, Frontier, HistoryEntry, NewEntry, RecordedCall } from '../../plugins/journal/types.ts'
import { fold } from '../../plugins/journal/fold.ts'
import { decodeLine, encodeLine } from '../../plugins/journal/line.ts'
import { boot } from '../harness/graph.ts'

const golden = new URL('golden/11/', import.meta.url)
const file = readFileSync(new URL('session.ndjson', golden))
const expected = JSON.parse(readFileSync(new URL('fold.json', golden), 'utf8')) as object
const rows = () => file.toString('utf8').split('\n').slice(0, -1)
const entriesOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(decodeLine(Buffer.from(line))!.toString()) as HistoryEntry)

const summary = ({ head, path, checkpoints, lost, inDoubt }: Frontier) => ({
  head, path: path.map(({ cell }) => cell), checkpoints: Object.fromEntries(checkpoints),
  lost: lost.map(({ cell, reason }) => `${cell} ${reason}`), inDoubt: inDoubt.map(({ cell, call, global, member }) => `${cell}.${call} ${global}.${member}`),
})

type Settled = Extract<NewEntry, { kind: 'cell-settled' }> & HistoryEntry
const settledOf = (entries: readonly HistoryEntry[], wanted: (record: CellRecord) => boolean) =>
  entries.find((entry): entry is Settled => entry.kind === 'cell-settled' && wanted(entry.record))!

/** The frontier of the file with the record of one cell altered. */
function altered(wanted: (record: CellRecord) => boolean, alter: (record: Record<string, unknown>) => void) {
  const entries = entriesOf(rows())
  const entry = settledOf(entries, wanted)
  alter(entry.record as unknown as Record<string, unknown>)
  return { cell: entry.cell, before: fold(entriesOf(rows())), after: fold(entries), upTo: fold(entries.filter(({ seq }) => seq <= entry.seq)) }
}

const lastDurable = (record: CellRecord) => record.ambient.length === 1 && record.languageSemantics === 'protected-v1'
/** Three calls whose answers came in another order than they were asked for, and a value that shows it. */
const outOfOrder = ({ status, calls }: CellRecord) => status === 'durable' && calls.map(({ settle }) => settle).join() === '2,0,1'

describe('golden histories of version 11', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ptc-golden-'))
  after(() => { rmSync(folder, { recursive: true, force: true }) })

  it('holds every kind of entry and every fate of a cell', () => {
    const entries = entriesOf(rows())
    expect([...new Set(entries.map(({ kind }) => kind))].sort()).to.deep.equal(['boundary', 'call-opened', 'call-settled', 'cell-opened', 'cell-settled'])
    const records = entries.flatMap((entry) => entry.kind === 'cell-settled' ? [entry.record] : [])
    expect([...new Set(records.map(({ status }) => status))].sort()).to.deep.equal(['discarded', 'durable', 'noop', 'volatile'])
    expect([...new Set(records.flatMap(({ operations }) => operations.map(({ action }) => action)))].sort()).to.deep.equal(['delete', 'restore', 'save'])
    for (const field of ['calls', 'wakes', 'ambient', 'diagnostics'] as const) expect(records.some((record) => record[field].length > 0), field).to.equal(true)
    expect(records.every(({ version }) => version === 11)).to.equal(true)
    for (const line of rows()) expect(line, 'nobody\'s machine').not.to.match(/"cwd":"(?!\/work\/project")/u)
  })

  it('lines read and write to the same bytes', () => {
    for (const line of rows()) expect(encodeLine(decodeLine(Buffer.from(line))!.toString()).toString()).to.equal(`${line}\n`)
  })

  it('folds to what it proved when it was written', () => {
    expect(summary(fold(entriesOf(rows())))).to.deep.equal(expected)
  })

  it('R1 replays from the file, without any of its namespaces', async () => {
    const { codes, value } = await recovered('whole', rows())
    expect(codes).to.deep.equal(['PTC-R002', 'PTC-R003'])
    expect(value).to.deep.equal([['number', 'undefined', 'undefined'], ['q', 'r', 'p']])
  }).timeout(60_000)

  it('J1 an unknown field contracts to the cell before', () => {
    const { cell, before, after: now } = altered(lastDurable, (record) => { record.mood = 'good' })
    expect([before.head, now.head]).to.deep.equal([cell, before.path.at(-2)!.cell])
    expect(now.lost.find((lost) => lost.cell === cell)).to.deep.include({ reason: 'invalid', detail: 'has the unknown field "mood"' })
  })

  it('J3 version 12 contracts to the cell before', () => {
    const { cell, before, after: now } = altered(lastDurable, (record) => { record.version = 12 })
    expect([before.head, now.head]).to.deep.equal([cell, before.path.at(-2)!.cell])
    expect(now.lost.find((lost) => lost.cell === cell)?.detail).to.match(/version 12 is not a generation/u)
  })

  it('J4 settle positions that are no permutation make the record invalid', () => {
    const { cell, upTo } = altered(outOfOrder, (record) => { (record.calls as { settle: number }[])[0]!.settle = 0 })
    expect(upTo.lost.at(-1)).to.deep.include({ cell, reason: 'invalid' })
    expect(upTo.path.map((folded) => folded.cell)).not.to.include(cell)
  })

  it('J4 J3 a swapped settle order is found by the replay, which contracts there', async () => {
    const entries = entriesOf(rows())
    const entry = settledOf(entries, outOfOrder)
    const calls = entry.record.calls as readonly (RecordedCall & { settle: number })[]
    ;[calls[1]!.settle, calls[2]!.settle] = [calls[2]!.settle, calls[1]!.settle]
    const lines = entries.filter(({ seq }) => seq <= entry.seq).map((one) => encodeLine(JSON.stringify(one)).toString().trimEnd())
    const { codes, value, contracted } = await recovered('swapped', lines)
    expect(contracted).to.deep.equal([fold(entriesOf(lines)).path.at(-2)!.cell])
    expect([codes, value]).to.deep.equal([['PTC-R002'], [['number', 'undefined', 'undefined'], null]])
  }).timeout(60_000)

  it('S5 a bad checksum in the middle is refused, and the file is left as it is', async () => {
    const bytes = Buffer.from(file)
    bytes[bytes.indexOf('\n', bytes.length >> 1) - 4]! ^= 1
    const path = join(folder, 'damaged.ndjson')
    writeFileSync(path, bytes)
    const graph = await boot({ dir: folder })
    try {
      const failure = await graph.kernel.open('damaged').then(() => undefined, (error: unknown) => error as { code?: string })
      expect(failure?.code).to.equal('corrupt')
      expect(readFileSync(path).equals(bytes)).to.equal(true)
    } finally {
      await graph.dispose()
    }
  })

  it('a bad checksum at the very end is a torn tail', async () => {
    const bytes = Buffer.from(file)
    bytes[bytes.length - 4]! ^= 1
    const { codes } = await recovered('tail', bytes)
    expect(codes).to.deep.equal(['PTC-J001', 'PTC-R002'])
  }).timeout(60_000)

  /** Recovers a copy in an app that has none of the namespaces, and looks at three names and at an order of answers. */
  async function recovered(name: string, content: readonly string[] | Buffer) {
    writeFileSync(join(folder, `${name}.ndjson`), Buffer.isBuffer(content) ? content : content.map((line) => `${line}\n`).join(''))
    const graph = await boot({ dir: folder })
    const contracted: (number | null)[] = []
    graph.ctx.on('ptc-journal/contracted', (_session, frontier) => { contracted.push(frontier) })
    try {
      const session = await graph.kernel.open(name, { cwd: folder })
      const { diagnostics, value, error } = await session.run("return [[typeof a, typeof doomed, typeof never], typeof arrived === 'undefined' ? null : arrived]")
      expect(error).to.equal(undefined)
      return { codes: diagnostics.map(({ code }) => code), value, contracted }
    } finally {
      await graph.dispose()
    }
  }
})

// A host's log as a history: what the journal's own fold makes of it.
import { expect } from 'chai'
import { fold } from '../../../plugins/journal/fold.ts'
import type { CellRecord, NewEntry } from '../../../plugins/journal/types.ts'
import { SessionLog } from '../../../plugins/cordis-bridge/session/log.ts'
import { idOf, SessionLogSource, withCallSeqs, withIds } from '../../../plugins/cordis-bridge/session/source.ts'
import { durable } from '../../journal/history.ts'
import { call, code, derivedCall, derivedMeta, dispatch, message, record, result, sessionOf } from '../events.ts'

type Events = Parameters<typeof sessionOf>[0]

/** One cell after the other, each with its message, its call and its result. */
const cells = (...metas: (object | undefined)[]): Events => metas.flatMap((meta, index) => {
  const raw = code(`var x${index}`)
  const asked = [message(`c${index}`, raw), call(`c${index}`, raw)]
  return meta === undefined ? asked : [...asked, result(`c${index}`, 3 * index + 1, meta)]
})

function sourceOf(events: Events, neverRan: readonly number[] = []) {
  const log = new SessionLog(sessionOf(events))
  return { log, source: new SessionLogSource(log, () => neverRan.map(idOf)) }
}
const frontierOf = (events: Events, neverRan?: readonly number[]) => {
  const { path, lost, inDoubt } = fold(sourceOf(events, neverRan).source.entries())
  return { path: path.map(({ source }) => source), lost: lost.map(({ reason }) => reason), inDoubt: inDoubt.map(({ member }) => member) }
}

const good = record(durable)
const volatile = record({ ...durable, status: 'volatile', volatileReason: 'import node:fs' } satisfies CellRecord)

describe('a host\'s log as a history', () => {
  const CASES: Readonly<Record<string, readonly [events: Events, neverRan: readonly number[], path: string[], lost: string[]]>> = {
    'is the path of its records': [cells(good, good), [], ['var x0', 'var x1'], []],
    'does not hold what no record proves': [cells(good, volatile), [], ['var x0'], ['volatile']],
    'does not believe a record that can not be read': [cells(good, record({ version: 999 })), [], ['var x0'], ['invalid']],
    'goes on after a boundary that a later cell carries': [
      cells(good, good, record(durable, [{ failedCallSeq: 4, frontierCallSeq: 1 }])), [], ['var x0', 'var x2'], [],
    ],
    'passes over a call of which this process knows that it never ran': [cells(good, {}), [4], ['var x0'], []],
    'passes over a call that never ran, once a record confirms it': [cells(good, {}, record({ ...durable, confirms: [4] })), [], ['var x0', 'var x2'], []],
    'does not know about a call that left nothing': [cells(good, {}), [], ['var x0'], ['unsettled']],
  }
  for (const [title, [events, neverRan, path, lost]] of Object.entries(CASES)) {
    it(title, () => { expect(frontierOf(events, neverRan)).to.deep.equal({ path, lost, inDoubt: [] }) })
  }

  it('doubts calls that were on their way when everything ended', () => {
    expect(frontierOf([...cells(good, undefined), dispatch('c1', 's1'), dispatch('c1', 's2'), dispatch('c1', 's1', true)]))
      .to.deep.equal({ path: ['var x0'], lost: ['unsettled'], inDoubt: ['pay'] })
  })

  it('distrusts what hangs together badly', () => {
    expect(frontierOf([...cells(good, good), result('c1', 4, good)])).to.deep.equal({ path: ['var x0'], lost: ['invalid'], inDoubt: [] })
  })

  it('has the numbers of calls in what it stores, and its own in what it reads', () => {
    const mine: CellRecord = { ...durable, confirms: [idOf(4), idOf(9)] }
    expect(withCallSeqs(mine).confirms).to.deep.equal([4, 9])
    expect(withIds(withCallSeqs(mine))).to.deep.equal(mine)
    for (const odd of [undefined, null, 7, { confirms: 'x' }]) expect(withIds(odd)).to.equal(odd)
  })

  it('begins where and when the session began', () => {
    const locality = { timeZone: 'Asia/Tokyo', locale: 'ja-JP' }
    const [opened] = sourceOf(cells({ ...good, dshPtcPlusLocality: { ...locality, more: 1 } })).source.entries()
    expect(opened).to.include(locality)
  })

  it('R3: tells what a cell could see where its result does, and leaves reading it to the journal', () => {
    const surface = [{ name: 'tools', members: ['pay'] }]
    const events = cells(good, { ...good, dshPtcPlusSurface: surface }, good, { ...good, dshPtcPlusSurface: 'no surface' }, good)
    const { source } = sourceOf(events)
    expect(fold(source.entries()).path.map((cell) => cell.surface)).to.deep.equal([undefined, surface, surface, undefined, undefined])
    expect(source.entries().map((entry) => Object.hasOwn(entry, 'surface'))).to.deep.equal([false, false, true, false, false, false, true, false, false, false])
  })

  it('R3: tells it of the run of an edit, too', () => {
    const surface = [{ name: 'tools', members: ['pay'] }]
    const meta = derivedMeta(0, 2, 3, '2', durable)
    const told = { ...meta, dshPtcPlusDerivedCell: { ...meta.dshPtcPlusDerivedCell, surface } }
    const events = [call('a', code('1')), result('a', 0, good), call('b', code('edit')), derivedCall('b', '2'), result('b', 2, { ...good, ...told })]
    expect(fold(sourceOf(events).source.entries()).path.map((cell) => [cell.source, cell.surface])).to.deep.equal([['1', undefined], ['edit', undefined], ['2', surface]])
  })

  it('L1, L2: takes a running cell\'s entries under the number of its call, and gives them to its result alone', async () => {
    const { log, source } = sourceOf(cells(good, undefined))
    const surface = [{ name: 'tools', members: ['pay'] }]
    const [first, running] = log.cells()
    const account = source.begin(running!)
    const history = await source.open('log')
    const seqs = [
      { kind: 'boundary', failed: 1 * 2 ** 21, frontier: null }, { kind: 'cell-opened', source: 'var x1', cwd: '/work', timeZone: 'UTC', locale: 'en', surface },
      { kind: 'call-opened', cell: 4 * 2 ** 21, call: 0, global: 'tools', member: 'pay', args: { codec: 'ptc-value-graph/v1', root: null, nodes: [] } },
      { kind: 'cell-settled', cell: 4 * 2 ** 21, record: durable },
    ].map((entry) => history.append(entry as NewEntry))
    expect(seqs).to.deep.equal([...seqs].sort((a, b) => a - b))
    expect(seqs[1]).to.equal(4 * 2 ** 21)
    expect(account.record).to.equal(durable)
    expect([account.notes, account.surface]).to.deep.equal([{ timeZone: 'UTC', locale: 'en' }, surface])
    expect(history.confirmation).to.equal('host')
    expect(account.boundaries).to.deep.equal([{ failedCallSeq: first!.seq, frontierCallSeq: null }])
    expect(log.session.events).to.have.length(5)
    source.end()
    expect(fold(source.entries()).path.map((cell) => [cell.source, cell.surface]), 'until the log has its result').to.deep.equal([['var x1', surface]])
    expect(() => history.append({ kind: 'cell-opened', source: '', cwd: '/' })).to.throw('no cell of the host is running')
  })
})

// A host's log as a history: what the journal's own fold makes of it.
import { expect } from 'chai'
import { fold } from '../../../plugins/journal/fold.ts'
import type { CellRecord, NewEntry } from '../../../plugins/journal/types.ts'
import { SessionLog } from '../../../plugins/cordis-bridge/session/log.ts'
import { SessionLogSource } from '../../../plugins/cordis-bridge/session/source.ts'
import { durable } from '../../journal/history.ts'
import { call, code, dispatch, message, record, result, sessionOf } from '../events.ts'

type Events = Parameters<typeof sessionOf>[0]

/** One cell after the other, each with its message, its call and its result. */
const cells = (...metas: (object | undefined)[]): Events => metas.flatMap((meta, index) => {
  const raw = code(`var x${index}`)
  const asked = [message(`c${index}`, raw), call(`c${index}`, raw)]
  return meta === undefined ? asked : [...asked, result(`c${index}`, 3 * index + 1, meta)]
})

function sourceOf(events: Events, hidden?: readonly number[]) {
  const log = new SessionLog(sessionOf(events, hidden))
  return { log, source: new SessionLogSource(log, fold) }
}
const frontierOf = (events: Events, hidden?: readonly number[]) => {
  const { path, lost, inDoubt } = fold(sourceOf(events, hidden).source.entries())
  return { path: path.map(({ source }) => source), lost: lost.map(({ reason }) => reason), inDoubt: inDoubt.map(({ member }) => member) }
}

const good = record(durable)
const volatile = record({ ...durable, status: 'volatile', volatileReason: 'import node:fs' } satisfies CellRecord)

describe('a host\'s log as a history', () => {
  const CASES: Readonly<Record<string, readonly [events: Events, hidden: readonly number[], path: string[], lost: string[]]>> = {
    'is the path of its records': [cells(good, good), [], ['var x0', 'var x1'], []],
    'does not hold what no record proves': [cells(good, volatile), [], ['var x0'], ['volatile']],
    'does not believe a record that can not be read': [cells(good, record({ version: 999 })), [], ['var x0'], ['invalid']],
    'ends before what the model can not see, and what came after it': [cells(good, good, good), [3], ['var x0'], ['contracted', 'contracted']],
    'goes on after a boundary that a later cell carries': [
      cells(good, good, record(durable, [{ failedCallSeq: 4, frontierCallSeq: 1 }])), [3], ['var x0', 'var x2'], [],
    ],
    'passes over a call that never ran, once a record confirms it': [cells(good, {}, record({ ...durable, confirms: [4] })), [], ['var x0', 'var x2'], []],
    'does not know about a call that left nothing': [cells(good, {}), [], ['var x0'], ['unsettled']],
  }
  for (const [title, [events, hidden, path, lost]] of Object.entries(CASES)) {
    it(title, () => { expect(frontierOf(events, hidden)).to.deep.equal({ path, lost, inDoubt: [] }) })
  }

  it('doubts calls that were on their way when everything ended', () => {
    expect(frontierOf([...cells(good, undefined), dispatch('c1', 's1'), dispatch('c1', 's2'), dispatch('c1', 's1', true)]))
      .to.deep.equal({ path: ['var x0'], lost: ['unsettled'], inDoubt: ['pay'] })
  })

  it('distrusts what hangs together badly', () => {
    expect(frontierOf([...cells(good, good), result('c1', 4, good)])).to.deep.equal({ path: ['var x0'], lost: ['invalid'], inDoubt: [] })
  })

  it('L1, L2: takes a running cell\'s entries under the number of its call, and gives them to its result alone', async () => {
    const { log, source } = sourceOf(cells(good, undefined))
    const [first, running] = log.cells()
    const account = source.begin(running!)
    const history = await source.open('log')
    const seqs = [
      { kind: 'boundary', failed: 1 * 2 ** 21, frontier: null }, { kind: 'cell-opened', source: 'var x1', cwd: '/work' },
      { kind: 'call-opened', cell: 4 * 2 ** 21, call: 0, global: 'tools', member: 'pay', args: { codec: 'ptc-value-graph/v1', root: null, nodes: [] } },
      { kind: 'cell-settled', cell: 4 * 2 ** 21, record: durable },
    ].map((entry) => history.append(entry as NewEntry))
    expect(seqs).to.deep.equal([...seqs].sort((a, b) => a - b))
    expect(seqs[1]).to.equal(4 * 2 ** 21)
    expect(account.record).to.equal(durable)
    expect(account.boundaries).to.deep.equal([{ failedCallSeq: first!.seq, frontierCallSeq: null }])
    expect(log.session.events).to.have.length(5)
    source.end()
    expect(() => history.append({ kind: 'cell-opened', source: '', cwd: '/' })).to.throw('no cell of the host is running')
  })
})

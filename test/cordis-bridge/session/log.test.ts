// What is read from a host's log about its cells, and what is not believed.
import { expect } from 'chai'
import { SessionLog, type LoggedCell } from '../../../plugins/cordis-bridge/session/log.ts'
import { visibility } from '../../../plugins/cordis-bridge/session/visible.ts'
import { call, code, derivedCall, derivedMeta, dispatch, message, record, result, sessionOf } from '../events.ts'

const cellsOf = (...events: Parameters<typeof sessionOf>[0]) => new SessionLog(sessionOf(events)).cells()
const brief = ({ seq, source, settled, record: found, distrust }: LoggedCell) => ({ seq, source, settled, record: found, ...distrust === undefined ? {} : { distrust } })

describe('the log of a session', () => {
  const CASES: Readonly<Record<string, readonly [events: Parameters<typeof sessionOf>[0], cells: readonly object[]]>> = {
    'pairs a call with the result that cites it': [
      [call('a', code('1')), result('a', 0, record(7))], [{ seq: 0, source: '1', settled: true, record: 7 }],
    ],
    'has the same id again in a later call': [
      [call('a', code('1')), result('a', 0, record(7)), call('a', code('2')), result('a', 2, record(8))],
      [{ seq: 0, source: '1', settled: true, record: 7 }, { seq: 2, source: '2', settled: true, record: 8 }],
    ],
    'pairs by id where a result cites nothing': [
      [call('a', code('1')), { ...result('a', 0, record(7)), sourceEventSeqs: [] }], [{ seq: 0, source: '1', settled: true, record: 7 }],
    ],
    'distrusts a call whose result cites another': [
      [call('a', code('1')), call('b', code('2')), result('a', 1, record(7))],
      [{ seq: 0, source: '1', settled: false, record: undefined, distrust: 'its result cites another call' }, { seq: 1, source: '2', settled: true, record: 7 }],
    ],
    'distrusts a call with two results': [
      [call('a', code('1')), result('a', 0, record(7)), result('a', 0, record(8))],
      [{ seq: 0, source: '1', settled: true, record: 7, distrust: 'it has two results' }],
    ],
    'passes over the copy that takes a result\'s place': [
      [call('a', code('1')), result('a', 0, record(7)), { ...result('a', 1), surfaceOp: { op: 'replace', start: 1, end: 1 } }],
      [{ seq: 0, source: '1', settled: true, record: 7 }],
    ],
    'reads no other tool, and no source where there is none': [
      [call('a', code('1'), 'bash'), call('b', '{"code":'), call('c', '{"code":1}')],
      [{ seq: 1, source: '', settled: false, record: undefined }, { seq: 2, source: '', settled: false, record: undefined }],
    ],
    'takes anything': [
      [{ type: 'tool/call', data: null }, { type: 'tool/result', data: 3 }, { type: 'tool/result', data: { message: { content: [null] } } }, { type: 'tool/code-dispatch', data: {} }],
      [],
    ],
  }
  for (const [title, [events, cells]] of Object.entries(CASES)) it(title, () => { expect(cellsOf(...events).map(brief)).to.deep.equal(cells) })

  it('keeps the calls of a cell, with those that never came back', () => {
    const [cell] = cellsOf(call('a', code('1')), dispatch('a', 'a:code:1'), dispatch('a', 'a:code:2'), dispatch('a', 'a:code:1', true))
    expect(cell!.dispatches.map(({ id, settled }) => [id, settled])).to.deep.equal([['a:code:1', true], ['a:code:2', false]])
  })

  it('reads boundaries, and passes over what is none', () => {
    const good = { failedCallSeq: 3, frontierCallSeq: null }
    const [cell] = cellsOf(call('a', code('1')), result('a', 0, record(7, [good, { failedCallSeq: -1, frontierCallSeq: 0 }, { failedCallSeq: 1 }])))
    expect(cell!.boundaries).to.deep.equal([good])
  })

  const edited = { ...record(7), ...derivedMeta(0, 2, 3, '2', 8) }
  const run = [call('a', code('1')), result('a', 0, record(6)), call('b', code('edit')), derivedCall('b', '2')]
  for (const [title, meta, seqs, editable] of [
    ['of which the result tells', edited, [0, 2, 3], 3],
    ['that was refused: it is none', record(7), [0, 2], 2],
    ['of which the result tells something else: it is none', { ...edited, dshPtcPlusDerivedRun: { code: '3', description: 'An edit.' } }, [0, 2], 2],
    ['at another place: it is none', { ...edited, ...derivedMeta(0, 2, 9, '2', 8) }, [0, 2], 2],
    ['with more than belongs there: it is none', { ...edited, dshPtcPlusEdit: { targetCallSeq: 0, more: 1 } }, [0, 2], 2],
    ['that nobody could parse is not edited in turn', { ...record(7), ...derivedMeta(0, 2, 3, '2', { diagnostics: [{ phase: 'parse' }] }) }, [0, 2, 3], 2],
  ] as const) {
    it(`has the run of an edit ${title}`, () => {
      const log = new SessionLog(sessionOf([...run, result('b', 2, meta)]))
      expect(log.cells().map(({ seq }) => seq)).to.deep.equal(seqs)
      expect(log.editable?.seq).to.equal(editable)
    })
  }

  it('has the calls of an edit\'s run, as either generation logs them, and gives it no result of its own', () => {
    const [, root, derived] = cellsOf(...run.slice(0, 3), derivedCall('b', '2', 'ptc'), dispatch('b:derived', 'b:derived:code:1'), result('b:derived', 3, record(9)))
    expect(derived).to.include({ seq: 3, root, settled: false, record: undefined })
    expect([root!.dispatches.length, derived!.dispatches.length]).to.deep.equal([0, 1])
  })

  it('keeps the calls of an edit\'s run of which nobody knows the end', () => {
    const cells = cellsOf(...run, dispatch('b:derived', 'b:derived:code:1'), result('b', 2))
    expect(cells.map(({ seq, settled }) => [seq, settled])).to.deep.equal([[0, true], [2, true], [3, false]])
  })

  it('edits what has settled last in the open turn', () => {
    const turn = (type: 'start' | 'end') => ({ type: `turn/${type}`, data: {} })
    const targets = [turn('start'), call('a', code('1')), result('a', 1), call('x', '{}', 'bash'), result('x', 3), turn('end'), turn('start')]
    expect(targets.map((_, end) => new SessionLog(sessionOf(targets.slice(0, end + 1))).editable?.seq)).to.deep.equal([undefined, undefined, 1, 1, 1, undefined, undefined])
  })

  it('is read on as it grows', () => {
    const events = [call('a', code('1'))]
    const growing = sessionOf(events)
    const log = new SessionLog({ ...growing, get events() { return sessionOf(events).events! } })
    expect(log.openCall('a')?.seq).to.equal(0)
    events.push(result('a', 0), call('a', code('2')))
    expect(log.openCall('a')?.seq).to.equal(2)
    events.push(call('a', code('3')))
    expect(log.openCall('a'), 'two at once are nobody').to.equal(undefined)
  })
})

describe('visibility', () => {
  const raw = code('1')
  const seen = (events: Parameters<typeof sessionOf>[0], hidden?: readonly number[]) => {
    const session = sessionOf(events, hidden)
    return new SessionLog(session).cells().map(visibility(session))
  }
  it('is a message on the surface with the same call, to the letter', () => {
    expect(seen([message('a', raw), call('a', raw)])).to.deep.equal([true])
    expect(seen([message('a', raw), call('a', raw)], [0])).to.deep.equal([false])
    expect(seen([message('b', raw), call('a', raw)])).to.deep.equal([false])
    expect(seen([message('a', `${raw} `), call('a', raw)])).to.deep.equal([false])
    expect(seen([message('a', raw, 'bash'), call('a', raw)])).to.deep.equal([false])
    expect(seen([call('a', raw)])).to.deep.equal([false])
  })
  it('is nothing where there is no surface', () => {
    const session = { ...sessionOf([message('a', raw), call('a', raw)]), surface: undefined as never }
    expect(new SessionLog(session).cells().map(visibility(session))).to.deep.equal([false])
  })
})

// How `ptc journal` shows the entries of a history.
import { expect } from 'chai'
import { journalLines } from '../../../../client/terminal/journal/lines.ts'
import { sessionLines, timeOf } from '../../../../client/terminal/sessions.ts'
import type { CellRecord, Diagnostic, HistoryEntry } from '../../../../plugins/journal/types.ts'

const at = new Date(2026, 10, 30, 9, 5, 7).getTime()
const args = { codec: 'ptc-value-graph/v1', root: null, nodes: [] }

const record = (fields: Partial<CellRecord>): CellRecord => ({
  version: 11, languageSemantics: 'stateful-v1', moduleTransform: 'native-root-v1+amaro@1', cwd: '/', namespaces: [], userBindingsFingerprint: null,
  userBindingNames: null, status: 'durable', calls: [], wakes: [], ambient: [], operations: [], confirms: [], diagnostics: [], ...fields,
})

const diagnostic: Diagnostic = { code: 'PTC-X001', severity: 'error', phase: 'execute', message: 'Error: no', stateEffect: 'partially-applied' }

async function lines(entries: readonly HistoryEntry[], count?: number): Promise<string[]> {
  async function* read() { yield* entries }
  return journalLines(read(), count)
}

const opened = (seq: number, source: string): HistoryEntry => ({ seq, at, kind: 'cell-opened', source, cwd: '/' })
const settled = (seq: number, cell: number, fields: Partial<CellRecord>): HistoryEntry => ({ seq, at, kind: 'cell-settled', cell, record: record(fields) })

describe('a history for people', () => {
  it('has a line a cell: time, number, status, first line', async () => {
    expect(await lines([opened(1, '\n  let a = 1\nlet b\n'), settled(2, 1, {}), opened(3, 'x'.repeat(150)), settled(4, 3, { status: 'noop' })])).to.deep.equal([
      '2026-11-30 09:05:07  #1    durable    let a = 1 (+1 more)',
      `2026-11-30 09:05:07  #3    noop       ${'x'.repeat(99)}…`,
    ])
  })

  it('says which cell an edit has made', async () => {
    const derived = { ...opened(5, 'let a = 2'), derived: { of: 1, by: 3 } } as HistoryEntry
    expect(await lines([derived])).to.deep.equal(['2026-11-30 09:05:07  #5    unsettled  let a = 2 (edit of #1)'])
  })

  it('shows calls with their fate, why a cell is volatile, and diagnostics', async () => {
    const calls = [
      { global: 'notes', member: 'add', args, settle: 0, ok: true, value: args },
      { global: 'notes', member: 'list', args, settle: 1, ok: false, error: { name: 'TypeError', message: 'no' } },
    ] as const
    expect(await lines([opened(1, 'a'), settled(2, 1, { status: 'volatile', volatileReason: 'import node:fs', calls, diagnostics: [diagnostic] })])).to.deep.equal([
      '2026-11-30 09:05:07  #1    volatile   a', '    notes.add ok', '    notes.list failed: TypeError: no', '    volatile: import node:fs', '    error[PTC-X001]: Error: no',
    ])
  })

  it('tells of a thrown error that no diagnostic tells of', async () => {
    const completion = { kind: 'throw', error: { kind: 'exception', name: 'RangeError', message: 'far' } } as const
    expect((await lines([opened(1, 'a'), settled(2, 1, { completion })]))[1]).to.equal('    threw RangeError: far')
    expect((await lines([opened(1, 'a'), settled(2, 1, { completion, diagnostics: [diagnostic] })]))).to.have.length(2)
  })

  it('shows how far the calls of a cell came that never settled', async () => {
    const call = (seq: number, index: number): HistoryEntry => ({ seq, at, kind: 'call-opened', cell: 1, call: index, global: 'notes', member: 'add', args })
    expect(await lines([opened(1, 'a'), call(2, 0), call(3, 1), { seq: 4, at, kind: 'call-settled', cell: 1, call: 0, ok: true }])).to.deep.equal([
      '2026-11-30 09:05:07  #1    unsettled  a', '    notes.add ok', '    notes.add in doubt',
    ])
  })

  it('shows boundaries', async () => {
    const boundary = (frontier: number | null): HistoryEntry => ({ seq: 9, at, kind: 'boundary', failed: 3, frontier })
    expect(await lines([boundary(1), boundary(null)])).to.deep.equal([
      '2026-11-30 09:05:07  boundary: the replay of cell 3 failed, the history went back to cell 1',
      '2026-11-30 09:05:07  boundary: the replay of cell 3 failed, the history went back to an empty session',
    ])
  })

  it('ends with the newest, and shows as many as asked for', async () => {
    const entries = [1, 3, 5].flatMap(seq => [opened(seq, `cell ${seq}`), settled(seq + 1, seq, { volatileReason: 'x' })])
    expect((await lines(entries, 2)).join('\n')).to.include('cell 3').and.include('cell 5').and.not.include('cell 1')
    expect(await lines(entries, 0)).to.deep.equal([])
  })

  it('survives entries of cells that it does not know', async () => {
    expect(await lines([settled(2, 1, {})])).to.deep.equal([])
  })
})

describe('the list of sessions', () => {
  const sessions = [{ id: 'a', cells: 1, updatedAt: at, bytes: 100 }, { id: 'longer', cells: 20, updatedAt: at + 1000, bytes: 3_500_000 }]

  it('is a table, newest first', () => {
    expect(sessionLines(sessions, false)).to.deep.equal([
      'SESSION  CELLS  CHANGED              SIZE', 'longer   20     2026-11-30 09:05:08  3.3 MiB', 'a        1      2026-11-30 09:05:07  100 B',
    ])
  })
  it('or JSON lines', () => expect(sessionLines(sessions, true).map(line => JSON.parse(line) as unknown)).to.deep.equal([sessions[1], sessions[0]]))
  it('writes times in an order that sorts', () => expect(timeOf(at)).to.equal('2026-11-30 09:05:07'))
})

// Two-phase confirmation (contract 3.3): what counts as kept, what is lost, and submissions that never ran.
import { expect } from 'chai'
import { Confirmations } from '../../../plugins/journal/host/confirmations.ts'
import type { CellRecord, Verdict } from '../../../plugins/journal/types.ts'
import { durable, noop, version10, volatile } from '../history.ts'

const reordered = Object.fromEntries(Object.entries(durable).reverse())

const rows: readonly (readonly [title: string, kept: unknown, Verdict])[] = [
  ['the record itself', durable, 'kept'], ['a copy in another order of fields', reordered, 'kept'], ['a copy by JSON', JSON.parse(JSON.stringify(durable)), 'kept'],
  ['nothing', undefined, 'missing'], ['null', null, 'changed'], ['a text', 'x', 'changed'], ['another status', volatile, 'changed'],
  ['a field less', { ...durable, cwd: undefined }, 'changed'], ['a field more', { ...durable, extra: 1 }, 'changed'], ['another generation', version10, 'changed'],
  ['another value', { ...durable, completion: { kind: 'return', hasValue: true, value: { codec: 'ptc-value-graph/v1', root: 1, nodes: [] } } }, 'changed'],
]

describe('confirmations by a host', () => {
  let said: Confirmations
  const append = (cell: number, record: CellRecord, byHost = true) => { said.appended('s', { kind: 'cell-settled', cell, record }, byHost) }
  beforeEach(() => { said = new Confirmations() })

  for (const [title, kept, verdict] of rows) it(`3.3 J2: ${title} is ${verdict}`, () => {
    append(1, durable)
    expect(said.confirm('s', 1, kept) !== null).to.equal(verdict === 'kept')
    expect(said.verdict('s', 1)).to.equal(verdict)
  })

  it('silence is a loss, and it is not taken back', () => {
    append(1, durable)
    expect(said.verdict('s', 1)).to.equal('missing')
    expect(said.confirm('s', 1, durable)).to.equal(null)
  })

  it('the first word counts', () => {
    append(1, durable)
    expect(said.confirm('s', 1, undefined)).to.equal(null)
    expect(said.confirm('s', 1, durable)).to.equal(null)
    expect(said.verdict('s', 1)).to.equal('missing')
  })

  it('is about records that wait, and no others', () => {
    expect(said.confirm('s', 1, durable), 'no such session').to.equal(null)
    append(1, durable, false)
    expect(said.confirm('s', 1, durable), 'confirmed by its append').to.equal(null)
    append(2, durable)
    expect(said.confirm('s', 3, durable), 'no such cell').to.equal(null)
    expect(said.confirm('t', 2, durable), 'of another session').to.equal(null)
    expect(said.confirm('s', 2, durable)).to.deep.equal(durable)
  })

  it('compares with what was appended, not with what its owner made of it later', () => {
    const record = { ...durable, namespaces: ['a'] }
    append(1, record)
    record.namespaces.push('b')
    expect(said.confirm('s', 1, { ...durable, namespaces: ['a'] })).to.not.equal(null)
  })

  it('3.3 a submission that never ran waits until a record that says so is certain', () => {
    said.neverRan('s', 7)
    said.neverRan('s', 3)
    expect([said.pending('s'), said.pending('t')]).to.deep.equal([[3, 7], []])
    append(9, { ...durable, confirms: [3] })
    expect(said.pending('s'), 'not certain yet').to.deep.equal([3, 7])
    said.confirm('s', 9, undefined)
    expect(said.pending('s'), 'lost').to.deep.equal([3, 7])
    append(11, { ...durable, confirms: [3, 7] })
    said.confirm('s', 11, { ...durable, confirms: [3, 7] })
    expect(said.pending('s')).to.deep.equal([])
    said.neverRan('s', 12)
    append(13, { ...noop, confirms: [12] }, false)
    expect(said.pending('s')).to.deep.equal([])
  })
})

// `search` (contract 4.1): ranking, byte budgets, pages and cursors. Would catch a page that is larger than it says, a contract that
// is cut or lost between pages, and a cursor that continues another question.
import { expect } from 'chai'
import { CapabilityExplorationError } from '../../../plugins/capabilities/index.ts'
import { MAX_SYMBOL_BYTES } from '../../../plugins/capabilities/names.ts'
import { inspected } from '../../../plugins/capabilities/explorer/fingerprint.ts'
import { search } from '../../../plugins/capabilities/explorer/search.ts'
import type { SearchPage } from '../../../plugins/capabilities/types.ts'
import { catalogOf, symbolsOf } from './catalogs.ts'

const text = (description: string) => ({ parameters: { type: 'object', properties: { path: { type: 'string', description } } } })
const catalog = catalogOf([
  ['files.read', 'Answers the text of a file.'],
  ['files.list', 'Lists what a folder holds.', text('A folder; relative ones start at the cell.')],
  ['orders.list', 'Lists orders.'],
  ['orders.find', 'Finds the orders of one customer that are still open.'],
  ['notes.add', 'Keeps a note.'],
  ['notes.read', 'Answers one note.'],
  ['tools.search_code', '在代码仓库中搜索指定的文本'],
  ['tools.read_file', '读取指定的文件'],
])

const FOUND: readonly (readonly [query: string, first: readonly string[], total: number])[] = [
  ['files.read', ['files.read'], 4],
  ['please use notes.add', ['notes.add'], 2],
  ['notes', ['notes.add', 'notes.read'], 2],
  ['list', ['files.list', 'orders.list'], 2],
  ['customer open orders', ['orders.find', 'orders.list'], 2],
  ['open the customer order', ['orders.find'], 4],
  ['relative folder', ['files.list'], 1],
  ['path', ['files.list'], 1],
  ['读取文件', ['tools.read_file'], 1],
  ['搜索文本', ['tools.search_code'], 1],
  ['指定 file', ['tools.read_file'], 4],
  ['仓库', ['tools.search_code'], 1],
  ['库', ['tools.search_code'], 1],
  ['nothing of the kind', ['files.read', 'orders.find'], 3],
  ['zebra', [], 0],
  ['?!', [], 0],
]

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** All pages, each checked for what it says about itself. */
function pages(over: typeof catalog, request: { query: string, budgetBytes?: number, limit?: number }): SearchPage[] {
  const all: SearchPage[] = []
  for (let cursor: string | null | undefined; cursor !== null; cursor = all.at(-1)!.nextCursor) {
    const page = search(over, { ...request, ...cursor === undefined ? {} : { cursor } })
    expect(page.usedBytes).to.equal(bytes(page)).and.at.most(request.budgetBytes ?? 16_384)
    expect(page.matches.length + page.oversized.length).to.be.within(1, request.limit ?? 10)
    all.push(page)
  }
  return all
}

describe('capabilities.search', () => {
  for (const [query, first, total] of FOUND) {
    it(`4.1 search ${JSON.stringify(query)}`, () => {
      const page = search(catalog, { query })
      expect(symbolsOf(page.matches).slice(0, first.length)).to.deep.equal(first)
      expect(page).to.deep.include({ total, oversized: [], budgetBytes: 16_384, nextCursor: null, usedBytes: bytes(page) })
    })
  }

  it('4.1 contracts are complete', () => {
    const [contract] = search(catalog, { query: 'files.list' }).matches
    expect(contract).to.equal(inspected(catalog.get('files.list')!.contract))
  })

  const many = catalogOf(Array.from({ length: 57 }, (_, i) => [`many.item${i}`, `An item ${'x'.repeat(i * 20)}`] as const))
  for (const request of [{ limit: 10 }, { limit: 1 }, { limit: 100 }, { budgetBytes: 512 }, { budgetBytes: 700, limit: 3 }, { budgetBytes: 1_000 }, { budgetBytes: 65_536, limit: 1_000 }]) {
    it(`4.1 pages hold everything once, within ${JSON.stringify(request)}`, () => {
      const all = pages(many, { query: 'item', ...request })
      const seen = all.flatMap(({ matches, oversized }) => [...symbolsOf(matches), ...oversized.map(({ symbol }) => symbol)])
      expect(seen).to.have.length(57)
      expect(new Set(seen).size).to.equal(57)
      for (const page of all) expect(page.total).to.equal(57)
    })
  }

  it('4.1 10 considered matches a page, 16384 bytes by default', () => {
    const page = search(many, { query: 'item' })
    expect(page).to.deep.include({ budgetBytes: 16_384, total: 57 })
    expect(page.matches).to.have.length(10)
  })

  it('4.1 a contract that can not fit is listed in oversized with what to ask inspect for, and never cut', () => {
    const large = catalogOf([['docs.large', `word ${'x'.repeat(2_000)}`], ['docs.small', 'word']])
    const [page, ...more] = pages(large, { query: 'word', budgetBytes: 1_000 })
    expect(more).to.deep.equal([])
    expect(symbolsOf(page!.matches)).to.deep.equal(['docs.small'])
    expect(page!.oversized).to.deep.equal([{ symbol: 'docs.large', bytes: bytes(inspected(large.get('docs.large')!.contract)), inspect: { symbols: ['docs.large'] } }])
    const whole = search(large, { query: 'word', budgetBytes: 3_000 })
    expect([symbolsOf(whole.matches), whole.oversized]).to.deep.equal([['docs.large', 'docs.small'], []])
  })

  it('4.1 the smallest budget holds the longest reference', () => {
    const longest = catalogOf(Array.from({ length: 1_000 }, (_, i) => [`n.${`${i}`.padEnd(MAX_SYMBOL_BYTES - 2, 'x')}`, 'x'.repeat(99_999)] as const))
    const page = search(longest, { query: 'n', budgetBytes: 512 })
    expect(page.oversized).to.have.length(1)
    expect(page.usedBytes).to.equal(bytes(page)).and.at.most(512)
  })

  it('4.1 the budget is exact: one byte less moves the last contract to the next page', () => {
    const full = search(many, { query: 'item', limit: 12, budgetBytes: 9_999 })
    // The count has as many digits in both, and so has the cursor, so that what is needed is what is used.
    expect([full.matches.length, `${full.usedBytes}`.length]).to.deep.equal([12, 4])
    const tight = search(many, { query: 'item', limit: 12, budgetBytes: full.usedBytes })
    expect(tight.matches).to.have.length(12)
    const short = search(many, { query: 'item', limit: 12, budgetBytes: full.usedBytes - 1 })
    expect(short.matches).to.have.length(11)
    expect(search(many, { query: 'item', limit: 1, cursor: short.nextCursor! }).matches).to.deep.equal([full.matches[11]])
  })

  it('4.1 multi-byte texts are counted in bytes', () => {
    const chinese = catalogOf(Array.from({ length: 30 }, (_, i) => [`文.m${i}`, '读取指定的文件'.repeat(i)] as const))
    pages(chinese, { query: '文件', budgetBytes: 1_024 })
  })

  it('4.1 a cursor gives the same page again, also for an equal catalog of another process', () => {
    const { nextCursor } = search(many, { query: 'item' })
    const equal = catalogOf([...many.entries()].map(({ symbol, contract }) => [symbol, contract.description] as const))
    const again = search(many, { query: 'item', cursor: nextCursor! })
    expect(again).to.deep.equal(search(many, { query: 'item', cursor: nextCursor! })).and.deep.equal(search(equal, { query: 'item', cursor: nextCursor! }))
  })

  it('4.1 a cursor is bound to the catalog and the query, and is refused with the reason', () => {
    const { nextCursor } = search(many, { query: 'item' })
    const changed = catalogOf([...many.entries()].map(({ symbol, contract }, i) => [symbol, contract.description, i === 56 ? { effect: 'write' } : {}] as const))
    for (const [over, query, cursor, reason] of [
      [changed, 'item', nextCursor, 'the catalog has changed'],
      [many, 'items', nextCursor, 'another query'],
      [many, 'item', `${nextCursor!}x`, 'not one that a search has answered'],
      [many, 'item', '', 'not one that a search has answered'],
    ] as const) {
      expect(() => search(over, { query, cursor: cursor! })).to.throw(CapabilityExplorationError, reason).with.property('operation', 'search')
    }
  })

  it('4.1 other requests are refused', () => {
    for (const bad of [
      undefined, null, 'item', [], {}, { query: '' }, { query: '  ' }, { query: 7 }, { query: 'x', budgetBytes: 511 }, { query: 'x', budgetBytes: 512.5 },
      { query: 'x', budgetBytes: '512' }, { query: 'x', limit: 0 }, { query: 'x', limit: Infinity }, { query: 'x', cursor: 1 }, { query: 'x', page: 1 },
    ]) expect(() => search(catalog, bad)).to.throw(CapabilityExplorationError).with.property('operation', 'search')
  })
})

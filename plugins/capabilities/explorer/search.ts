// Contracts by any of their words, best first, in pages of a given number of bytes. Lexical: it knows words, not meanings.
//
// A page depends on the catalog, the question and the place where it starts, and on nothing else: the same cursor gives the same
// page as long as the catalog is the same, and is refused when it is not.
import { CapabilityExplorationError } from '../errors.ts'
import type { InspectedContract, OversizedContract, SearchPage } from '../types.ts'
import { digest, type Catalog, type Entry } from './catalog.ts'
import { inspected } from './fingerprint.ts'
import { exactRank, RANK } from './lookup.ts'
import { parseSearch, type SearchRequest } from './request.ts'
import { queryTerms } from './words.ts'

export function search(catalog: Catalog, request: unknown): SearchPage {
  const parsed = parseSearch(request)
  const cursors = new Cursors(catalog, parsed.query)
  const start = parsed.cursor === undefined ? 0 : cursors.parse(parsed.cursor)
  return fill(rank(catalog, parsed.query), start, parsed, cursors)
}

/** How fast another occurrence of a term stops to matter (k1 of BM25). */
const SATURATION = 1.2
/** No name is the question. */
const NO_RANK = RANK.words

/**
 * Members with at least one term of the question. First those whose symbol, namespace or name is the question, and those whose
 * symbol is a part of it; then by BM25 without length (texts are all short): rare terms and terms in names weigh most.
 */
function rank(catalog: Catalog, query: string): Entry[] {
  const scores = new Map<Entry, number>()
  for (const term of queryTerms(query)) {
    const postings = catalog.postings(term)
    const rarity = Math.log(1 + (catalog.size - postings.length + 0.5) / (postings.length + 0.5))
    for (const { entry, weight } of postings) {
      scores.set(entry, (scores.get(entry) ?? 0) + rarity * weight / (weight + SATURATION))
    }
  }
  const whole = query.trim().toLowerCase()
  const parts = new Set(whole.split(/\s+/u))
  const hits: { readonly entry: Entry, readonly rank: number, readonly score: number }[] = []
  for (const entry of catalog.entries()) {
    const score = scores.get(entry)
    const exact = exactRank(entry, whole) ?? (parts.has(entry.lower.symbol) ? RANK.symbol : undefined)
    if (score !== undefined || exact !== undefined) hits.push({ entry, rank: exact ?? NO_RANK, score: score ?? 0 })
  }
  // The sort keeps the order of the catalog between equals, so that pages are stable.
  hits.sort((a, b) => a.rank - b.rank || b.score - a.score)
  return hits.map(({ entry }) => entry)
}

function fill(hits: readonly Entry[], start: number, { budgetBytes, limit }: SearchRequest, cursors: Cursors): SearchPage {
  const matches: InspectedContract[] = []
  const oversized: OversizedContract[] = []
  const page = (usedBytes: number, next: number | null): SearchPage =>
    ({ matches, oversized, total: hits.length, usedBytes, budgetBytes, nextCursor: next === null ? null : cursors.at(next) })
  // The longest cursor and the longest count that there can be, so that what is added later always has its place.
  const empty = bytesOf(page(budgetBytes, hits.length))
  let used = empty
  let next = start
  for (const end = Math.min(hits.length, start + limit); next < end; next++) {
    const { contract: declared, symbol } = hits[next]!
    const contract = inspected(declared)
    const bytes = bytesOf(contract)
    const alone = empty + bytes <= budgetBytes
    const reference = { symbol, bytes, inspect: { symbols: [symbol] } }
    const cost = (alone ? bytes : bytesOf(reference)) + 1 // and its comma
    if (used + cost - 1 > budgetBytes) break // the page is full; alone, it would fit
    if (alone) matches.push(contract)
    else oversized.push(reference)
    used += cost
  }
  const following = next < hits.length ? next : null
  // The count is a part of what it counts, and its digits may carry over.
  let usedBytes = bytesOf(page(0, following))
  while (bytesOf(page(usedBytes, following)) !== usedBytes) usedBytes = bytesOf(page(usedBytes, following))
  return page(usedBytes, following)
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Places in the ranking of one question over one catalog, as `catalog.question.place`. */
class Cursors {
  private readonly catalog: string
  private readonly question: string

  constructor(catalog: Catalog, query: string) {
    this.catalog = catalog.fingerprint
    this.question = digest(query)
  }

  at(place: number): string {
    return `${this.catalog}.${this.question}.${place}`
  }

  parse(cursor: string): number {
    const refuse = (detail: string): never => { throw new CapabilityExplorationError('search', `the cursor is refused: ${detail}`) }
    const match = /^([\w-]{11})\.([\w-]{11})\.(\d{1,9})$/u.exec(cursor)
    if (!match) return refuse('it is not one that a search has answered')
    if (match[1] !== this.catalog) return refuse('the catalog has changed since; search again without it')
    if (match[2] !== this.question) return refuse('it belongs to another query')
    return Number(match[3])
  }
}

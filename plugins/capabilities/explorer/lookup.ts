// The plain questions: which members there are, what the contracts of some of them say, and which ones have a name or a description
// with given words. Reads the catalog, calls nothing.
import type { CapabilityTreeNode, Finding, Inspection } from '../types.ts'
import type { Catalog, Entry, Posting } from './catalog.ts'
import { inspected } from './fingerprint.ts'
import { parseFind, parseInspect } from './request.ts'
import { singular, words } from './words.ts'

export function tree(catalog: Catalog): CapabilityTreeNode[] {
  return catalog.segments.map(({ namespace, entries }) => ({ namespace, members: [...entries.keys()] }))
}

/**
 * The contracts of the symbols that were asked for, in that order, or of all; `budget` bounds their number and `omitted` says
 * how many more there are. Throws a CapabilityExplorationError, which is a TypeError, for another kind of request.
 */
export function inspect(catalog: Catalog, request: unknown): Inspection {
  const { symbols, budget } = parseInspect(request)
  const found = symbols === undefined ? [...catalog.entries()] : symbols.flatMap(symbol => catalog.get(symbol) ?? [])
  return {
    symbols: found.slice(0, budget).map(({ contract }) => inspected(contract)),
    omitted: Math.max(0, found.length - budget),
    unknown: symbols?.filter(symbol => catalog.get(symbol) === undefined) ?? [],
    budget,
  }
}

/** How well a member's name answers a question, best first. */
export const RANK = { symbol: 0, namespace: 1, member: 2, words: 3, description: 4 } as const

/** Which exact name the question is, if any; `query` in lower case. */
export function exactRank({ lower }: Entry, query: string): number | undefined {
  if (lower.symbol === query) return RANK.symbol
  if (lower.namespace === query) return RANK.namespace
  return lower.name === query ? RANK.member : undefined
}

/**
 * Members whose symbol, namespace or name is the text, in any case of letters; then those with its words next to each other in the
 * symbol; then in the description. The same rank: in the order of the catalog. A miss says that no text matches, nothing more.
 */
export function find(catalog: Catalog, request: unknown): Finding[] {
  const query = parseFind(request)
  const wanted = words(query)
  const exact = query.trim().toLowerCase()
  const ranks = new Map<Entry, number>()
  for (const entry of catalog.entries()) {
    const rank = exactRank(entry, exact)
    if (rank !== undefined) ranks.set(entry, rank)
  }
  for (const { entry } of candidates(catalog, wanted)) {
    if (ranks.has(entry)) continue
    if (containsRun(entry.nameWords, wanted)) ranks.set(entry, RANK.words)
    else if (containsRun(entry.descriptionWords, wanted)) ranks.set(entry, RANK.description)
  }
  const ordered = Object.values(RANK).flatMap(rank => [...ranks].filter(([, found]) => found === rank))
  return ordered.map(([{ symbol, contract: { description, completeness, effect, replay } }]) =>
    ({ symbol, ...description === undefined ? {} : { description }, completeness, effect, replay }))
}

/** Members that have at least the rarest of the words. */
function candidates(catalog: Catalog, wanted: readonly string[]): readonly Posting[] {
  const lists = wanted.map(word => catalog.postings(singular(word)))
  return lists.reduce((rarest, list) => list.length < rarest.length ? list : rarest, lists[0] ?? [])
}

function containsRun(all: readonly string[], wanted: readonly string[]): boolean {
  for (let start = 0; start + wanted.length <= all.length; start++) {
    if (wanted.every((word, i) => all[start + i] === word)) return true
  }
  return false
}

// What the explorer may see, indexed for looking up. A segment is one namespace; it is made once, when the namespace is first
// asked about, so that a plugin which comes or goes costs the index of its own members only.
import { createHash } from 'node:crypto'
import type { MemberContract } from '../types.ts'
import { termsOf, words } from './words.ts'

export interface Entry {
  readonly symbol: string
  readonly contract: MemberContract
  /** What a question may name exactly, in lower case. */
  readonly lower: { readonly symbol: string, readonly namespace: string, readonly name: string }
  /** Words of the symbol, and of the description. */
  readonly nameWords: readonly string[]
  readonly descriptionWords: readonly string[]
}

export interface Posting { readonly entry: Entry, readonly weight: number }

/** What a term in the symbol, in the description, and in the schema of the argument says about a member. */
const WEIGHTS = { symbol: 3, description: 1, schema: 0.5 } as const

export class Segment {
  readonly namespace: string
  /** By member name, in name order. */
  readonly entries: ReadonlyMap<string, Entry>
  private filed: ReadonlyMap<string, readonly Posting[]> | undefined
  private hash: string | undefined

  /** `contracts` of one namespace, in name order. */
  constructor(namespace: string, contracts: readonly MemberContract[]) {
    this.namespace = namespace
    this.entries = new Map(contracts.map(contract => [contract.name, entryOf(contract)]))
  }

  /** Where a term occurs. */
  postings(term: string): readonly Posting[] {
    this.filed ??= file(this.entries.values())
    return this.filed.get(term) ?? []
  }

  /** The same for the same contracts, in any process. */
  get digest(): string {
    return this.hash ??= digest(JSON.stringify([...this.entries.values()].map(({ contract }) => contract)))
  }
}

export class Catalog {
  /** In name order. */
  readonly segments: readonly Segment[]
  readonly size: number
  private readonly byName: ReadonlyMap<string, Segment>
  private hash: string | undefined

  constructor(segments: readonly Segment[]) {
    this.segments = segments
    this.byName = new Map(segments.map(segment => [segment.namespace, segment]))
    this.size = segments.reduce((sum, { entries }) => sum + entries.size, 0)
  }

  /** Names of namespaces have no dots, names of members may. */
  get(symbol: string): Entry | undefined {
    const dot = symbol.indexOf('.')
    return this.byName.get(symbol.slice(0, dot))?.entries.get(symbol.slice(dot + 1))
  }

  * entries(): Generator<Entry> {
    for (const { entries } of this.segments) yield* entries.values()
  }

  /** Postings of a term, in the order of the catalog. */
  postings(term: string): Posting[] {
    return this.segments.flatMap(segment => segment.postings(term))
  }

  /** Tells this catalog from one in which any contract differs. */
  get fingerprint(): string {
    return this.hash ??= digest(this.segments.map(segment => segment.digest).join('\n'))
  }
}

/** 64 bits of SHA-256: enough to notice a change, short enough for a cursor. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 11)
}

function entryOf(contract: MemberContract): Entry {
  const symbol = `${contract.namespace}.${contract.name}`
  const lower = { symbol: symbol.toLowerCase(), namespace: contract.namespace.toLowerCase(), name: contract.name.toLowerCase() }
  return { symbol, contract, lower, nameWords: words(symbol), descriptionWords: words(contract.description ?? '') }
}

function file(entries: Iterable<Entry>): Map<string, Posting[]> {
  const filed = new Map<string, Posting[]>()
  for (const entry of entries) {
    const weights = new Map<string, number>()
    const note = (text: string, weight: number): void => {
      for (const term of termsOf(text)) weights.set(term, (weights.get(term) ?? 0) + weight)
    }
    note(entry.symbol, WEIGHTS.symbol)
    note(entry.contract.description ?? '', WEIGHTS.description)
    eachSchemaText(entry.contract.parameters, text => note(text, WEIGHTS.schema))
    for (const [term, weight] of weights) {
      const postings = filed.get(term)
      if (postings) postings.push({ entry, weight })
      else filed.set(term, [{ entry, weight }])
    }
  }
  return filed
}

/** Names of properties and descriptions, at any depth. Schemas are copies without cycles. */
function eachSchemaText(schema: unknown, use: (text: string) => void): void {
  if (typeof schema !== 'object' || schema === null) return
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'description' && typeof value === 'string') use(value)
    else if (key === 'properties' && typeof value === 'object' && value !== null) {
      for (const [name, property] of Object.entries(value)) { use(name); eachSchemaText(property, use) }
    } else eachSchemaText(value, use)
  }
}

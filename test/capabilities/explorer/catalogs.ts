// Catalogs for the explorer's tests, from short rows: a symbol, and whatever else its contract says.
import { Catalog, Segment } from '../../../plugins/capabilities/explorer/catalog.ts'
import type { MemberContract } from '../../../plugins/capabilities/types.ts'

export type Row = readonly [symbol: string, description?: string | undefined, rest?: Partial<MemberContract>]

export function catalogOf(rows: readonly Row[]): Catalog {
  const byNamespace = new Map<string, MemberContract[]>()
  for (const [symbol, description, rest] of [...rows].sort(([a], [b]) => a < b ? -1 : 1)) {
    const [namespace = '', ...name] = symbol.split('.')
    const contracts = byNamespace.get(namespace) ?? []
    byNamespace.set(namespace, contracts)
    contracts.push({
      namespace, name: name.join('.'), ...description === undefined ? {} : { description }, parameters: null, returns: null,
      completeness: 'unknown', effect: 'unknown', authority: 'ptc-plus-program-binding', replay: 'recorded-value', ...rest,
    })
  }
  return new Catalog([...byNamespace].map(([namespace, contracts]) => new Segment(namespace, contracts)))
}

/** What the answer says, without what a test does not ask about. */
export const symbolsOf = (contracts: readonly MemberContract[]): string[] => contracts.map(({ namespace, name }) => `${namespace}.${name}`)

// What a program can find out about what it may call. Reads contracts, calls nothing, holds nothing.
import { CapabilityExplorationError } from './errors.ts'
import type { Target } from './contract.ts'
import type { CapabilityService, CapabilityTreeNode, Inspection, MemberContract, Members } from './types.ts'

/** The namespace under which programs ask. It does not list itself. */
export const EXPLORER = 'capabilities'
export const EXPLORER_ERROR = Object.freeze({ name: 'CapabilityExplorationError', memberNameProperty: 'operation' })
export const DEFAULT_BUDGET = 50

/** What the explorer may see: namespaces in name order, each with its members in name order. */
export type Catalog = readonly (readonly [namespace: string, targets: ReadonlyMap<string, Target>])[]

export function tree(catalog: Catalog): CapabilityTreeNode[] {
  return catalog.map(([namespace, targets]) => ({ namespace, members: [...targets.keys()] }))
}

/**
 * The contracts of the symbols that were asked for, in that order, or of all; `budget` bounds their number and `omitted` says
 * how many more there are. Throws a CapabilityExplorationError, which is a TypeError, for another kind of request.
 */
export function inspect(catalog: Catalog, request: unknown): Inspection {
  const { symbols, budget } = parseRequest(request)
  const known = new Map<string, MemberContract>()
  for (const [namespace, targets] of catalog) for (const [name, { contract }] of targets) known.set(`${namespace}.${name}`, contract)
  const wanted = symbols ?? [...known.keys()]
  const found = wanted.flatMap(symbol => known.get(symbol) ?? [])
  return {
    symbols: found.slice(0, budget),
    omitted: Math.max(0, found.length - budget),
    unknown: wanted.filter(symbol => !known.has(symbol)),
    budget,
  }
}

function parseRequest(request: unknown): { symbols: string[] | undefined, budget: number } {
  const refuse = (detail: string): never => {
    throw new CapabilityExplorationError('inspect', `capabilities.inspect takes nothing or {symbols?, budget?}: ${detail}`)
  }
  if (request === undefined) return { symbols: undefined, budget: DEFAULT_BUDGET }
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return refuse('the argument is not an object')
  for (const key of Object.keys(request)) if (key !== 'symbols' && key !== 'budget') return refuse(`there is no option ${JSON.stringify(key)}`)
  const { symbols, budget = DEFAULT_BUDGET } = request as Record<string, unknown>
  if (!Number.isSafeInteger(budget) || (budget as number) < 1) return refuse('budget is not a whole number of at least 1')
  if (symbols === undefined) return { symbols, budget: budget as number }
  if (!Array.isArray(symbols) || !symbols.every(symbol => typeof symbol === 'string')) return refuse('symbols is not a list of texts')
  return { symbols: [...new Set(symbols as string[])], budget: budget as number }
}

/** The explorer as members like any others, so that a call of them is dispatched, recorded and replayed like any other. */
export function explorerMembers(service: Pick<CapabilityService, 'tree' | 'inspect'>): Members {
  const common = { replay: 'recorded-value', effect: 'none', completeness: 'complete' } as const
  return {
    tree: {
      ...common,
      description: 'Lists the namespaces that can be called here, with the names of their members.',
      returns: {
        type: 'array',
        items: {
          type: 'object', required: ['namespace', 'members'], additionalProperties: false,
          properties: { namespace: { type: 'string' }, members: { type: 'array', items: { type: 'string' } } },
        },
      },
      call(args) {
        if (args !== undefined) throw new CapabilityExplorationError('tree', 'capabilities.tree takes no argument')
        return service.tree()
      },
    },
    inspect: {
      ...common,
      description: 'Shows the contracts of members: what they take and answer, what they do, and what a replay does with a call.',
      parameters: {
        type: 'object', additionalProperties: false,
        properties: { symbols: { type: 'array', items: { type: 'string' } }, budget: { type: 'integer', minimum: 1 } },
      },
      returns: {
        type: 'object', required: ['symbols', 'omitted', 'unknown', 'budget'], additionalProperties: false,
        properties: {
          symbols: { type: 'array', items: { type: 'object' } }, omitted: { type: 'integer' },
          unknown: { type: 'array', items: { type: 'string' } }, budget: { type: 'integer' },
        },
      },
      call: args => service.inspect(args as { symbols?: readonly string[], budget?: number }),
    },
  }
}

// Questions of programs, read into what the explorer works with. Anything else is a CapabilityExplorationError that says why.
import { CapabilityExplorationError } from '../errors.ts'

export const DEFAULT_BUDGET = 50
export const DEFAULT_BUDGET_BYTES = 16_384
/** A page that can hold the reference to a contract that it can not hold; see MAX_SYMBOL_BYTES in names.ts. */
export const MIN_BUDGET_BYTES = 512
export const DEFAULT_LIMIT = 10

export interface InspectRequest { readonly symbols: readonly string[] | undefined, readonly budget: number }

export interface SearchRequest {
  readonly query: string
  readonly budgetBytes: number
  readonly limit: number
  readonly cursor: string | undefined
}

const refuse = (operation: string, detail: string): never => {
  throw new CapabilityExplorationError(operation, `capabilities.${operation} takes ${TAKES[operation]}: ${detail}`)
}

const TAKES: { readonly [operation: string]: string } = {
  tree: 'no argument',
  find: 'a text to look for',
  inspect: 'nothing or {symbols?, budget?}',
  search: '{query, budgetBytes?, limit?, cursor?}',
}

export function parseNothing(request: unknown): void {
  if (request !== undefined) refuse('tree', 'there is one')
}

export function parseFind(request: unknown): string {
  if (typeof request !== 'string') return refuse('find', 'the argument is not a text')
  if (request.trim() === '') return refuse('find', 'the text is empty')
  return request
}

export function parseInspect(request: unknown): InspectRequest {
  if (request === undefined) return { symbols: undefined, budget: DEFAULT_BUDGET }
  const { symbols, budget = DEFAULT_BUDGET } = parseOptions('inspect', request, ['symbols', 'budget'])
  if (!isCount(budget, 1)) return refuse('inspect', 'budget is not a whole number of at least 1')
  if (symbols === undefined) return { symbols, budget }
  if (!Array.isArray(symbols) || !symbols.every(symbol => typeof symbol === 'string')) return refuse('inspect', 'symbols is not a list of texts')
  return { symbols: [...new Set(symbols as string[])], budget }
}

export function parseSearch(request: unknown): SearchRequest {
  const options = parseOptions('search', request, ['query', 'budgetBytes', 'limit', 'cursor'])
  const { query, budgetBytes = DEFAULT_BUDGET_BYTES, limit = DEFAULT_LIMIT, cursor } = options
  if (typeof query !== 'string' || query.trim() === '') return refuse('search', 'query is not a text, or is empty')
  if (!isCount(budgetBytes, MIN_BUDGET_BYTES)) return refuse('search', `budgetBytes is not a whole number of at least ${MIN_BUDGET_BYTES}`)
  if (!isCount(limit, 1)) return refuse('search', 'limit is not a whole number of at least 1')
  if (cursor !== undefined && typeof cursor !== 'string') return refuse('search', 'cursor is not a text')
  return { query, budgetBytes, limit, cursor }
}

function parseOptions(operation: string, request: unknown, known: readonly string[]): Record<string, unknown> {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return refuse(operation, 'the argument is not an object')
  for (const key of Object.keys(request)) if (!known.includes(key)) refuse(operation, `there is no option ${JSON.stringify(key)}`)
  return { ...request }
}

function isCount(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least
}

// The documents of capability management, each with its version, its shape, and the one function that reads it. A document comes from a
// file, a form or a session's log; whoever takes one parses it here, and gets a fresh, complete value or a CapabilityError.
import { CapabilityError } from '../errors.ts'
import { isTarget } from './closures.ts'

export const ENVIRONMENT_SCHEMA = 'ptc-capability-environment/v5'
export const POLICY_SCHEMA = 'ptc-capability-policy/v1'
export const STATISTICS_SCHEMA = 'ptc-capability-statistics/v1'
/** Of a session's sample in the statistics; what it calls beyond that is not noted. */
export const MAX_SAMPLE_SYMBOLS = 1_000
export const MAX_SAMPLES = 10_000

/** Whether a member can be called at all. */
export type Availability = 'enabled' | 'disabled'
/**
 * How a reader learns of a member. `host`: as the budgets allow. `full`: its declaration, whatever the budgets say. `directory`: its name,
 * as the directory's budget allows. `search`: only by asking the explorer.
 */
export type Disclosure = 'host' | 'full' | 'directory' | 'search'

/** What is decided about the members that a rule is for. A field that is absent is left to a rule for more of them. */
export interface Rule { readonly availability?: Availability, readonly disclosure?: Disclosure }

/** Rules, the more special before the more general: member, MCP server, namespace, default. */
export interface Policy {
  readonly schema: typeof POLICY_SCHEMA
  readonly default: Required<Rule>
  readonly namespaces: { readonly [namespace: string]: Rule }
  readonly servers: { readonly [server: string]: Rule }
  readonly members: { readonly [symbol: string]: Rule }
  readonly allocation: {
    /** Members of the baseline come first. */
    readonly baseline: boolean
    /** Off: every declaration is full. */
    readonly budget: boolean
    /** What sessions have called decides who is declared, as soon as there are enough of them (`PlanSettings.statistics`). */
    readonly statistics: boolean
  }
}

export const DEFAULT_POLICY: Policy = {
  schema: POLICY_SCHEMA, default: { availability: 'enabled', disclosure: 'host' }, namespaces: {}, servers: {}, members: {},
  allocation: { baseline: true, budget: true, statistics: false },
}

/** What a session was offered when it was composed, and what it has given up since. Plain JSON; its owner keeps it. */
export interface Environment {
  readonly schema: typeof ENVIRONMENT_SCHEMA
  /** Sorted. */
  readonly closures: readonly string[]
  /** Null as long as nothing has been composed. */
  readonly composition: Composition | null
}

/** Which members a session is offered, and how it learns of them. Each list sorted, no member in two. */
export interface Composition {
  /** False: management was off, and neither this list nor closures apply. */
  readonly managed: boolean
  readonly full: readonly string[]
  readonly directory: readonly string[]
  readonly search: readonly string[]
}

/** Which members sessions have called, a sample a session. Plain JSON; its owner keeps it. */
export interface Statistics {
  readonly schema: typeof STATISTICS_SCHEMA
  /** By when the session has last called a member, oldest first; each session once. At most 10,000. */
  readonly samples: readonly Sample[]
}

export interface Sample {
  readonly session: string
  /** What it has called while it was in the window: 1 to 1,000, sorted. */
  readonly symbols: readonly string[]
}

export const NO_STATISTICS: Statistics = Object.freeze({ schema: STATISTICS_SCHEMA, samples: Object.freeze([]) })

const AVAILABILITY: { readonly [Key in Availability]: true } = { enabled: true, disabled: true }
const DISCLOSURE: { readonly [Key in Disclosure]: true } = { host: true, full: true, directory: true, search: true }

type Fields = Readonly<Record<string, unknown>>
const refuse = (document: string, detail: string): never => { throw new CapabilityError('bad-document', document, detail) }

export function parsePolicy(value: unknown): Policy {
  const { schema, default: fallback = {}, namespaces = {}, servers = {}, members = {}, allocation = {} } = closed('the policy', value,
    ['schema', 'default', 'namespaces', 'servers', 'members', 'allocation'])
  if (schema !== POLICY_SCHEMA) return refuse('the policy', `its schema is not ${POLICY_SCHEMA}`)
  const { baseline = true, budget = true, statistics = false } = closed('allocation', allocation, ['baseline', 'budget', 'statistics'])
  if (typeof baseline !== 'boolean' || typeof budget !== 'boolean' || typeof statistics !== 'boolean') return refuse('allocation', 'a switch is not true or false')
  return {
    schema, default: { ...DEFAULT_POLICY.default, ...parseRule('default', fallback) },
    namespaces: parseRules('namespaces', namespaces), servers: parseRules('servers', servers), members: parseRules('members', members),
    allocation: { baseline, budget, statistics },
  }
}

export function parseEnvironment(value: unknown): Environment {
  const { schema, closures, composition } = closed('the environment', value, ['schema', 'closures', 'composition'])
  if (schema !== ENVIRONMENT_SCHEMA) return refuse('the environment', `its schema is not ${ENVIRONMENT_SCHEMA}`)
  return { schema, closures: parseTargets('closures', closures), composition: composition === null ? null : parseComposition(composition) }
}

export function parseStatistics(value: unknown): Statistics {
  const { schema, samples } = closed('the statistics', value, ['schema', 'samples'])
  if (schema !== STATISTICS_SCHEMA) return refuse('the statistics', `their schema is not ${STATISTICS_SCHEMA}`)
  if (!Array.isArray(samples) || samples.length > MAX_SAMPLES) return refuse('the statistics', `their samples are not a list of at most ${MAX_SAMPLES}`)
  const parsed = samples.map((sample: unknown): Sample => {
    const { session, symbols } = closed('a sample', sample, ['session', 'symbols'])
    if (typeof session !== 'string' || session === '') return refuse('a sample', 'its session is not a text')
    const known = parseTargets('a sample', symbols)
    if (known.length === 0 || known.length > MAX_SAMPLE_SYMBOLS) return refuse('a sample', `it does not have 1 to ${MAX_SAMPLE_SYMBOLS} symbols`)
    return { session, symbols: known }
  })
  if (new Set(parsed.map(({ session }) => session)).size < parsed.length) return refuse('the statistics', 'a session is in them twice')
  return { schema, samples: parsed }
}

function parseComposition(value: unknown): Composition {
  const { managed, ...lists } = closed('the composition', value, ['managed', 'full', 'directory', 'search'])
  if (typeof managed !== 'boolean') return refuse('the composition', 'managed is not true or false')
  const [full, directory, search] = (['full', 'directory', 'search'] as const).map(name => parseTargets(name, lists[name]))
  if (new Set([...full!, ...directory!, ...search!]).size !== full!.length + directory!.length + search!.length) {
    return refuse('the composition', 'a member is in two of its lists')
  }
  return { managed, full: full!, directory: directory!, search: search! }
}

/** A list of targets: sorted, each once. */
export function parseTargets(document: string, value: unknown): string[] {
  if (!Array.isArray(value) || !value.every(isTarget)) return refuse(document, 'it is not a list of symbols and namespaces')
  return [...new Set(value)].sort()
}

function parseRules(document: string, value: unknown): { readonly [key: string]: Rule } {
  return Object.fromEntries(Object.entries(fields(document, value)).map(([key, rule]) => [key, parseRule(`${document}.${key}`, rule)]))
}

function parseRule(document: string, value: unknown): Rule {
  const { availability, disclosure } = closed(document, value, ['availability', 'disclosure'])
  if (availability !== undefined && !isOneOf(AVAILABILITY, availability)) return refuse(document, `availability is not one of ${Object.keys(AVAILABILITY).join(', ')}`)
  if (disclosure !== undefined && !isOneOf(DISCLOSURE, disclosure)) return refuse(document, `disclosure is not one of ${Object.keys(DISCLOSURE).join(', ')}`)
  return { ...availability === undefined ? {} : { availability }, ...disclosure === undefined ? {} : { disclosure } }
}

/** The fields of a document that has no others than these. */
export function closed(document: string, value: unknown, known: readonly string[]): Fields {
  const found = fields(document, value)
  for (const key of Object.keys(found)) if (!known.includes(key)) refuse(document, `there is no field ${JSON.stringify(key)}`)
  return found
}

function fields(document: string, value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(document, 'it is not an object')
  return { ...value }
}

function isOneOf<T extends string>(table: { readonly [Key in T]: true }, value: unknown): value is T {
  return typeof value === 'string' && Object.hasOwn(table, value)
}

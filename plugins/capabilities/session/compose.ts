// Which members a session is offered and how it learns of them: pure, from the members there are, the policy and the budgets. The same
// input gives the same composition, in any order of registration.
import { serverOf } from './closures.ts'
import { CapabilityError } from '../errors.ts'
import { DEFAULT_POLICY, parsePolicy, parseTargets, type Composition, type Disclosure, type Policy, type Rule } from './documents.ts'

export interface Candidate {
  readonly namespace: string
  readonly member: string
  /** Bytes of UTF-8 that its declaration takes. */
  readonly bytes: number
}

/** The settings of capability management. They are read when a session is composed, and not again until it is refreshed. */
export interface PlanSettings {
  /** Off by default: the surface is what is registered, and closures are kept but not applied. */
  readonly managementEnabled: boolean
  /** Members that are declared before others: symbols, or namespaces. */
  readonly baseline: readonly string[]
  readonly policy: Policy
  /** Bytes of UTF-8 for declarations, at least 1. */
  readonly budgetBytes: number
  /** Bytes of UTF-8 for the names of members that are not declared, at least 512. */
  readonly directoryBytes: number
}

export const DEFAULT_SETTINGS: PlanSettings = Object.freeze({
  managementEnabled: false, baseline: [], policy: DEFAULT_POLICY, budgetBytes: 16_384, directoryBytes: 2_048,
})

const UNMANAGED: Composition = Object.freeze({ managed: false, full: [], directory: [], search: [] })

export function parseSettings(value: { readonly [Key in keyof PlanSettings]: unknown }): PlanSettings {
  const { managementEnabled, baseline, policy, budgetBytes, directoryBytes } = value
  const refuse = (detail: string): never => { throw new CapabilityError('bad-document', 'the settings', detail) }
  const atLeast = (name: string, bytes: unknown, least: number): number =>
    Number.isSafeInteger(bytes) && (bytes as number) >= least ? bytes as number : refuse(`${name} is not a whole number of at least ${least}`)
  if (typeof managementEnabled !== 'boolean') return refuse('managementEnabled is not true or false')
  return {
    managementEnabled, baseline: parseTargets('the baseline', baseline), policy: parsePolicy(policy),
    budgetBytes: atLeast('budgetBytes', budgetBytes, 1), directoryBytes: atLeast('directoryBytes', directoryBytes, 512),
  }
}

export function compose(candidates: readonly Candidate[], settings: PlanSettings): Composition {
  const { managementEnabled, policy, baseline, budgetBytes, directoryBytes } = settings
  if (!managementEnabled) return UNMANAGED
  const first = new Set(policy.allocation.baseline ? baseline : [])
  const rows = candidates.map(({ namespace, member, bytes }) => {
    const symbol = `${namespace}.${member}`
    return { symbol, bytes, ...ruleFor(policy, namespace, member, symbol), late: first.has(symbol) || first.has(namespace) ? 0 : 1 }
  }).filter(({ availability }) => availability === 'enabled')
  rows.sort((a, b) => a.late - b.late || (a.symbol < b.symbol ? -1 : 1))

  const lists: Record<Exclude<Disclosure, 'host'>, string[]> = { full: [], directory: [], search: [] }
  // What a rule declares is declared, and leaves less to share.
  let budget = rows.reduce((left, { disclosure, bytes }) => disclosure === 'full' ? left - bytes : left, budgetBytes)
  let directory = directoryBytes
  for (const { symbol, bytes, disclosure } of rows) {
    const isFull = disclosure === 'full' || (disclosure === 'host' && (!policy.allocation.budget || bytes <= budget))
    if (isFull) {
      if (disclosure === 'host') budget -= bytes
      lists.full.push(symbol)
      continue
    }
    const cost = Buffer.byteLength(symbol) + 2
    if (disclosure === 'search' || cost > directory) lists.search.push(symbol)
    else { directory -= cost; lists.directory.push(symbol) }
  }
  return { managed: true, full: lists.full.sort(), directory: lists.directory.sort(), search: lists.search.sort() }
}

/** The most special rule that says something, field by field. */
function ruleFor(policy: Policy, namespace: string, member: string, symbol: string): Required<Rule> {
  const server = serverOf(namespace, member)
  const own = (rules: { readonly [key: string]: Rule }, key: string | undefined): Rule => key !== undefined && Object.hasOwn(rules, key) ? rules[key]! : {}
  return { ...policy.default, ...own(policy.namespaces, namespace), ...own(policy.servers, server), ...own(policy.members, symbol) }
}

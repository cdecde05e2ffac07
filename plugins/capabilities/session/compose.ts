// Which members a session is offered and how it learns of them: pure, from the members there are, the policy, the budgets and what other
// sessions have called. The same input gives the same composition, in any order of registration.
import { isTransport, serverOf } from './closures.ts'
import type { Composition, Disclosure, Policy, Rule, Statistics } from './documents.ts'
import { allocationOf, type PlanSettings } from './settings.ts'

export interface Candidate {
  readonly namespace: string
  readonly member: string
  /** Bytes of UTF-8 that its declaration takes. */
  readonly bytes: number
}

const UNMANAGED: Composition = Object.freeze({ managed: false, full: [], directory: [], search: [] })

export function compose(candidates: readonly Candidate[], settings: PlanSettings, statistics: Statistics): Composition {
  if (!settings.managementEnabled) return UNMANAGED
  const { policy, baseline, budgetBytes, directoryBytes } = allocationOf(settings)
  const first = new Set(policy.allocation.baseline ? baseline : [])
  const callers = policy.allocation.statistics ? callersOf(settings, statistics) : undefined
  const rows = candidates.map(({ namespace, member, bytes }) => {
    const symbol = `${namespace}.${member}`
    return { symbol, bytes, ...ruleFor(policy, namespace, member, symbol), isFirst: first.has(symbol) || first.has(namespace), callers: callers?.get(symbol) ?? 0 }
  }).filter(({ availability, symbol }) => availability === 'enabled' && !isTransport(symbol))
  // The baseline is what somebody has said, the callers are what was counted.
  rows.sort((a, b) => Number(b.isFirst) - Number(a.isFirst) || b.callers - a.callers || (a.symbol < b.symbol ? -1 : 1))

  const transports = candidates.map(({ namespace, member }) => `${namespace}.${member}`).filter(isTransport)
  const lists: Record<Exclude<Disclosure, 'host'>, string[]> = { full: [...new Set(transports)], directory: [], search: [] }
  // What a rule declares is declared, and leaves less to share.
  let budget = rows.reduce((left, { disclosure, bytes }) => disclosure === 'full' ? left - bytes : left, budgetBytes)
  let directory = directoryBytes
  for (const { symbol, bytes, disclosure, isFirst, callers: used } of rows) {
    const isWanted = callers === undefined || isFirst || used > 0
    const isFull = disclosure === 'full' || (disclosure === 'host' && isWanted && (!policy.allocation.budget || bytes <= budget))
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

/**
 * Of the members that enough sessions of the window have called, how many have; undefined while the statistics decide nothing. The
 * sample is a session, not a cell: what is decided is what a session is told when it begins, and one long session is one voice.
 */
function callersOf({ statistics: { enabled, windowSize, minimumSamples, fullThreshold } }: PlanSettings, { samples }: Statistics): Map<string, number> | undefined {
  const counted = samples.slice(-windowSize)
  if (!enabled || counted.length < minimumSamples) return undefined
  const callers = new Map<string, number>()
  for (const { symbols } of counted) for (const symbol of symbols) callers.set(symbol, (callers.get(symbol) ?? 0) + 1)
  return new Map([...callers].filter(([, count]) => count / counted.length >= fullThreshold))
}

/** The most special rule that says something, field by field. */
function ruleFor(policy: Policy, namespace: string, member: string, symbol: string): Required<Rule> {
  const server = serverOf(namespace, member)
  const own = (rules: { readonly [key: string]: Rule }, key: string | undefined): Rule => key !== undefined && Object.hasOwn(rules, key) ? rules[key]! : {}
  return { ...policy.default, ...own(policy.namespaces, namespace), ...own(policy.servers, server), ...own(policy.members, symbol) }
}

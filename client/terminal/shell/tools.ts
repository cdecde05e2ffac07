// What a session may call, for a person: `/tools`, `/find`, `/close`, `/open` and `/refresh`. It asks the capability plan and keeps nothing.
import type { CapabilityService, MemberContract } from '../../../plugins/capabilities/types.ts'

type Plan = Pick<CapabilityService, 'tree' | 'inspect' | 'search' | 'session' | 'configure'>

const FOUND = 10

/** Members by name with what they do; with a name, those of one namespace, or one member whole. */
export function toolsText(plan: Plan, session: string, name: string): string {
  const symbols = symbolsOf(plan, session)
  if (symbols.includes(name)) return contractText(contractsOf(plan, session, [name])[0]!)
  const shown = name === '' ? symbols : symbols.filter(symbol => symbol.startsWith(`${name}.`))
  if (name !== '' && shown.length === 0) throw unknown(name)
  const { closures } = plan.session(session)
  return [
    ...rows(contractsOf(plan, session, shown)),
    ...name !== '' || closures.length === 0 ? [] : [`closed in this session: ${closures.join(', ')}\n`],
  ].join('') || 'Nothing can be called.\n'
}

/** The best matches of a search, best first. */
export function findText(plan: Plan, session: string, words: string): string {
  if (words === '') throw new Error('usage: /find WORDS')
  const { matches, oversized, total } = plan.search({ query: words, limit: FOUND, budgetBytes: 1_000_000 }, session)
  const found = [...rows(matches), ...oversized.map(({ symbol }) => `${symbol}\n`)]
  if (found.length === 0) return 'No name or description matches. That is no proof that there is no such tool; /tools lists all.\n'
  return [...found, ...total > found.length ? [`${total - found.length} more\n`] : []].join('')
}

/**
 * Takes a member, a namespace or an MCP server away from this session, at once. Closures count only in a session whose capabilities
 * are managed, so the first one turns the management on.
 */
export function close(plan: Plan, session: string, name: string): string {
  if (name === '') throw new Error('usage: /close NAME, a namespace (notes), a member (notes.add) or an MCP server (mcp.github)')
  const closing = plan.session(session)
  if (closing.closures.includes(name)) return `${name} is closed already.\n`
  const isManaged = closing.document.composition?.managed === true
  const before = count(plan, session)
  if (!isManaged) {
    plan.configure({ managementEnabled: true })
    closing.refresh()
  }
  closing.close(name)
  const gone = before - count(plan, session)
  if (gone === 0) {
    closing.reopen(name)
    throw unknown(name)
  }
  const turned = isManaged ? '' : ' Sessions that begin from now on are managed as well.'
  return `${name} is closed in this session: ${gone} ${gone === 1 ? 'member' : 'members'} less.${turned}\n`
}

export function open(plan: Plan, session: string, name: string): string {
  const { closures } = plan.session(session)
  if (!closures.includes(name)) {
    throw new Error(closures.length === 0 ? 'nothing is closed in this session' : `${name || 'usage: /open NAME;'} is not closed; closed are ${closures.join(', ')}`)
  }
  plan.session(session).reopen(name)
  return `${name} is open again.\n`
}

/** Composes the session from what there is today. What is closed stays closed, so a session that is managed stays managed. */
export function refresh(plan: Plan, session: string): string {
  const before = symbolsOf(plan, session)
  if (plan.session(session).document.composition?.managed === true) plan.configure({ managementEnabled: true })
  plan.session(session).refresh()
  const now = symbolsOf(plan, session)
  const changes = [...changed('more', now.filter(symbol => !before.includes(symbol))), ...changed('less', before.filter(symbol => !now.includes(symbol)))]
  return `What the session may call is composed anew: ${changes.length === 0 ? 'nothing has changed' : changes.join(', ')}.\n`
}

const changed = (how: string, symbols: readonly string[]): string[] => symbols.length === 0 ? [] : [`${symbols.length} ${how} (${symbols.join(', ')})`]

function unknown(name: string): Error {
  return new Error(`${name} names nothing that this session can call; /tools lists what it can`)
}

const symbolsOf = (plan: Plan, session: string): string[] => plan.tree(session).flatMap(({ namespace, members }) => members.map(member => `${namespace}.${member}`))
const count = (plan: Plan, session: string): number => symbolsOf(plan, session).length

function contractsOf(plan: Plan, session: string, symbols: readonly string[]): readonly MemberContract[] {
  return symbols.length === 0 ? [] : plan.inspect({ symbols, budget: symbols.length }, session).symbols
}

function rows(contracts: readonly MemberContract[]): string[] {
  const symbols = contracts.map(({ namespace, name }) => `${namespace}.${name}`)
  const width = Math.max(0, ...symbols.map(({ length }) => length))
  return contracts.map(({ description = '' }, index) => `${`${symbols[index]!.padEnd(width)}  ${description.split(/[\r\n]/, 1)[0]!}`.trimEnd()}\n`)
}

function contractText({ namespace, name, description, parameters, returns, effect, replay }: MemberContract): string {
  const json = (schema: object | null): string => schema === null ? 'nothing is declared' : JSON.stringify(schema)
  return [
    `${namespace}.${name}`, ...description === undefined ? [] : [description],
    `takes: ${json(parameters)}`, `answers: ${json(returns)}`, `effect: ${effect}, replay: ${replay}`,
  ].map(line => `${line}\n`).join('')
}

// The plan of one cell that brings namespaces of its own along: what is registered, and beside it what only its request has. The
// explorer of such a cell shows both.
import { parseErrorClass, parseMembers, parseOrigin, unchecked } from './contract.ts'
import { abortError, call } from './dispatch.ts'
import { CapabilityError } from './errors.ts'
import { find, inspect, tree } from './explorer/lookup.ts'
import { EXPLORER, EXPLORER_ERROR, explorerMembers } from './explorer/members.ts'
import { search } from './explorer/search.ts'
import { assertFree, Namespace, others } from './namespace.ts'
import { parseGlobalName } from './names.ts'
import { Surface } from './surface.ts'
import type { CapabilityService, CellPlan, RequestNamespaces } from './types.ts'

/** What is registered, read anew whenever it is needed: a namespace that is withdrawn meanwhile is gone here too. */
export interface Registered {
  readonly namespaces: ReadonlyMap<string, Namespace>
  readonly explained: ReadonlyMap<string, Namespace>
  readonly allows: CapabilityService['allows']
  readonly isClosed: CapabilityService['isClosed']
  readonly shows: CapabilityService['shows']
}

export function cellPlan(registered: Registered, request: RequestNamespaces): CellPlan {
  const { namespaces, explained } = registered
  const brought = new Map<string, Namespace>()
  for (const [name, { members, ...options }] of Object.entries(request)) {
    parseGlobalName(name)
    const targets = parseMembers(name, members, parseOrigin(name, options))
    const errorClass = parseErrorClass(name, options, parseGlobalName)
    assertFree(others(name, new Map([...namespaces, ...brought]), explained), name, errorClass)
    brought.set(name, new Namespace(name, targets, { errorClass }))
  }
  const allows = (session: string, namespace: string, member: string): boolean =>
    brought.has(namespace) ? !registered.isClosed(session, namespace, member) : registered.allows(session, namespace, member)
  // What a request brings, it admits.
  const shows = (session: string, namespace: string, member: string): boolean =>
    brought.has(namespace) || registered.shows(session, namespace, member)
  const found = (name: string): Namespace | undefined => brought.get(name) ?? namespaces.get(name)
  const surface = (session: string | undefined): Surface => {
    const part = (all: Iterable<Namespace>): Namespace[] => session === undefined ? [...all]
      : [...all].flatMap(namespace => namespace.part(member => allows(session, namespace.name, member)) ?? [])
    const told = session === undefined ? {} : { shows: (name: string, member: string) => shows(session, name, member) }
    return new Surface(part(new Map([...namespaces, ...brought]).values()), part(explained.values()), told)
  }
  const plan: CellPlan = {
    view: session => surface(session).view(),
    async dispatch(namespace, member, args, context) {
      const symbol = `${namespace}.${member}`
      const owner = found(namespace)
      const target = owner?.targets.get(member) // C2: both are maps
      if (!owner || !target) throw new CapabilityError('unknown-member', symbol)
      if (!allows(context.session, namespace, member)) throw new CapabilityError('closed', symbol)
      return call(brought.has(namespace) ? { ...target, check: undefined } : target, args, context, [
        { signal: context.signal, reason: () => abortError(symbol, context.signal) },
        { signal: owner.withdrawal.signal, reason: () => new CapabilityError('withdrawn', symbol) },
      ])
    },
    replayOf: (namespace, member) => found(namespace)?.targets.get(member)?.contract.replay ?? 'unknown',
    tree: session => tree(surface(session).catalog),
    find: (text, session) => find(surface(session).catalog, text),
    inspect: (asked, session) => inspect(surface(session).catalog, asked),
    search: (asked, session) => search(surface(session).catalog, asked),
  }
  const explorer = unchecked(parseMembers(EXPLORER, explorerMembers(plan), parseOrigin(EXPLORER)))
  brought.set(EXPLORER, new Namespace(EXPLORER, explorer, { errorClass: EXPLORER_ERROR, soft: true }))
  return plan
}

// The namespaces that programs may call right now, and the way from a call to the member that answers it.
//
// Owns: which name belongs to whom, and the calls that are pending.
// Does not own: what members do, leases and records of calls (the kernel's), encoding (the worker's edge).
// Crosses by: `register` from plugins, `view` and `dispatch` from the kernel, the explorer's members from programs.
// Invariants:
//   C1  A namespace lives as long as the fiber that registered it.
//   C2  A target resolves to an own member or to nothing.
//   C3  Every pending call settles when its namespace is withdrawn or its signal aborts.
import type { Context } from 'cordis'
import { cellPlan } from './cell-plan.ts'
import { parseErrorClass, parseMembers, parseOrigin, unchecked } from './contract.ts'
import { abortError, call } from './dispatch.ts'
import { CapabilityError } from './errors.ts'
import { inspect, find, tree } from './explorer/lookup.ts'
import { EXPLORER, EXPLORER_ERROR, explorerMembers } from './explorer/members.ts'
import { search } from './explorer/search.ts'
import { parseExplainedName, parseGlobalName } from './names.ts'
import { assertFree, Namespace, others } from './namespace.ts'
import { compose } from './session/compose.ts'
import type { Composition } from './session/documents.ts'
import { CollectedStatistics } from './session/call-statistics.ts'
import { isTransport } from './session/closures.ts'
import { SessionPlan } from './session/session-plan.ts'
import { DEFAULT_SETTINGS, parseSettings, type PlanSettings } from './session/settings.ts'
import { Surface } from './surface.ts'
import type {
  CallContext, CapabilityService, CapabilityTreeNode, CellPlan, Declarations, Finding, Inspection, Members, NamespaceOptions, NamespaceView,
  ReplayKind, RequestNamespaces, SearchPage,
} from './types.ts'

export class CapabilityPlan implements CapabilityService {
  /** Through a context this is the caller's, which is what ties a registration to its owner. */
  declare ctx: Context
  private readonly home: Context
  private readonly namespaces = new Map<string, Namespace>()
  private readonly explained = new Map<string, Namespace>()
  private readonly sessions = new Map<string, SessionPlan>()
  settings = DEFAULT_SETTINGS
  readonly statistics = new CollectedStatistics({ settings: () => this.settings.statistics, changed: () => this.tell('capability-plan/statistics-changed') })
  /** Made when they are first asked for, dropped when what they are made of changes. `everything` is of sessions without a plan. */
  private everything: Surface | undefined
  private readonly surfaces = new Map<string, Surface>()

  constructor(ctx: Context) {
    this.ctx = ctx
    this.home = ctx
    const targets = unchecked(parseMembers(EXPLORER, explorerMembers(this), parseOrigin(EXPLORER)))
    this.namespaces.set(EXPLORER, new Namespace(EXPLORER, targets, { errorClass: EXPLORER_ERROR, soft: true }))
  }

  register(name: string, members: Members, options?: NamespaceOptions): () => void {
    parseGlobalName(name)
    const targets = parseMembers(name, members, parseOrigin(name, options))
    const errorClass = parseErrorClass(name, options, parseGlobalName)
    assertFree(others(name, this.namespaces, this.explained), name, errorClass)
    const namespace = new Namespace(name, targets, { errorClass })
    return this.ctx.effect(() => this.add(this.namespaces, namespace), 'ctx.capabilityPlan.register()') // C1
  }

  explain(name: string, members: Declarations, options?: NamespaceOptions): () => void {
    parseExplainedName(name)
    const call = (): never => { throw new CapabilityError('unknown-member', name) }
    const targets = parseMembers(name, Object.fromEntries(Object.entries(members).map(([member, declared]) => [member, { ...declared, call }])), parseOrigin(name, options))
    const errorClass = parseErrorClass(name, options, parseGlobalName)
    assertFree(others(name, this.explained, this.namespaces), name, errorClass)
    const namespace = new Namespace(name, targets, { errorClass, soft: true })
    return this.ctx.effect(() => this.add(this.explained, namespace), 'ctx.capabilityPlan.explain()') // C1
  }

  forCell(request: RequestNamespaces): CellPlan {
    const { namespaces, explained } = this
    return cellPlan({ namespaces, explained, allows: this.allows.bind(this), isClosed: this.isClosed.bind(this), shows: this.shows.bind(this) }, request)
  }

  view(session?: string): NamespaceView[] {
    return this.surface(session).view()
  }

  async dispatch(namespace: string, member: string, args: unknown, context: CallContext): Promise<unknown> {
    const symbol = `${namespace}.${member}`
    const found = this.namespaces.get(namespace)
    const target = found?.targets.get(member) // C2: both are maps
    if (!found || !target) throw new CapabilityError('unknown-member', symbol)
    if (!this.allows(context.session, namespace, member)) throw new CapabilityError('closed', symbol)
    return call(target, args, context, [
      { signal: context.signal, reason: () => abortError(symbol, context.signal) },
      { signal: found.withdrawal.signal, reason: () => new CapabilityError('withdrawn', symbol) },
    ])
  }

  replayOf(namespace: string, member: string): ReplayKind {
    return this.namespaces.get(namespace)?.targets.get(member)?.contract.replay ?? 'unknown'
  }

  allows(session: string, namespace: string, member: string): boolean {
    return this.sessions.get(session)?.allows(namespace, member) ?? true
  }

  isClosed(session: string, namespace: string, member: string): boolean {
    return this.sessions.get(session)?.isClosed(namespace, member) ?? false
  }

  shows(session: string, namespace: string, member: string): boolean {
    return this.sessions.get(session)?.shows(namespace, member) ?? true
  }

  declaration(session?: string): string {
    return this.surface(session).declaration
  }

  tree(session?: string): CapabilityTreeNode[] {
    return tree(this.surface(session).catalog)
  }

  find(text: string, session?: string): Finding[] {
    return find(this.surface(session).catalog, text)
  }

  inspect(request?: { symbols?: readonly string[], budget?: number }, session?: string): Inspection {
    return inspect(this.surface(session).catalog, request)
  }

  search(request: { query: string, budgetBytes?: number, limit?: number, cursor?: string }, session?: string): SearchPage {
    return search(this.surface(session).catalog, request)
  }

  session(id: string, stored?: unknown): SessionPlan {
    const known = this.sessions.get(id)
    if (known && stored === undefined) return known
    const plan = new SessionPlan({
      compose: () => this.compose(),
      changed: () => { this.surfaces.delete(id); this.tell('capability-plan/session-changed', id) },
      readmitted: () => { this.surfaces.delete(id) },
    }, stored)
    this.sessions.set(id, plan)
    this.surfaces.delete(id)
    return plan
  }

  forget(id: string): void {
    this.sessions.delete(id)
    this.surfaces.delete(id)
  }

  called(session: string, symbols: readonly string[]): void {
    if (!this.statistics.isCollecting) return
    this.statistics.note(session, symbols.filter((symbol) => {
      const dot = symbol.indexOf('.')
      const [namespace, member] = [symbol.slice(0, dot), symbol.slice(dot + 1)]
      const isKnown = [this.namespaces, this.explained].some(all => all.get(namespace)?.targets.has(member) === true)
      // What is always declared needs no statistics.
      return isKnown && namespace !== EXPLORER && !isTransport(symbol) && this.allows(session, namespace, member)
    }))
  }

  configure(settings: Partial<PlanSettings>): void {
    this.settings = parseSettings({ ...this.settings, ...settings })
  }

  /** Withdraws everything. For the plugin that owns the plan, after its users are gone. */
  close(): void {
    for (const namespace of this.namespaces.values()) namespace.withdrawal.abort() // C3
    this.namespaces.clear()
    this.explained.clear()
    this.sessions.clear()
    this.forgetSurfaces()
  }

  private surface(session?: string): Surface {
    const plan = session === undefined ? undefined : this.session(session)
    const { namespaces, explained } = this
    if (session === undefined || !plan?.differs) {
      return this.everything ??= new Surface([...namespaces.values()], [...explained.values()])
    }
    const known = this.surfaces.get(session)
    if (known) return known
    const left = (all: Iterable<Namespace>): Namespace[] => [...all].flatMap(namespace => namespace.part(member => plan.allows(namespace.name, member)) ?? [])
    const { managed, full, directory } = plan.composition
    const made = new Surface(left(namespaces.values()), left(explained.values()), {
      shows: (name, member) => plan.shows(name, member), ...managed ? { disclosed: { full: new Set(full), directory: new Set(directory) } } : {},
    })
    this.surfaces.set(session, made)
    return made
  }

  private compose(): Composition {
    return compose([...this.namespaces.values(), ...this.explained.values()].flatMap(({ name, declaration }) => name === EXPLORER ? []
      : [...declaration.bytes].map(([member, bytes]) => ({ namespace: name, member, bytes }))), this.settings, this.statistics.document)
  }

  private add(to: Map<string, Namespace>, namespace: Namespace): () => void {
    to.set(namespace.name, namespace)
    this.announce()
    return () => {
      to.delete(namespace.name)
      namespace.withdrawal.abort()
      this.announce()
    }
  }

  private forgetSurfaces(): void {
    this.everything = undefined
    this.surfaces.clear()
  }

  private announce(): void {
    this.forgetSurfaces()
    this.tell('capability-plan/changed')
  }

  /** Whoever listens badly must not undo what has happened. */
  private tell(...event: ['capability-plan/changed'] | ['capability-plan/statistics-changed'] | ['capability-plan/session-changed', string]): void {
    try {
      this.home.emit(...event as ['capability-plan/changed'])
    } catch (error) {
      this.home.logger.error(error)
    }
  }
}

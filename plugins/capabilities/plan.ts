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
import { parseErrorClass, parseMembers, type Target } from './contract.ts'
import { abortError, call } from './dispatch.ts'
import { CapabilityError } from './errors.ts'
import { inspect, find, tree } from './explorer/lookup.ts'
import { EXPLORER, EXPLORER_ERROR, explorerMembers } from './explorer/members.ts'
import { search } from './explorer/search.ts'
import { parseExplainedName, parseGlobalName } from './names.ts'
import { Namespace } from './namespace.ts'
import { Surface } from './surface.ts'
import type {
  CallContext, CapabilityService, CapabilityTreeNode, Declarations, ErrorClass, Finding, Inspection, Members, NamespaceOptions, NamespaceView,
  ReplayKind, SearchPage,
} from './types.ts'

export class CapabilityPlan implements CapabilityService {
  /** Through a context this is the caller's, which is what ties a registration to its owner. */
  declare ctx: Context
  private readonly home: Context
  private readonly namespaces = new Map<string, Namespace>()
  private readonly explained = new Map<string, Namespace>()
  private current: Surface | undefined

  constructor(ctx: Context) {
    this.ctx = ctx
    this.home = ctx
    const targets = withoutChecks(parseMembers(EXPLORER, explorerMembers(this)))
    this.namespaces.set(EXPLORER, new Namespace(EXPLORER, targets, { errorClass: EXPLORER_ERROR, soft: true }))
  }

  register(name: string, members: Members, options?: NamespaceOptions): () => void {
    parseGlobalName(name)
    const targets = parseMembers(name, members)
    const errorClass = parseErrorClass(name, options, parseGlobalName)
    this.assertFree(name, errorClass)
    const namespace = new Namespace(name, targets, { errorClass })
    return this.ctx.effect(() => this.add(this.namespaces, namespace), 'ctx.capabilityPlan.register()') // C1
  }

  explain(name: string, members: Declarations, options?: NamespaceOptions): () => void {
    parseExplainedName(name)
    const call = (): never => { throw new CapabilityError('unknown-member', name) }
    const targets = parseMembers(name, Object.fromEntries(Object.entries(members).map(([member, declared]) => [member, { ...declared, call }])))
    const errorClass = parseErrorClass(name, options, parseGlobalName)
    this.assertFree(name, errorClass)
    const namespace = new Namespace(name, targets, { errorClass, soft: true })
    return this.ctx.effect(() => this.add(this.explained, namespace), 'ctx.capabilityPlan.explain()') // C1
  }

  view(): NamespaceView[] {
    return this.surface().view()
  }

  async dispatch(namespace: string, member: string, args: unknown, context: CallContext): Promise<unknown> {
    const symbol = `${namespace}.${member}`
    const found = this.namespaces.get(namespace)
    const target = found?.targets.get(member) // C2: both are maps
    if (!found || !target) throw new CapabilityError('unknown-member', symbol)
    return call(target, args, context, [
      { signal: context.signal, reason: () => abortError(symbol, context.signal) },
      { signal: found.withdrawal.signal, reason: () => new CapabilityError('withdrawn', symbol) },
    ])
  }

  replayOf(namespace: string, member: string): ReplayKind {
    return this.namespaces.get(namespace)?.targets.get(member)?.contract.replay ?? 'unknown'
  }

  declaration(): string {
    return this.surface().declaration
  }

  tree(): CapabilityTreeNode[] {
    return tree(this.surface().catalog)
  }

  find(text: string): Finding[] {
    return find(this.surface().catalog, text)
  }

  inspect(request?: { symbols?: readonly string[], budget?: number }): Inspection {
    return inspect(this.surface().catalog, request)
  }

  search(request: { query: string, budgetBytes?: number, limit?: number, cursor?: string }): SearchPage {
    return search(this.surface().catalog, request)
  }

  /** Withdraws everything. For the plugin that owns the plan, after its users are gone. */
  close(): void {
    for (const namespace of this.namespaces.values()) namespace.withdrawal.abort() // C3
    this.namespaces.clear()
    this.explained.clear()
    this.current = undefined
  }

  private surface(): Surface {
    return this.current ??= new Surface(this.namespaces.values(), this.explained.values())
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

  /** Namespaces and the classes of their errors are globals of the same program. Two namespaces may share a class. */
  private assertFree(name: string, errorClass: ErrorClass | undefined): void {
    const isTaken = (candidate: string): boolean => this.namespaces.has(candidate) || this.explained.has(candidate)
    if (isTaken(name)) throw new CapabilityError('taken', name, 'another namespace has it')
    if (errorClass && (errorClass.name === name || isTaken(errorClass.name))) {
      throw new CapabilityError('taken', errorClass.name, 'a namespace has it')
    }
    for (const { name: owner, traits } of [...this.namespaces.values(), ...this.explained.values()]) {
      const other = traits.errorClass
      if (other?.name === name) throw new CapabilityError('taken', name, `an error class of ${owner} has it`)
      if (other && other.name === errorClass?.name && (other.memberNameProperty !== errorClass.memberNameProperty || other.extends)) {
        throw new CapabilityError('taken', errorClass.name, `${owner} has another error class of that name`)
      }
    }
  }

  /** Whoever listens badly must not undo a registration that has succeeded. */
  private announce(): void {
    this.current = undefined
    try {
      this.home.emit('capability-plan/changed')
    } catch (error) {
      this.home.logger.error(error)
    }
  }
}

/** The explorer reads its questions itself, and says in its own words what is wrong with one. */
function withoutChecks(targets: ReadonlyMap<string, Target>): Map<string, Target> {
  return new Map([...targets].map(([name, target]) => [name, { ...target, check: undefined }]))
}

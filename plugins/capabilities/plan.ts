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
import { EXPLORER, EXPLORER_ERROR, explorerMembers, inspect, tree, type Catalog } from './explorer.ts'
import { parseGlobalName } from './names.ts'
import type {
  CallContext, CapabilityService, CapabilityTreeNode, Inspection, Members, NamespaceOptions, NamespaceView, ReplayKind,
} from './types.ts'

interface Namespace {
  /** What a cell is told, made once. */
  readonly view: NamespaceView
  readonly targets: ReadonlyMap<string, Target>
  /** Aborts when the namespace is withdrawn (C3). */
  readonly withdrawal: AbortController
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => a < b ? -1 : a > b ? 1 : 0

export class CapabilityPlan implements CapabilityService {
  /** Through a context this is the caller's, which is what ties a registration to its owner. */
  declare ctx: Context
  private readonly home: Context
  private readonly namespaces = new Map<string, Namespace>()

  constructor(ctx: Context) {
    this.ctx = ctx
    this.home = ctx
    const targets = parseMembers(EXPLORER, explorerMembers(this))
    this.namespaces.set(EXPLORER, namespaceOf(EXPLORER, targets, EXPLORER_ERROR, true))
  }

  register(name: string, members: Members, options?: NamespaceOptions): () => void {
    parseGlobalName(name)
    const targets = parseMembers(name, members)
    const errorClass = parseErrorClass(name, options, parseGlobalName)
    this.assertFree(name, errorClass)
    const namespace = namespaceOf(name, targets, errorClass, false)
    return this.ctx.effect(() => { // C1
      this.namespaces.set(name, namespace)
      this.announce()
      return () => {
        this.namespaces.delete(name)
        namespace.withdrawal.abort()
        this.announce()
      }
    }, 'ctx.capabilityPlan.register()')
  }

  view(): NamespaceView[] {
    return [...this.namespaces].sort(byName).map(([, namespace]) => namespace.view)
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

  tree(): CapabilityTreeNode[] {
    return tree(this.catalog())
  }

  inspect(request?: { symbols?: readonly string[], budget?: number }): Inspection {
    return inspect(this.catalog(), request)
  }

  /** Withdraws everything. For the plugin that owns the plan, after its users are gone. */
  close(): void {
    for (const namespace of this.namespaces.values()) namespace.withdrawal.abort() // C3
    this.namespaces.clear()
  }

  private catalog(): Catalog {
    return [...this.namespaces].filter(([name]) => name !== EXPLORER).sort(byName)
      .map(([name, { targets }]) => [name, new Map([...targets].sort(byName))] as const)
  }

  /** Namespaces and the classes of their errors are globals of the same program. Two namespaces may share a class. */
  private assertFree(name: string, errorClass: NamespaceOptions['errorClass']): void {
    if (this.namespaces.has(name)) throw new CapabilityError('taken', name, 'another namespace has it')
    if (errorClass && (errorClass.name === name || this.namespaces.has(errorClass.name))) {
      throw new CapabilityError('taken', errorClass.name, 'a namespace has it')
    }
    for (const { view } of this.namespaces.values()) {
      if (view.errorClass?.name === name) throw new CapabilityError('taken', name, `an error class of ${view.name} has it`)
      if (view.errorClass && view.errorClass.name === errorClass?.name && view.errorClass.memberNameProperty !== errorClass.memberNameProperty) {
        throw new CapabilityError('taken', errorClass.name, `${view.name} has an error class of that name with another property`)
      }
    }
  }

  /** Whoever listens badly must not undo a registration that has succeeded. */
  private announce(): void {
    try {
      this.home.emit('capability-plan/changed')
    } catch (error) {
      this.home.logger.error(error)
    }
  }
}

function namespaceOf(name: string, targets: Map<string, Target>, errorClass: NamespaceOptions['errorClass'], soft: boolean): Namespace {
  const members = Object.freeze([...targets.keys()].sort())
  const view = Object.freeze({ name, members, ...errorClass ? { errorClass } : {}, ...soft ? { soft } : {} })
  return { view, targets, withdrawal: new AbortController() }
}

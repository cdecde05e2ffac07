// `ctx.capabilityPlan`: the namespaces that programs may call now, and the way of a call to its owner.
//
// Owns: registered namespaces. Does not own: leases and records of calls (kernel), what a member does (its owner).
// Crosses by: `register` (owners), `view` and `dispatch` (kernel), `tree` and `inspect` (whoever asks).
// Invariants: C1 a namespace lives as long as the fiber that registered it; C2 a target resolves to an own member or to nothing.
import type { Context } from 'cordis'
import { checkNamespace, checkOptions, registeredMembers, type RegisteredMember } from './contract.ts'
import { CapabilityError } from './errors.ts'
import { explorerMembers, EXPLORER, inspect } from './explorer.ts'
import type { CallContext, CapabilityService, CapabilityTreeNode, Inspection, MemberContract, Members, NamespaceOptions, NamespaceView, ReplayKind } from './types.ts'

interface Registered { readonly view: NamespaceView, readonly members: ReadonlyMap<string, RegisteredMember> }

const OWNER_AUTHORITY = 'ptc-plus-program-binding'
const byName = (a: { name: string }, b: { name: string }) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0

export class CapabilityPlan implements CapabilityService {
  declare ctx: Context
  private readonly namespaces = new Map<string, Registered>()
  private readonly changed: () => void

  constructor(ctx: Context) {
    this.ctx = ctx
    this.changed = () => { ctx.emit('capability-plan/changed') }
    const catalog = { tree: () => this.tree(), contracts: () => this.contracts() }
    this.add(EXPLORER, registeredMembers(EXPLORER, explorerMembers(catalog), 'ptc-plus'), {
      errorClass: { name: 'CapabilityExplorationError', memberNameProperty: 'operation' },
    }, true)
  }

  register(namespace: string, members: Members, options: NamespaceOptions = {}): () => void {
    checkNamespace(namespace)
    checkOptions(namespace, options)
    const registered = registeredMembers(namespace, members, OWNER_AUTHORITY)
    if (this.namespaces.has(namespace)) throw new CapabilityError('taken', namespace)
    const { errorClass } = options
    for (const { view } of this.namespaces.values()) {
      if (errorClass !== undefined && (view.errorClass?.name === errorClass.name || view.name === errorClass.name)) throw new CapabilityError('taken', errorClass.name)
      if (view.errorClass?.name === namespace) throw new CapabilityError('taken', namespace)
    }
    // C1: `this.ctx` is the caller's context, so the effect belongs to its fiber.
    const dispose = this.ctx.effect(() => {
      const entry = this.add(namespace, registered, options, false)
      this.changed()
      return () => {
        if (this.namespaces.get(namespace) !== entry) return
        this.namespaces.delete(namespace)
        this.changed()
      }
    }, `ctx.capabilityPlan.register(${JSON.stringify(namespace)})`)
    return () => { void dispose() }
  }

  view(): NamespaceView[] {
    return [...this.namespaces.values()].map(({ view }) => view).sort(byName)
  }

  async dispatch(namespace: string, member: string, args: unknown, context: CallContext): Promise<unknown> {
    const target = this.namespaces.get(namespace)?.members.get(member)
    if (target === undefined) throw new CapabilityError('unknown-member', `${namespace}.${member}`)   // C2
    const { signal } = context
    signal.throwIfAborted()
    let abandon: (() => void) | undefined
    try {
      return await Promise.race([
        new Promise((resolve) => { resolve(target.call(args, context)) }),
        // The owner may take its time, or never answer; the cell that asked does not have to wait for that.
        new Promise<never>((_resolve, reject) => {
          abandon = () => reject(signal.reason)
          signal.addEventListener('abort', abandon, { once: true })
        }),
      ])
    } finally {
      if (abandon !== undefined) signal.removeEventListener('abort', abandon)
    }
  }

  replayOf(namespace: string, member: string): ReplayKind {
    return this.namespaces.get(namespace)?.members.get(member)?.contract.replay ?? 'unknown'
  }

  tree(): CapabilityTreeNode[] {
    return this.view().map(({ name, members }) => ({ namespace: name, members: [...members] }))
  }

  inspect(request?: { symbols?: readonly string[], budget?: number }): Inspection {
    return inspect({ tree: () => this.tree(), contracts: () => this.contracts() }, request)
  }

  private contracts(): MemberContract[] {
    return [...this.namespaces.values()].sort((a, b) => byName(a.view, b.view)).flatMap(({ members }) => [...members.values()].map(({ contract }) => contract))
  }

  private add(name: string, members: ReadonlyMap<string, RegisteredMember>, { errorClass }: NamespaceOptions, soft: boolean): Registered {
    const view: NamespaceView = Object.freeze({
      name, members: Object.freeze([...members.keys()]), ...errorClass === undefined ? {} : { errorClass: Object.freeze({ ...errorClass }) }, ...soft ? { soft } : {},
    })
    const entry = { view, members }
    this.namespaces.set(name, entry)
    return entry
  }
}

// One registered namespace: its members, and what follows from them, made when it is first asked for and then kept: what a cell is
// told, what the explorer looks up, what a reader is shown. A part of it, for a session that has less, is a namespace again.
import type { Target } from './contract.ts'
import { declareNamespace, type Declaration } from './declare/declaration.ts'
import { CapabilityError } from './errors.ts'
import { Segment } from './explorer/catalog.ts'
import { SHARED } from './names.ts'
import type { ErrorClass, NamespaceView } from './types.ts'

export type ViewErrorClass = NonNullable<NamespaceView['errorClass']>

export interface NamespaceTraits {
  readonly errorClass?: ViewErrorClass | undefined
  /** May be shadowed by a cell. */
  readonly soft?: boolean
}

/** The host's tools: the one namespace in which an argument may be left away where `{}` will do (contract 1.8). */
const OMITTING = 'tools'

export class Namespace {
  readonly name: string
  readonly traits: NamespaceTraits
  /** By name, in name order. */
  readonly targets: ReadonlyMap<string, Target>
  /** Aborts when the namespace is withdrawn (C3). */
  readonly withdrawal = new AbortController()
  private readonly made: { view?: NamespaceView, segment?: Segment, declaration?: Declaration, omittable?: readonly string[], joined?: { other: Namespace, whole: Namespace } } = {}

  constructor(name: string, targets: ReadonlyMap<string, Target>, traits: NamespaceTraits) {
    this.name = name
    this.traits = traits
    this.targets = new Map([...targets].sort(([a], [b]) => a < b ? -1 : 1))
  }

  get view(): NamespaceView {
    const { errorClass, soft } = this.traits
    return this.made.view ??= Object.freeze({
      name: this.name, members: Object.freeze([...this.targets.keys()]),
      ...errorClass ? { errorClass } : {}, ...soft === true ? { soft } : {},
      ...this.omittable.length > 0 ? { emptyObjectMembers: this.omittable } : {},
    })
  }

  get segment(): Segment {
    return this.made.segment ??= new Segment(this.name, this.contracts)
  }

  /** TypeScript, without the class of its errors, which other namespaces may share. */
  get declaration(): Declaration {
    return this.made.declaration ??= declareNamespace({ name: this.name, contracts: this.contracts, omittable: this.omittable })
  }

  /** The namespace with the members for which `keeps` holds: itself when that is all of them, undefined when it is none. */
  part(keeps: (member: string) => boolean): Namespace | undefined {
    const kept = [...this.targets].filter(([name]) => keeps(name))
    if (kept.length === this.targets.size) return this
    return kept.length === 0 ? undefined : new Namespace(this.name, new Map(kept), this.traits)
  }

  /** The namespace with the members of another in addition. A member that both have is this one's. */
  joined(other: Namespace): Namespace {
    if (this.made.joined?.other === other) return this.made.joined.whole
    const whole = new Namespace(this.name, new Map([...other.targets, ...this.targets]), this.traits)
    this.made.joined = { other, whole }
    return whole
  }

  private get contracts() { return [...this.targets.values()].map(({ contract }) => contract) }

  private get omittable(): readonly string[] {
    return this.made.omittable ??= Object.freeze(this.name !== OMITTING ? []
      : [...this.targets].filter(([, { check }]) => check?.admitsEmptyObject === true).map(([name]) => name))
  }
}

/** What a namespace that is to be among the `same` must not meet: a shared name may be among the `different` ones as well. */
export function others(name: string, same: ReadonlyMap<string, Namespace>, different: ReadonlyMap<string, Namespace>): Namespace[] {
  return [...same.values(), ...[...different.values()].filter(other => other.name !== name || !SHARED.has(name))]
}

/** Namespaces and the classes of their errors are globals of the same program. Two namespaces may share a class. */
export function assertFree(taken: readonly Namespace[], name: string, errorClass: ErrorClass | undefined): void {
  const isTaken = (candidate: string): boolean => taken.some(namespace => namespace.name === candidate)
  if (isTaken(name)) throw new CapabilityError('taken', name, 'another namespace has it')
  if (errorClass && (errorClass.name === name || isTaken(errorClass.name))) {
    throw new CapabilityError('taken', errorClass.name, 'a namespace has it')
  }
  for (const { name: owner, traits: { errorClass: other } } of taken) {
    if (other?.name === name) throw new CapabilityError('taken', name, `an error class of ${owner} has it`)
    if (other && other.name === errorClass?.name && (other.memberNameProperty !== errorClass.memberNameProperty || other.extends)) {
      throw new CapabilityError('taken', errorClass.name, `${owner} has another error class of that name`)
    }
  }
}

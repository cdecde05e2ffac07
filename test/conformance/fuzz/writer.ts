// What the generator knows while it writes: which names are in scope and what they hold, where it stands (loop, function,
// async code), and how much work the text so far does, so that programs end and most of them run without a ReferenceError.
import { Random } from '../../harness/random.ts'

export type Kind = 'number' | 'string' | 'boolean' | 'bigint' | 'array' | 'object' | 'function' | 'asyncFunction' | 'generator'
  | 'asyncGenerator' | 'class' | 'instance' | 'enum' | 'opaque'

export interface Binding {
  readonly name: string
  readonly kind: Kind
  readonly writable: boolean
  /** Statements that one call may run. */
  readonly cost: number
  /** Its first argument has to be a small literal. */
  readonly recursive?: boolean
  /** Expressions without arguments that can follow the name of an instance or a class. */
  readonly members?: readonly string[]
}

export interface Scope {
  readonly parent: Scope | null
  readonly bindings: Map<string, Binding>
  /** Names that the text of the scope mentions: declaring one of them now would be a dead zone above. */
  readonly used: Set<string>
  /** Names of a `var` or a block function below, on their way up to the holder. */
  readonly hoisted: Set<string>
  /** `var` lands here. */
  readonly holder: boolean
}

export interface Place {
  readonly async: boolean
  readonly generator: boolean
  readonly inFunction: boolean
  readonly inLoop: boolean
  readonly labels: readonly { readonly name: string, readonly loop: boolean }[]
  readonly depth: number
  readonly strict: boolean
}

const LOCAL = ['a', 'b', 'c', 'd', 'e', 'k', 'p', 'q', 'r', 'of', 'get', 'type', 'as', 'from', '$', '_x', 'é', '__ptc', 'async']

export class Writer {
  readonly random: Random
  readonly types: boolean
  /** Keeps the programs of one session apart. */
  readonly tag: string
  scope: Scope = { parent: null, bindings: new Map(), used: new Set(), hoisted: new Set(), holder: true }
  place: Place = { async: true, generator: false, inFunction: false, inLoop: false, labels: [], depth: 0, strict: false }
  cost = 0
  times = 1
  /** Nothing may be called: where a call could lead back to the code being written, or an error would be partial. */
  quiet = false
  /** The program may have TypeScript that runs (enums and the like). Its reference text is printed anew, so it keeps texts of functions out of its values. */
  readonly lowered: boolean
  private count = 0

  constructor(seed: number, tag: string) {
    this.random = new Random(seed)
    this.tag = tag
    this.types = this.random.chance(0.45)
    this.lowered = this.types && this.random.chance(0.25)
  }

  get isTop(): boolean { return this.scope.parent === null }

  /** A name that the whole program has once. */
  fresh(prefix: string): string { return `${prefix}${this.count += 1}${this.tag}` }

  spend(cost: number): void { this.cost += cost * this.times }

  affordable(cost: number): boolean { return !this.quiet && this.cost + cost * this.times < 1_500 }

  visible(): Binding[] {
    const found = new Map<string, Binding>()
    for (let at: Scope | null = this.scope; at !== null; at = at.parent) {
      for (const [name, binding] of at.bindings) if (!found.has(name)) found.set(name, binding)
    }
    return [...found.values()]
  }

  find(test: (binding: Binding) => boolean): Binding | undefined {
    const all = this.visible().filter(test)
    if (all.length === 0) return undefined
    const found = this.random.pick(all)
    for (let at: Scope | null = this.scope; at !== null; at = at.parent) {
      at.used.add(found.name)
      if (at.bindings.has(found.name)) break
    }
    return found
  }

  variable(kind: Kind, writable = false): Binding | undefined {
    return this.find((binding) => binding.kind === kind && (!writable || binding.writable))
  }

  /** A name for a new declaration. Inside blocks and functions it likes to hide an outer one. */
  name(prefix: string): string {
    // amaro's printer gets hidden names wrong, so programs that need it have none.
    if (this.isTop || this.lowered) return this.fresh(prefix)
    const outer = this.visible().map(({ name }) => name)
    for (let tries = 0; tries < 4; tries += 1) {
      const name = outer.length > 0 && this.random.chance(0.3) ? this.random.pick(outer) : this.random.pick(LOCAL)
      const taken = this.scope.bindings.has(name) || this.scope.hoisted.has(name) || (this.scope.used.has(name) && !this.random.chance(0.02))
      if (!taken && !(this.place.strict && name === 'yield')) return name
    }
    return this.fresh(prefix)
  }

  /** A name that a `var` or a block function may take: no scope up to the function declares or mentions it. */
  hoistable(prefix: string): string {
    if (this.isTop || this.lowered) return this.fresh(prefix)
    const name = this.random.pick(LOCAL)
    for (let at: Scope | null = this.scope; at !== null; at = at.parent) {
      if (at.bindings.has(name) || at.used.has(name)) return this.fresh(prefix)
      if (at.holder) return at.parent === null ? this.fresh(prefix) : name
    }
    return this.fresh(prefix)
  }

  declare(binding: Binding, scope: Scope = this.scope): void { scope.bindings.set(binding.name, binding) }

  holder(): Scope {
    let at = this.scope
    while (!at.holder) at = at.parent!
    return at
  }

  /** Every scope on the way up to the holder has now seen the name. */
  claim(name: string): void {
    for (let at: Scope | null = this.scope; at !== null; at = at.parent) {
      at.used.add(name)
      at.hoisted.add(name)
      if (at.holder) return
    }
  }

  within<T>(place: Partial<Place>, write: () => T, holder = false): T {
    const [scope, before] = [this.scope, this.place]
    this.scope = { parent: scope, bindings: new Map(), used: new Set(), hoisted: new Set(), holder }
    this.place = { ...before, depth: before.depth + 1, ...place }
    try {
      return write()
    } finally {
      for (const name of this.scope.used) if (!this.scope.bindings.has(name)) scope.used.add(name)
      this.scope = scope
      this.place = before
    }
  }

  repeated<T>(times: number, write: () => T): T {
    const before = this.times
    this.times *= times
    try { return write() } finally { this.times = before }
  }

  /** Writes what runs only when it is called, and answers with what one call costs. */
  deferred<T>(write: () => T): { text: T, cost: number } {
    const [cost, times] = [this.cost, this.times]
    this.cost = 1
    this.times = 1
    try {
      const text = write()
      return { text, cost: this.cost }
    } finally {
      this.cost = cost
      this.times = times
    }
  }

  /** A type annotation, in programs that have types. */
  note(type: string): string { return this.types && this.random.chance(0.5) ? `: ${type}` : '' }
}

// A session without processes, for tests of compiled cells: a fresh realm, the cell ABI on its global object, and cells run
// one after the other. Modules come from Node's own loader.
import { createRequire } from 'node:module'
import * as vm from 'node:vm'
import { compile } from '../../plugins/kernel/compile/index.ts'
import type { PreparedCell, Rejection } from '../../plugins/kernel/compile/types.ts'
import type { CellAbi } from '../../plugins/kernel/worker/abi.ts'
import type { LanguageSemantics } from '../../plugins/journal/types.ts'

export interface Outcome {
  readonly hasValue: boolean
  readonly value?: unknown
  readonly thrown?: { readonly name: string, readonly message: string, readonly stack: string }
  readonly rejected?: Rejection
  readonly prepared?: PreparedCell
}

const NOTHING = Symbol('no value')
const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
let realms = 0

export class Realm {
  readonly semantics: LanguageSemantics
  readonly reserved: readonly string[]
  private readonly global: object
  private readonly id = realms += 1
  private readonly texts = new Map<string, string>()
  private readonly session = new Set<string>()
  private cell = 0
  private readonly undeclared = Object.create(null) as Record<string, unknown>
  private readonly isolated = Object.create(this.undeclared) as Record<string, unknown>

  constructor(semantics: LanguageSemantics = 'stateful-v1', reserved: readonly string[] = ['tools']) {
    this.semantics = semantics
    this.reserved = reserved
    this.global = vm.createContext(vm.constants.DONT_CONTEXTIFY as never)
    const require = createRequire(import.meta.url)
    for (const [name, value] of Object.entries({ require, console, setTimeout, queueMicrotask, process, URL, structuredClone })) {
      this.define(name, value)
    }
    const toString = this.evaluate('Function.prototype.toString') as () => string
    const texts = this.texts
    const patched = { toString(this: unknown): string { const text = Reflect.apply(toString, this, []); return texts.get(text) ?? text } }
    const prototype = this.evaluate('Function.prototype') as object
    Object.defineProperty(prototype, 'toString', { value: patched.toString, writable: true, configurable: true })
  }

  /** Runs one cell as the next one of the session. */
  async run(source: string): Promise<Outcome> {
    this.cell += 1
    const compiled = compile({ source, cell: this.cell, semantics: this.semantics, reserved: this.reserved, existing: [...this.session], isolated: Object.getOwnPropertyNames(this.undeclared) })
    if (compiled.kind === 'rejected') return { hasValue: false, rejected: compiled }
    for (const [edited, original] of compiled.originals) this.texts.set(edited, original)
    try {
      const value = await this.evaluateCell(compiled)
      return value === NOTHING ? { hasValue: false, prepared: compiled } : { hasValue: true, value, prepared: compiled }
    } catch (error) {
      const { constructor, message, stack } = (error ?? {}) as Error
      return { hasValue: false, prepared: compiled, thrown: { name: constructor?.name ?? 'Object', message: message ?? String(error), stack: stack ?? '' } }
    }
  }

  evaluate(code: string): unknown {
    return vm.runInContext(code, this.global as vm.Context, { importModuleDynamically })
  }

  private async evaluateCell(prepared: PreparedCell): Promise<unknown> {
    const { imports, vars, functions, defaultFollows } = prepared
    if (imports !== null) {
      const code = `${imports.code}\n// ${this.id}:${this.cell}`
      const linked = await import(`data:text/javascript,${encodeURIComponent(code)}`) as Record<string, unknown>
      for (const alias of imports.aliases) this.follow(alias, () => linked[alias])
    }
    for (const name of prepared.isolated) this.isolate(name)
    for (const name of vars) if (this.homeOf(name) === this.global || !(name in this.global)) this.ensure(name)
    const abi = this.abi(prepared)
    const hoisted = functions.map(({ name }) => !this.has(name))
    const declare = (index: number): void => {
      const { name, code, factory } = functions[index]!
      const evaluated = this.evaluate('eval') as (code: string) => unknown
      const result = evaluated(code)
      if (factory) this.publish({ [name]: (result as (abi: CellAbi) => unknown)(abi) })
      else Object.defineProperty(this.homeOf(name), name, { enumerable: false })
      this.session.add(name)
    }
    abi.f = (index) => { if (!hoisted[index]) declare(index) }
    hoisted.forEach((first, index) => { if (first) declare(index) })
    if (defaultFollows !== null) this.follow('__default', () => (this.homeOf(defaultFollows) as Record<string, unknown>)[defaultFollows])
    const script = new vm.Script(prepared.code, { filename: `ptc-cell:${prepared.cell}`, importModuleDynamically })
    return await (script.runInContext(this.global as vm.Context) as (abi: CellAbi) => Promise<unknown>)(abi)
  }

  private abi({ cell, helpers }: PreparedCell): CellAbi {
    return {
      d: (name, value) => {
        const found = Object.getOwnPropertyDescriptor(this.homeOf(name), name)
        if (found?.writable !== true) this.define(name, value)
        this.session.add(name)
        return value
      },
      e: (name) => { this.ensure(name) },
      p: (values) => { this.publish(values) },
      k: (values) => { for (const name of Object.keys(values)) this.freeze(name, (values as Record<string, unknown>)[name]) },
      f: () => {},
      c: (value) => value === undefined ? NOTHING : value,
      m: Object.assign(Object.create(null), { url: `file:///cell-${cell}/repl` }) as object,
      n: NOTHING, i: this.isolated, u: (value) => value,
      h: helpers === null ? undefined : this.evaluate(helpers),
    }
  }

  private homeOf(name: string): object { return name in this.undeclared ? this.isolated : this.global }

  private isolate(name: string): void {
    if (name in this.undeclared) return
    Object.defineProperty(this.undeclared, name, {
      get: () => (this.global as Record<string, unknown>)[name], set: (value) => { this.define(name, value) }, configurable: true,
    })
  }

  private has(name: string): boolean { return Object.getOwnPropertyDescriptor(this.homeOf(name), name) !== undefined }

  private define(name: string, value: unknown): void {
    Object.defineProperty(this.homeOf(name), name, { value, writable: true, enumerable: false, configurable: true })
  }

  private ensure(name: string): void {
    if (!this.has(name)) this.define(name, undefined)
    this.session.add(name)
  }

  private publish(values: object): void {
    for (const name of Object.getOwnPropertyNames(values)) {
      const value = (values as Record<string, unknown>)[name]
      const found = Object.getOwnPropertyDescriptor(this.homeOf(name), name)
      if (found?.writable === true) (this.homeOf(name) as Record<string, unknown>)[name] = value
      else this.define(name, value)
      this.session.add(name)
    }
  }

  private freeze(name: string, value: unknown): void {
    const RealmTypeError = this.evaluate('TypeError') as new (message: string) => Error
    Object.defineProperty(this.homeOf(name), name, {
      get: () => value, set: () => { throw new RealmTypeError('Assignment to constant variable.') }, enumerable: false, configurable: true,
    })
    this.session.add(name)
  }

  private follow(name: string, read: () => unknown): void {
    Object.defineProperty(this.homeOf(name), name, { get: read, set: (value) => { this.define(name, value) }, enumerable: false, configurable: true })
    this.session.add(name)
  }
}

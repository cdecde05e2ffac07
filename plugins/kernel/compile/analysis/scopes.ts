// Names and where they live: scopes, the declarations in them, the references to them. Only the data and its questions;
// `analyze.ts` fills it.
import type { Node } from '../ast.ts'

/** `self`: the name of a function expression, seen from inside. A function's parameters and body share a scope. */
export type ScopeKind =
  | 'root' | 'function' | 'block' | 'switch' | 'for' | 'catch' | 'class' | 'self' | 'with' | 'enum' | 'namespace'

export type DeclarationKind =
  | 'var' | 'let' | 'const' | 'using' | 'function' | 'class' | 'param' | 'catch' | 'import' | 'self'
  | 'enum' | 'namespace' | 'member'

export interface Scope {
  readonly kind: ScopeKind
  readonly node: Node
  readonly parent: Scope | null
  /** The scope that a `var` in this one belongs to. */
  readonly home: Scope
  readonly bindings: Map<string, Declaration[]>
}

export interface Declaration {
  readonly name: string
  readonly kind: DeclarationKind
  readonly id: Node
  /** The statement: a variable declaration, a function, a class, an import, ... */
  readonly owner: Node
  /** The scope in which the text stands. For `var` this may be far inside the scope that holds the name. */
  readonly scope: Scope
  /** The `case` around it, directly in a `switch`. */
  readonly clause: Node | null
}

export interface Reference {
  readonly node: Node
  readonly scope: Scope
  readonly read: boolean
  readonly write: boolean
  /** Stands where only a type can stand. */
  readonly type: boolean
  /** `{ name }`, in an object or in a pattern. */
  readonly shorthand: boolean
}

export function createScope(kind: ScopeKind, node: Node, parent: Scope | null, ownsVars: boolean): Scope {
  const scope = { kind, node, parent, home: null as unknown as Scope, bindings: new Map<string, Declaration[]>() }
  scope.home = ownsVars || parent === null ? scope : parent.home
  return scope
}

/** The scope that holds `name` as seen from `scope`, or null when nothing in the cell declares it. */
export function holderOf(name: string, scope: Scope): Scope | null {
  for (let at: Scope | null = scope; at !== null; at = at.parent) if (at.bindings.has(name)) return at
  return null
}

/** Neither in a function nor in anything that becomes one: code of the cell itself. */
export function isCellLevel(scope: Scope): boolean { return scope.home.kind === 'root' }

/** Is there a scope of `kind` around `scope`, inside the code of the same function? */
export function isInside(scope: Scope, kind: ScopeKind): boolean {
  for (let at: Scope | null = scope; at !== null && at !== scope.home; at = at.parent) if (at.kind === kind) return true
  return false
}

const LEXICAL: ReadonlySet<DeclarationKind> = new Set(['let', 'const', 'using', 'class', 'import', 'enum', 'namespace'])

export function isLexical({ kind }: Declaration): boolean { return LEXICAL.has(kind) }

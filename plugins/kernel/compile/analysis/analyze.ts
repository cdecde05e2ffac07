// What the phases want to know about a cell, gathered by one walk over its syntax tree (`walk.ts`): which names are
// declared where, who refers to them, whether there are types to erase, and where the constructs stand that a phase edits.
import type { Node } from '../ast.ts'
import { createScope, type Reference, type Scope } from './scopes.ts'
import { walkProgram } from './walk.ts'

/** A construct with the scope in which it stands. */
export interface Placed { readonly node: Node, readonly scope: Scope }

/** A variable declaration is a statement, or the first part of a loop's head: before `;`, or before `of` and `in`. */
export interface VariableUse extends Placed { readonly place: 'statement' | 'init' | 'left', readonly parent: Node | null }

/** An enum or a namespace. `exporter` is the `export` around it; `inner` the scopes of its body, outermost part first. */
export interface Lowered extends Placed { readonly inner: readonly Scope[], readonly exporter: Node | null }

export interface Analysis {
  readonly root: Scope
  readonly scopes: Scope[]
  readonly references: Map<string, Reference[]>
  /** The cell begins with `'use strict'`. */
  readonly strict: boolean
  /** There is text for the eraser of types to take out. */
  types: boolean
  readonly variables: VariableUse[]
  /** Function declarations anywhere; `parent` is the `if` that has one for a branch. */
  readonly functions: (Placed & { readonly parent: Node | null })[]
  readonly classes: Placed[]
  readonly enums: Lowered[]
  readonly namespaces: Lowered[]
  /** Constructors with parameter properties, with their class. */
  readonly constructors: { readonly node: Node, readonly owner: Node }[]
  /** `import a = ...` */
  readonly aliases: Lowered[]
  /** `export` in a namespace. */
  readonly exports: Node[]
  /** `<T>x` */
  readonly assertions: Node[]
  /** `return` statements of the cell itself. */
  readonly returns: Node[]
  /** `import.meta` */
  readonly metas: Placed[]
  /** Calls of a plain name, and `import()`. */
  readonly calls: Placed[]
  /** Functions, methods and classes: everything whose text a program can ask for. */
  readonly callables: Node[]
  /** The first decorator or auto-accessor. */
  decorated: Node | null
  /** The first `import`, `export` or namespace that is not at the top level of the cell. */
  nested: Node | null
}

export function analyze(program: Node): Analysis {
  const root = createScope('root', program, null, true)
  const analysis: Analysis = {
    root, scopes: [root], references: new Map(), strict: hasStrictDirective(program), types: false,
    variables: [], functions: [], classes: [], enums: [], namespaces: [], constructors: [], aliases: [], exports: [],
    assertions: [], returns: [], metas: [], calls: [], callables: [], decorated: null, nested: null,
  }
  walkProgram(program, analysis)
  return analysis
}

export function hasStrictDirective(node: Node): boolean {
  return node.directives.some((directive) => (directive.value as Node).value === 'use strict')
}

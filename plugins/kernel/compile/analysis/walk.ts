// The walk that fills an `Analysis`. It visits every node once, in source order, and knows for each kind of node which
// scope it opens, which names it declares and which identifiers in it are references.
import { eachChild, isFunction, listOf, targetsOf, type Node } from '../ast.ts'
import { syntaxError } from '../refusal.ts'
import { walkTypes, walkTypeScript } from '../typescript/walk.ts'
import type { Analysis, VariableUse } from './analyze.ts'
import { createScope, isCellLevel, type DeclarationKind, type Scope, type ScopeKind } from './scopes.ts'

/** Fields by which TypeScript marks a node that is otherwise JavaScript. */
const MARKS = ['accessibility', 'abstract', 'override', 'readonly', 'optional', 'definite', 'declare'] as const

export function walkProgram(program: Node, analysis: Analysis): void {
  const walk = new Walk(analysis)
  for (const statement of listOf(program)) walk.visit(statement, analysis.root)
}

/** The state of one walk, and how each kind of node is visited. The TypeScript kinds are in `typescript/walk.ts`. */
export class Walk {
  readonly into: Analysis
  private clause: Node | null = null

  constructor(into: Analysis) { this.into = into }

  visit(node: Node, scope: Scope): void {
    switch (node.type) {
      case 'Identifier': return this.refer(node, scope, true, false)
      case 'FunctionDeclaration': return this.functionDeclaration(node, scope, null)
      case 'FunctionExpression': case 'ArrowFunctionExpression': return this.callable(node, scope)
      case 'ObjectMethod':
        if (node.computed) this.visit(node.key, scope)
        return this.callable(node, scope)
      case 'ClassDeclaration':
        if (node.declare === true) { this.into.types = true; return }
        if (node.id != null) this.bind(node.id, 'class', scope, node, scope)
        this.into.classes.push({ node, scope })
        return this.classLike(node, scope)
      case 'ClassExpression': return this.classLike(node, scope)
      case 'VariableDeclaration': return this.variables(node, scope, 'statement', null)
      case 'BlockStatement': return this.list(listOf(node), this.open('block', node, scope))
      case 'IfStatement': {
        this.visit(node.test, scope)
        this.branch(node.consequent, scope, node)
        if (node.alternate != null) this.branch(node.alternate, scope, node)
        return
      }
      case 'ForStatement': case 'ForInStatement': case 'ForOfStatement': return this.loop(node, scope)
      case 'SwitchStatement': return this.switchLike(node, scope)
      case 'CatchClause': {
        // A parameter and the body share one scope: redeclaring the parameter in the body updates it.
        const inner = this.open('catch', node, scope)
        if (node.param != null) this.pattern(node.param, 'catch', inner, node, inner)
        return this.list(listOf(node.body), inner)
      }
      case 'WithStatement':
        this.visit(node.object, scope)
        return this.visit(node.body, this.open('with', node, scope))
      case 'AssignmentExpression':
        this.target(node.left, scope, node.operator !== '=')
        return this.visit(node.right, scope)
      case 'UpdateExpression': return this.target(node.argument!, scope, true)
      case 'MemberExpression': case 'OptionalMemberExpression':
        this.visit(node.object, scope)
        if (node.computed) this.visit(node.property, scope)
        return
      case 'ObjectProperty': {
        if (node.computed) this.visit(node.key, scope)
        const value = node.value as Node
        return value.type === 'Identifier' ? this.refer(value, scope, true, false, node.shorthand) : this.visit(value, scope)
      }
      case 'CallExpression': case 'ImportExpression':
        if (node.type === 'ImportExpression' || node.callee.type === 'Identifier') this.into.calls.push({ node, scope })
        break
      case 'MetaProperty':
        if (node['meta'] !== undefined && (node['meta'] as Node).name === 'import') this.into.metas.push({ node, scope })
        return
      case 'ReturnStatement':
        if (isCellLevel(scope)) this.into.returns.push(node)
        break
      case 'LabeledStatement':
        if (node.body.type === 'VariableDeclaration' && node.body.kind !== 'var') {
          throw syntaxError('Lexical declaration cannot appear in a single-statement context', node.body.start)
        }
        return this.visit(node.body, scope)
      case 'BreakStatement': case 'ContinueStatement': return
      case 'ImportDeclaration': case 'ExportNamedDeclaration': case 'ExportAllDeclaration': case 'ExportDefaultDeclaration':
        return this.moduleItem(node, scope)
      case 'Decorator': this.into.decorated ??= node; break
    }
    if (node.type.startsWith('TS')) walkTypeScript(this, node, scope)
    else eachChild(node, (child) => { this.visit(child, scope) })
  }

  list(nodes: readonly Node[], scope: Scope): void {
    for (const node of nodes) this.visit(node, scope)
  }

  open(kind: ScopeKind, node: Node, parent: Scope, ownsVars = false): Scope {
    const scope = createScope(kind, node, parent, ownsVars)
    this.into.scopes.push(scope)
    return scope
  }

  bind(id: Node, kind: DeclarationKind, holder: Scope, owner: Node, scope: Scope): void {
    const declaration = { name: id.name, kind, id, owner, scope, clause: scope.kind === 'switch' ? this.clause : null }
    const known = holder.bindings.get(id.name)
    if (known === undefined) holder.bindings.set(id.name, [declaration])
    else known.push(declaration)
  }

  refer(node: Node, scope: Scope, read: boolean, write: boolean, shorthand = false, type = false): void {
    const reference = { node, scope, read, write, type, shorthand }
    const known = this.into.references.get(node.name)
    if (known === undefined) this.into.references.set(node.name, [reference])
    else known.push(reference)
  }

  /** `<T>x` */
  assert(node: Node): void {
    this.into.types = true
    this.into.assertions.push(node)
  }

  /** Something that is assigned to. */
  private target(node: Node, scope: Scope, alsoRead: boolean, shorthand = false): void {
    switch (node.type) {
      case 'Identifier': return this.refer(node, scope, alsoRead, true, shorthand)
      case 'ParenthesizedExpression': case 'RestElement': return this.target((node.argument ?? node.expression)!, scope, alsoRead)
      case 'TSAsExpression': case 'TSSatisfiesExpression': case 'TSNonNullExpression': case 'TSTypeAssertion':
        if (node.type === 'TSTypeAssertion') this.assert(node)
        this.into.types = true
        if (node['typeAnnotation'] != null) walkTypes(this, node.typeAnnotation, scope)
        return this.target(node.expression, scope, alsoRead)
      case 'AssignmentPattern':
        this.target(node.left, scope, alsoRead, shorthand)
        return this.visit(node.right, scope)
      case 'ArrayPattern':
        for (const element of node.elements) if (element !== null) this.target(element, scope, alsoRead)
        return
      case 'ObjectPattern':
        for (const property of node.properties) {
          if (property.type === 'RestElement') { this.target(property, scope, alsoRead); continue }
          if (property.computed) this.visit(property.key, scope)
          this.target(property.value as Node, scope, alsoRead, property.shorthand)
        }
        return
      default: return this.visit(node, scope)
    }
  }

  /** Something that is declared: its names go to `holder`, what it evaluates is seen from `scope`. */
  private pattern(node: Node, kind: DeclarationKind, holder: Scope, owner: Node, scope: Scope): void {
    for (const id of targetsOf(node)) this.bind(id, kind, holder, owner, scope)
    this.defaults(node, scope)
  }

  private defaults(node: Node, scope: Scope): void {
    this.marks(node)
    if (node['typeAnnotation'] != null) walkTypeScript(this, node.typeAnnotation, scope)
    switch (node.type) {
      case 'AssignmentPattern':
        this.defaults(node.left, scope)
        return this.visit(node.right, scope)
      case 'ArrayPattern':
        for (const element of node.elements) if (element !== null) this.defaults(element, scope)
        return
      case 'ObjectPattern':
        for (const property of node.properties) this.defaults(property, scope)
        return
      case 'ObjectProperty':
        if (node.computed) this.visit(node.key, scope)
        return this.defaults(node.value as Node, scope)
      case 'RestElement': return this.defaults(node.argument!, scope)
    }
  }

  private variables(node: Node, scope: Scope, place: VariableUse['place'], parent: Node | null): void {
    if (node.declare === true) { this.into.types = true; return }
    const kind = node.kind.endsWith('using') ? 'using' : node.kind as 'var' | 'let' | 'const'
    this.into.variables.push({ node, scope, place, parent })
    for (const declarator of node.declarations) {
      this.marks(declarator)
      this.pattern(declarator.id!, kind, kind === 'var' ? scope.home : scope, node, scope)
      if (declarator.init != null) this.visit(declarator.init, scope)
    }
  }

  private loop(node: Node, scope: Scope): void {
    const inner = this.open('for', node, scope)
    const head = node.type === 'ForStatement' ? node.init : node.left
    if (head != null) {
      if (head.type === 'VariableDeclaration') this.variables(head, inner, node.type === 'ForStatement' ? 'init' : 'left', node)
      else if (node.type === 'ForStatement') this.visit(head, inner)
      else this.target(head, inner, false)
    }
    for (const part of node.type === 'ForStatement' ? [node.test, node['update'] as Node | null] : [node.right]) {
      if (part != null) this.visit(part, inner)
    }
    this.visit(node.body, inner)
  }

  private switchLike(node: Node, scope: Scope): void {
    this.visit(node.discriminant, scope)
    const inner = this.open('switch', node, scope)
    const around = this.clause
    for (const clause of node.cases) {
      if (clause.test != null) this.visit(clause.test, inner)
      for (const statement of clause.consequent as unknown as readonly Node[]) {
        this.clause = clause
        this.visit(statement, inner)
      }
    }
    this.clause = around
  }

  /** A branch of an `if`; a function declaration there is treated as if it stood in a block. */
  private branch(node: Node, scope: Scope, parent: Node): void {
    if (node.type !== 'FunctionDeclaration') return this.visit(node, scope)
    this.functionDeclaration(node, this.open('block', node, scope), parent)
  }

  private functionDeclaration(node: Node, scope: Scope, parent: Node | null): void {
    if (node.id != null) this.bind(node.id, 'function', scope, node, scope)
    this.into.functions.push({ node, scope, parent })
    this.callable(node, scope)
  }

  private callable(node: Node, scope: Scope): void {
    this.marks(node)
    this.into.callables.push(node)
    let outer = scope
    if (node.type === 'FunctionExpression' && node.id != null) {
      outer = this.open('self', node, scope)
      this.bind(node.id, 'self', outer, node, outer)
    }
    const inner = this.open('function', node, outer, true)
    if (node['typeParameters'] != null) walkTypeScript(this, node['typeParameters'] as Node, inner)
    for (const param of node.params) {
      if (param.type === 'Identifier' && param.name === 'this') { this.into.types = true; continue }
      if (param['decorators'] != null) this.into.decorated ??= (param['decorators'] as Node[])[0]!
      this.pattern(param.type === 'TSParameterProperty' ? param.parameter : param, 'param', inner, node, inner)
    }
    if (node['returnType'] != null) walkTypeScript(this, node['returnType'] as Node, inner)
    if (node.body.type === 'BlockStatement') this.list(listOf(node.body), inner)
    else this.visit(node.body, inner)
  }

  private classLike(node: Node, scope: Scope): void {
    this.marks(node)
    this.into.callables.push(node)
    for (const decorator of (node['decorators'] ?? []) as Node[]) this.visit(decorator, scope)
    const inner = this.open('class', node, scope)
    if (node.id != null) this.bind(node.id, 'self', inner, node, inner)
    for (const field of ['typeParameters', 'superTypeArguments', 'implements']) {
      if (node[field] == null) continue
      for (const type of [node[field]].flat() as Node[]) walkTypeScript(this, type, inner)
    }
    if (node.superClass != null) this.visit(node.superClass, inner)
    for (const member of listOf(node.body)) this.member(member, inner, node)
  }

  private member(node: Node, scope: Scope, owner: Node): void {
    for (const decorator of (node['decorators'] ?? []) as Node[]) this.visit(decorator, scope)
    if (node.computed) this.visit(node.key, scope)
    this.marks(node)
    if (node.type === 'StaticBlock') return this.list(listOf(node), this.open('function', node, scope, true))
    if (isFunction(node)) {
      if (node.kind === 'constructor' && node.params.some((param) => param.type === 'TSParameterProperty')) {
        this.into.types = true
        this.into.constructors.push({ node, owner })
      }
      return this.callable(node, scope)
    }
    if (node.type.startsWith('TS')) return walkTypeScript(this, node, scope)
    if (node.type === 'ClassAccessorProperty') this.into.decorated ??= node
    if (node['typeAnnotation'] != null) walkTypeScript(this, node.typeAnnotation, scope)
    if (node.value != null) this.visit(node.value as Node, this.open('function', node, scope, true))
  }

  private moduleItem(node: Node, scope: Scope): void {
    const inNamespace = scope.kind === 'namespace' && node.type === 'ExportNamedDeclaration'
    if (scope.kind !== 'root' && !inNamespace) this.into.nested ??= node
    if (inNamespace && node.declaration != null) {
      this.into.types = true
      this.into.exports.push(node)
    }
    if (node.importKind === 'type' || node.exportKind === 'type') { this.into.types = true; return }
    if (node.type === 'ImportDeclaration') {
      for (const specifier of node.specifiers) {
        if (specifier.importKind === 'type') this.into.types = true
        else this.bind(specifier.local, 'import', scope, node, scope)
      }
      return
    }
    if (node.type === 'ExportAllDeclaration') return
    const { declaration } = node
    if (declaration != null) {
      if (declaration.type === 'TSModuleDeclaration' || declaration.type === 'TSEnumDeclaration'
        || declaration.type === 'TSImportEqualsDeclaration') return walkTypeScript(this, declaration, scope, node)
      return this.visit(declaration, scope)
    }
    for (const specifier of node.specifiers ?? []) {
      if (specifier.exportKind === 'type') this.into.types = true
      else if (node.source == null) this.refer(specifier.local, scope, true, false)
    }
  }

  private marks(node: Node): void {
    if (this.into.types) return
    for (const mark of MARKS) if (node[mark] != null && node[mark] !== false) { this.into.types = true; return }
  }
}

// Takes the types out of a cell without moving anything (`blanks.ts`), so the syntax tree of the source is the syntax tree of
// the result. The tree says what is a type; the text is only asked where the tree does not say at which character a mark,
// a comma or a keyword stands. What stays must read as it did: where a line break or an open statement would now be
// continued by what follows, a semicolon or a parenthesis takes the place of something erased.
import type { Analysis } from '../analysis/analyze.ts'
import { eachChild, isFunction, listOf, type Node } from '../ast.ts'
import { syntaxError } from '../refusal.ts'
import { identifierEnd, patternEnd, skipTrivia } from '../text.ts'
import { needsParentheses, regroups } from './assertions.ts'
import { Blanks } from './blanks.ts'
import { eraseClass } from './classes.ts'
import { isTypeOnly } from './type-only.ts'

/** The source with blanks for types, of the same length, or a `Refusal`. */
export function eraseTypes(source: string, program: Node, analysis: Analysis): string {
  return analysis.types ? new Eraser(source).erase(program) : source
}

const LINE_BREAK = /[\n\r\u2028\u2029]/
/** What continues an expression, so that a statement which begins with it needs an end before it. */
const CONTINUES = /^(?:[([`/<]|\+(?!\+)|-(?!-))/

const LOWERED: ReadonlySet<string> = new Set(['TSEnumDeclaration', 'TSModuleDeclaration', 'TSImportEqualsDeclaration'])

export class Eraser {
  readonly source: string
  readonly blanks: Blanks
  /** Where `return`, `throw` or `yield` has its operand: a line break before anything else there would end it. */
  private operand = -1

  constructor(source: string) {
    this.source = source
    this.blanks = new Blanks(source)
  }

  erase(program: Node): string {
    for (const statement of listOf(program)) this.unexport(statement, false)
    this.statements(listOf(program), program.directives.length > 0)
    return this.blanks.toString()
  }

  readonly visit = (node: Node): void => {
    switch (node.type) {
      case 'TSTypeAnnotation': case 'TSTypeParameterDeclaration': case 'TSTypeParameterInstantiation':
        return this.blanks.blank(node.start, node.end)
      case 'Identifier':
        if (node['optional'] === true) this.markAt(identifierEnd(this.source, node), '?')
        break
      case 'ObjectPattern': case 'ArrayPattern':
        if (node['optional'] === true) this.markAt(patternEnd(node, this.source), '?')
        break
      case 'VariableDeclarator':
        if (node['definite'] === true) this.markAt(identifierEnd(this.source, node.id!), '!')
        break
      case 'ArrowFunctionExpression': this.arrow(node); break
      case 'ReturnStatement': case 'ThrowStatement': case 'YieldExpression':
        if (node.argument != null) this.operand = node.argument.start
        break
      case 'ClassDeclaration': case 'ClassExpression': return eraseClass(this, node)
      case 'BlockStatement': case 'StaticBlock': return this.statements(listOf(node))
      case 'SwitchCase':
        if (node.test != null) this.visit(node.test)
        return this.statements(node.consequent as unknown as readonly Node[])
      case 'IfStatement': case 'ForStatement': case 'ForInStatement': case 'ForOfStatement': case 'WhileStatement':
      case 'DoWhileStatement': case 'LabeledStatement': case 'WithStatement':
        return eachChild(node, this.visitOrEnd)
      case 'ImportDeclaration': case 'ExportNamedDeclaration': this.specifiers(node); break
      case 'TSAsExpression': case 'TSSatisfiesExpression': return this.assertion(node)
      case 'TSInstantiationExpression':
        this.visit(node.expression)
        this.blanks.blank(node.expression.end, node.end)
        return this.endBefore(node)
      case 'TSNonNullExpression':
        this.visit(node.expression)
        return this.blanks.blank(node.end - 1, node.end)
      case 'TSTypeAssertion':
        this.blanks.blank(node.start, node.expression.start)
        if (needsParentheses(node, this.source)) this.blanks.mark(node.start, '(')
        return this.visit(node.expression)
      case 'TSEnumDeclaration':
        for (const { initializer } of node.body.members) if (initializer != null) this.visit(initializer)
        return
      case 'TSModuleDeclaration':
        for (const statement of listOf(node.body)) this.unexport(statement, true)
        return this.statements(listOf(node.body))
      case 'TSParameterProperty':
        this.blanks.blank(node.start, node.parameter.start)
        return this.visit(node.parameter)
      case 'TSImportEqualsDeclaration': return
      case 'TSExportAssignment': return this.visit(node.expression)
    }
    if (node.type.startsWith('TS')) throw syntaxError('The types of this cell cannot be erased', node.start)
    this.visitParts(node)
  }

  visitParts(node: Node): void {
    if (isFunction(node)) this.receiver(node.params)
    eachChild(node, this.visit)
  }

  /** The body of a statement that has to have one, or a part of its head. */
  private readonly visitOrEnd = (node: Node): void => {
    if (!isTypeOnly(node)) return this.visit(node)
    this.blanks.blank(node.start, node.end)
    this.blanks.mark(node.start, ';')
  }

  /** `isOpen`: what stands before the first of them would be continued by an expression. */
  private statements(nodes: readonly Node[], isOpen = true): void {
    let open = isOpen
    for (const node of nodes) {
      if (isTypeOnly(node)) this.typeOnly(node, open)
      else this.visit(node)
      open = this.source[node.end - 1] !== ';'
    }
  }

  private typeOnly(node: Node, isOpen: boolean): void {
    this.blanks.blank(node.start, node.end)
    const namespace = node.type === 'ExportNamedDeclaration' ? node.declaration : node
    const isNamespace = namespace?.type === 'TSModuleDeclaration'
    if (isNamespace || (isOpen && this.continues(node.end))) this.blanks.mark(node.start, ';')
  }

  private continues(end: number): boolean {
    const next = skipTrivia(this.source, end)
    return CONTINUES.test(this.source.slice(next, next + 2))
  }

  /** `export` in front of what is written out as something else goes; in a namespace, in front of everything. */
  private unexport({ type, start, declaration }: Node, isInNamespace: boolean): void {
    if (type !== 'ExportNamedDeclaration' || declaration == null) return
    if (isInNamespace || LOWERED.has(declaration.type)) this.blanks.blank(start, declaration.start)
  }

  private specifiers(node: Node): void {
    for (const specifier of node.specifiers) {
      if (specifier.importKind === 'type' || specifier.exportKind === 'type') this.withComma(specifier)
    }
  }

  private assertion(node: Node): void {
    if (regroups(node, this.source)) {
      throw syntaxError('Type assertions that would change binary expression grouping are not supported in strip-only mode.', node.start)
    }
    this.visit(node.expression)
    this.blanks.blank(node.expression.end, node.end)
    this.endBefore(node)
  }

  /** An expression that ended with a type because of the line break behind it. */
  private endBefore(node: Node): void {
    const next = skipTrivia(this.source, node.end)
    if (!'([`'.includes(this.source[next] ?? ' ') || !LINE_BREAK.test(this.source.slice(node.end, next))) return
    this.blanks.mark(skipTrivia(this.source, node.expression.end), ';')
  }

  /** A function's `this`. */
  private receiver(params: readonly Node[]): void {
    const [first] = params
    if (first?.type === 'Identifier' && first.name === 'this') this.withComma(first)
  }

  private arrow(node: Node): void {
    const { source, blanks } = this
    const types = node['typeParameters'] as Node | null | undefined
    if (types != null) {
      const parenthesis = skipTrivia(source, types.end)
      const isOperand = node.async || node.start === this.operand
      if (isOperand && LINE_BREAK.test(source.slice(types.start, parenthesis))) {
        blanks.mark(types.start, '(')
        blanks.mark(parenthesis, ' ')
      }
    }
    const result = node['returnType'] as Node | null | undefined
    if (result == null) return
    const close = this.closeOf(node, types)
    if (!LINE_BREAK.test(source.slice(close, skipTrivia(source, result.end)))) return
    blanks.mark(close, ' ')
    blanks.mark(result.end - 1, ')')
  }

  /** The `)` behind the parameters of an arrow function with a type for its result. */
  private closeOf(node: Node, types: Node | null | undefined): number {
    const { source } = this
    const last = node.params.at(-1)
    if (last !== undefined) {
      const next = skipTrivia(source, last.end)
      return source[next] === ',' ? skipTrivia(source, next + 1) : next
    }
    const open = types != null ? skipTrivia(source, types.end) : skipTrivia(source, node.async ? node.start + 'async'.length : node.start)
    return skipTrivia(source, open + 1)
  }

  /** A parameter or specifier that goes, with the comma behind it. */
  private withComma({ start, end }: Node): void {
    const next = skipTrivia(this.source, end)
    this.blanks.blank(start, this.source[next] === ',' ? next + 1 : end)
  }

  /** The next thing at or after `offset` is `mark`, which goes. */
  markAt(offset: number, mark: string): void {
    const at = skipTrivia(this.source, offset)
    if (this.source[at] === mark) this.blanks.blank(at, at + 1)
  }
}

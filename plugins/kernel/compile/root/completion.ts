// The value of a cell that does not return: that of its last statement, when it has one. A last expression is returned; a
// compound statement keeps its completion value in a variable as it runs, by the rules of the language.
import { contains, isFunction, listOf, type Node } from '../ast.ts'
import { after, before, type Draft } from '../draft.ts'
import { erasedEnd } from '../text.ts'
import { isTypeOnly } from '../typescript/type-only.ts'

const COMPOUND: ReadonlySet<string> = new Set([
  'BlockStatement', 'IfStatement', 'ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement',
  'SwitchStatement', 'TryStatement', 'WithStatement', 'LabeledStatement',
])
/** These may run without producing a value; then the statement before them decides. */
const TRANSPARENT: ReadonlySet<string> = new Set(['BlockStatement', 'LabeledStatement'])

/** Answers the end of the cell's body. */
export function completion(draft: Draft): string {
  const { abi, program } = draft
  const nothing = `\nreturn ${abi}.n`
  const statements = listOf(program).filter((statement) => statement.type !== 'EmptyStatement' && !isTypeOnly(statement))
  const last = statements.at(-1)
  if (last === undefined) {
    const directive = program.directives.at(-1)
    if (directive !== undefined) yieldValue(draft, directive.start, (directive.value as Node).end)
    return nothing
  }
  if (last.type === 'ExpressionStatement') {
    yieldValue(draft, last.start, erasedEnd(last.expression, draft.text))
    return nothing
  }
  if (last.type === 'TSExportAssignment') return `\nreturn ${abi}.c(__default)`
  if (!COMPOUND.has(last.type)) return nothing
  const tracker = new Tracker(draft)
  for (let at = statements.length - 1; at >= 0; at -= 1) {
    const statement = statements[at]!
    if (!COMPOUND.has(statement.type) && statement.type !== 'ExpressionStatement') break
    tracker.statement(statement)
    if (!TRANSPARENT.has(statement.type)) break
  }
  return tracker.used ? `\nreturn ${abi}.c(await ${completionName(draft)})` : nothing
}

/** The second parameter of a compiled cell, which nobody passes: a variable that needs no declaration. */
export function completionName(draft: Draft): string { return `${draft.abi}$` }

function yieldValue(draft: Draft, start: number, end: number): void {
  before(draft, start, `return ${draft.abi}.c(await (`)
  after(draft, end, '))')
}

class Tracker {
  used = false
  private readonly draft: Draft
  private readonly name: string

  constructor(draft: Draft) {
    this.draft = draft
    this.name = completionName(draft)
  }

  statement(node: Node): void {
    switch (node.type) {
      case 'ExpressionStatement':
        this.used = true
        before(this.draft, node.start, `${this.name} = (`)
        return after(this.draft, erasedEnd(node.expression, this.draft.text), ')')
      case 'BlockStatement': return this.list(listOf(node))
      case 'LabeledStatement': {
        let inner = node
        while (inner.type === 'LabeledStatement') inner = inner.body
        if (COMPOUND.has(inner.type) && inner.type !== 'BlockStatement') this.reset(node)
        return this.parts(inner)
      }
      default:
        if (!COMPOUND.has(node.type)) return
        this.reset(node)
        return this.parts(node)
    }
  }

  private list(nodes: readonly Node[]): void {
    for (const node of nodes) this.statement(node)
  }

  /** From its start on, such a statement has the value undefined until something in it says otherwise. */
  private reset(node: Node): void {
    before(this.draft, node.start, `{ ${this.name} = void 0; `)
    after(this.draft, node.end, ' }')
  }

  private parts(node: Node): void {
    switch (node.type) {
      case 'BlockStatement': return this.list(listOf(node))
      case 'ExpressionStatement': return this.statement(node)
      case 'IfStatement':
        this.statement(node.consequent)
        if (node.alternate != null) this.statement(node.alternate)
        return
      case 'SwitchStatement':
        for (const clause of node.cases) this.list(clause.consequent as unknown as readonly Node[])
        return
      case 'TryStatement':
        this.list(listOf(node.block))
        if (node.handler != null) {
          before(this.draft, node.handler.body.start + 1, ` ${this.name} = void 0;`)
          this.list(listOf(node.handler.body))
        }
        if (node.finalizer != null) this.finalizer(node.finalizer)
        return
      default: if (COMPOUND.has(node.type)) this.statement(node.body)
    }
  }

  /** What `finally` computes counts only when it jumps out; else the value from before it stands. */
  private finalizer(node: Node): void {
    const jumps = contains(node, ({ type }) => type === 'BreakStatement' || type === 'ContinueStatement', (child) => !isFunction(child))
    if (!jumps) return
    const kept = this.draft.fresh()
    before(this.draft, node.start + 1, ` const ${kept} = ${this.name}; ${this.name} = void 0;`)
    after(this.draft, node.end - 1, `; ${this.name} = ${kept}; `)
    this.list(listOf(node))
  }
}

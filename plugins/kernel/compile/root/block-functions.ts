// A function declared in a block outside functions. In sloppy code such a declaration also sets a variable of the
// surrounding function when it is evaluated; for a cell that variable is a session name. Were the block left as it is, V8
// would create the variable in the compiled body, where it would hide the session name. It creates none when a lexical name
// stands in between, so the block gets a second block around its content and a `let` of the same name outside that.
import type { Placed } from '../analysis/analyze.ts'
import { isCellLevel, isLexical, type Scope } from '../analysis/scopes.ts'
import type { Node } from '../ast.ts'
import { after, before, declareName, type Draft } from '../draft.ts'
import { declareAround } from '../local/switches.ts'

export function blockFunctions(draft: Draft, updated: ReadonlySet<Node>): void {
  if (draft.analysis.strict) return
  const guarded = new Map<Scope, { readonly names: Set<string>, readonly parent: Node | null }>()
  const published: Node[] = []
  for (const { node, scope, parent } of draft.analysis.functions) {
    if (scope.kind === 'root' || !isCellLevel(scope) || node.async || node.generator || updated.has(node)) continue
    const { name } = node.id!
    if (isBlocked(name, scope.parent!)) continue
    const known = guarded.get(scope)
    if (known === undefined) guarded.set(scope, { names: new Set([name]), parent })
    else known.names.add(name)
    // A name that the cell declares with `let` and the like at its top level is not touched by the block.
    if (draft.analysis.root.bindings.get(name)?.some(isLexical) !== true) published.push(node)
  }
  for (const [scope, { names, parent }] of guarded) guard(draft, { node: scope.node, scope }, `let ${[...names].join(', ')};`, parent)
  for (const { id, end } of published) {
    declareName(draft, id!.name, 'function', id!.start)
    draft.vars.add(id!.name)
    after(draft, end, `${draft.abi}.p({${id!.name}});`)
  }
}

/** Another declaration of the name stands between the block and the top level: the language makes no variable then. */
function isBlocked(name: string, from: Scope): boolean {
  for (let at: Scope | null = from; at !== null && at.kind !== 'root'; at = at.parent) {
    const found = at.bindings.get(name)
    if (found?.some(({ kind, owner }) => kind !== 'catch' || owner.param!.type !== 'Identifier') === true) return true
  }
  return false
}

function guard(draft: Draft, { node, scope }: Placed, declaration: string, parent: Node | null): void {
  if (parent !== null) {
    before(draft, node.start, `{ ${declaration} { `)
    return after(draft, node.end, ' } }')
  }
  if (scope.kind === 'switch') return declareAround(draft, node, declaration)
  const block = node.type === 'CatchClause' ? node.body : node
  before(draft, block.start + 1, ` ${declaration} {`)
  after(draft, block.end - 1, '} ')
}

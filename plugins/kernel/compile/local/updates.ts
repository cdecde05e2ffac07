// Updates of names inside functions and blocks. Where a `const` is assigned, or a scope declares a name again, the text is
// edited as little as possible: `const` becomes `let`, the later declaration an assignment. Everything else stays.
import type { VariableUse } from '../analysis/analyze.ts'
import { holderOf, isCellLevel, isLexical, type Declaration, type Scope } from '../analysis/scopes.ts'
import { targetsOf, type Node } from '../ast.ts'
import { after, before, mark, finish, replace, type Draft } from '../draft.ts'
import { erasedEnd, identifierEnd, skipTrivia } from '../text.ts'
import { declareAround } from './switches.ts'

/** What becomes of the declarations of one scope. */
interface Plan {
  /** Variable declarations whose `const` has to go. */
  readonly loosened: Set<Node>
  /** Declarations of a name that its scope has already, by identifier. */
  readonly repeated: Set<Node>
}

/** Answers the function declarations that became assignments. */
export function localUpdates(draft: Draft): ReadonlySet<Node> {
  const plan: Plan = { loosened: new Set(), repeated: new Set() }
  const functions = new Set<Node>()
  const assigned = assignedNames(draft)
  const exported = new Set(draft.analysis.exports.map(({ declaration }) => declaration))
  for (const scope of draft.analysis.scopes) {
    if (scope.kind === 'root' || scope.kind === 'enum') continue
    for (const [name, all] of scope.bindings) {
      // Enums and namespaces merge by rules of their own; what a namespace exports is not a variable.
      const declarations = all.filter(({ kind, owner }) => kind !== 'enum' && kind !== 'namespace' && !exported.has(owner))
      if (declarations.some(({ kind }) => kind === 'const') && assigned.get(scope)?.has(name) === true) loosen(plan, declarations)
      if (declarations.length > 1) repeat(draft, plan, scope, name, declarations)
    }
  }
  for (const use of draft.analysis.variables) if (isLocal(use)) rewriteVariables(draft, plan, use)
  for (const { node, scope } of draft.analysis.classes) {
    if (scope.kind !== 'root' && node.id != null && plan.repeated.has(node.id)) {
      before(draft, node.start, `${mark(draft, node.start)}${node.id.name} = `)
      after(draft, node.end, ';')
    }
  }
  for (const { node, scope } of draft.analysis.functions) {
    if (scope.kind === 'root' || node.id == null || !plan.repeated.has(node.id)) continue
    functions.add(node)
    before(draft, node.start, `${node.id.name} = `)
    replace(draft, node.id.start, node.id.end, mark(draft, node.id.start))
    after(draft, node.end, ';')
  }
  return functions
}

function isLocal({ node, scope }: VariableUse): boolean {
  return node.kind === 'var' ? !isCellLevel(scope) : scope.kind !== 'root'
}

/** The names that something assigns, by the scope that holds them. */
function assignedNames({ analysis }: Draft): Map<Scope, Set<string>> {
  const assigned = new Map<Scope, Set<string>>()
  for (const [name, references] of analysis.references) {
    for (const { write, scope } of references) {
      const holder = write ? holderOf(name, scope) : null
      if (holder === null) continue
      const known = assigned.get(holder)
      if (known === undefined) assigned.set(holder, new Set([name]))
      else known.add(name)
    }
  }
  return assigned
}

function loosen({ loosened }: Plan, declarations: readonly Declaration[]): void {
  for (const { kind, owner } of declarations) if (kind === 'const') loosened.add(owner)
}

/** One declaration of a repeated name stays, and is its home; those after it only assign. */
function repeat(draft: Draft, plan: Plan, scope: Scope, name: string, declarations: readonly Declaration[]): void {
  const lexical = declarations.filter(isLexical)
  if (lexical.length === 0 || lexical.some(({ kind }) => kind === 'using' || kind === 'import')) return
  if (declarations.some((declaration) => declaration.kind === 'var' && isCutOff(declaration, scope, name))) return
  const [first] = lexical as [Declaration, ...Declaration[]]
  if (scope.kind === 'switch' && new Set(lexical.map(({ clause }) => clause)).size > 1) {
    // Control may reach the second case without the first, so the home is around all of them, or a function's hoisted one.
    const isHoisted = declarations.some(({ kind }) => kind === 'function')
    if (!isHoisted) declareAround(draft, scope.node, `let${mark(draft, scope.node.start)} ${name};`)
    for (const { id } of lexical) plan.repeated.add(id)
    return
  }
  loosen(plan, declarations)
  const hasHome = declarations.some(({ kind, id }) => (
    kind === 'param' || kind === 'catch' || kind === 'var' || (kind === 'function' && id.start < first.id.start)
  ))
  for (const { id, kind } of declarations) {
    if (kind === 'param' || kind === 'catch' || kind === 'var' || (id === first.id && !hasHome)) continue
    if (kind !== 'function' || id.start > first.id.start) plan.repeated.add(id)
  }
}

/** Between a `var` and its function stands a block that has the name for itself: V8 says what is wrong with that. */
function isCutOff({ scope }: Declaration, holder: Scope, name: string): boolean {
  for (let at: Scope | null = scope; at !== null && at !== holder; at = at.parent) if (at.bindings.has(name)) return true
  return false
}

/** Statements change part by part: `const x = 1, y = 2` with a known `x` becomes `x = 1; let y = 2`. */
function rewriteVariables(draft: Draft, plan: Plan, { node, place }: VariableUse): void {
  const { text } = draft
  const isRepeated = (declarator: Node): boolean => targetsOf(declarator.id!).some((id) => plan.repeated.has(id))
  const keyword = node.kind
  if (place !== 'statement' || !node.declarations.some(isRepeated)) {
    const bare = keyword === 'const' && place !== 'left' && node.declarations.some(({ init }) => init == null)
    if (plan.loosened.has(node) || bare) replace(draft, node.start, node.start + 5, `let${mark(draft, node.start)}  `)
    return
  }
  const pieces = node.declarations.map((declarator) => piece(draft, plan, declarator, isRepeated(declarator)))
  replace(draft, node.start, node.start + keyword.length, `${mark(draft, node.start)}${pieces[0]}`)
  node.declarations.slice(0, -1).forEach((declarator, index) => {
    const comma = skipTrivia(text, endOf(draft, declarator))
    replace(draft, comma, comma + 1, `; ${pieces[index + 1]} `)
  })
  if (draft.source[node.end - 1] !== ';') finish(draft, endOf(draft, node.declarations.at(-1)!), ';')
}

function endOf({ text }: Draft, declarator: Node): number {
  const { id, init } = declarator as { id: Node, init: Node | null }
  return init == null ? identifierEnd(text, id) : erasedEnd(init, text)
}

/** Edits one declarator and answers what goes in front of it. */
function piece(draft: Draft, plan: Plan, declarator: Node, repeated: boolean): string {
  if (!repeated) return 'let'
  const { id, init } = declarator as { id: Node, init: Node | null }
  if (id.type !== 'Identifier') {
    const added = [...new Set(targetsOf(id).filter((target) => !plan.repeated.has(target)).map(({ name }) => name))]
    return `${added.length === 0 ? '' : `let ${added.join(', ')}; `}void 0,`
  }
  if (init == null) replace(draft, id.start, identifierEnd(draft.text, id), 'void 0')
  return ''
}

// References to isolated names: they live on an object of the session's, so the text reads and writes them there. What the
// text alone cannot decide runs inside `with` over that object.
import { holderOf, isCellLevel, type Reference, type Scope } from '../analysis/scopes.ts'
import { eachChild, isAnonymous, isWrapper, targetsOf, type Node } from '../ast.ts'
import { after, before, mark, replace, type Draft } from '../draft.ts'
import { isOpen } from '../root/statements.ts'
import { naming } from '../root/variables.ts'
import { erasedEnd, identifierEnd } from '../text.ts'
import { sessionName } from './names.ts'

/** An anonymous function or class that takes its name from the isolated name it is assigned to. */
export interface Named { readonly name: string, readonly value: Node }

/** Runs first: later edits may take away the text around a reference. */
export function isolateReferences(draft: Draft): readonly Named[] {
  const { analysis, isolation } = draft
  if (isolation.names.size === 0) return []
  dynamicCode(draft)
  const found: Reference[] = []
  const hoisted = blockVariables(draft)
  const candidates = patternCandidates(draft)
  for (const name of isolation.names) {
    for (const reference of analysis.references.get(name) ?? []) {
      const { node, scope, type } = reference
      if (type || isHidden(name, scope, hoisted)) continue
      if (candidates.some(({ start, end, names }) => node.start >= start && node.end <= end && names.has(name))) continue
      if (isInWith(scope)) isolation.dynamic.push(node.start)
      else found.push(reference)
    }
  }
  return found.length === 0 ? [] : rewrite(draft, found)
}

/** Runs when what may surround an assignment has been edited, and nothing inside it. */
export function nameIsolated(draft: Draft, named: readonly Named[]): void {
  for (const { name, value } of named) {
    const [open, close] = naming(name, value)
    before(draft, value.start, open)
    after(draft, erasedEnd(value, draft.text), close)
  }
}

/** Names that a pattern outside functions assigns without declaring them where they stand. */
export function assignTarget(draft: Draft, id: Node, scope: Scope, shorthand: boolean): void {
  const { name } = id
  if (!draft.isolation.names.has(name) || isHidden(name, scope, new Map())) return
  if (isInWith(scope)) { draft.isolation.dynamic.push(id.start); return }
  const target = sessionName(draft, name)
  replace(draft, id.start, identifierEnd(draft.text, id), shorthand ? `${name}: ${target}` : target)
}

function dynamicCode({ analysis, isolation }: Draft): void {
  if (isolation.names.has('eval')) return
  for (const { node, scope } of analysis.calls) {
    if (node.type !== 'CallExpression' || node.callee.name !== 'eval' || (!analysis.strict && isOpen(scope))) continue
    if (isHidden('eval', scope, new Map())) continue
    isolation.dynamic.push(node.start)
  }
}

/** In sloppy functions a function declared in a block is also a variable of the function. */
function blockVariables({ analysis, isolation }: Draft): Map<Scope, Set<string>> {
  const found = new Map<Scope, Set<string>>()
  if (analysis.strict) return found
  for (const { node, scope } of analysis.functions) {
    if (node.id == null || scope === scope.home || isCellLevel(scope) || !isolation.names.has(node.id.name)) continue
    const names = found.get(scope.home)
    if (names === undefined) found.set(scope.home, new Set([node.id.name]))
    else names.add(node.id.name)
  }
  return found
}

/** Something inside the cell has the name, so it is not the session's. */
function isHidden(name: string, scope: Scope, hoisted: ReadonlyMap<Scope, ReadonlySet<string>>): boolean {
  const holder = holderOf(name, scope)
  if (holder !== null && holder.kind !== 'root') return true
  for (let at: Scope | null = scope; at !== null; at = at.parent) if (hoisted.get(at)?.has(name) === true) return true
  return false
}

function isInWith(scope: Scope): boolean {
  for (let at: Scope | null = scope; at !== null; at = at.parent) if (at.kind === 'with') return true
  return false
}

/** Inside a pattern that declares them, names mean the candidates of `root/patterns.ts`. */
function patternCandidates({ analysis }: Draft): readonly { start: number, end: number, names: ReadonlySet<string> }[] {
  return analysis.variables.filter(({ node, scope, place }) => (
    place !== 'left' && (node.kind === 'var' ? isCellLevel(scope) : scope.kind === 'root')
  )).flatMap(({ node }) => node.declarations).filter(({ id }) => id!.type !== 'Identifier').map(({ id }) => (
    { start: id!.start, end: id!.end, names: new Set(targetsOf(id!).map(({ name }) => name)) }
  ))
}

function rewrite(draft: Draft, references: readonly Reference[]): readonly Named[] {
  const parents = new Map<Node, Node>()
  const note = (node: Node): void => { eachChild(node, (child) => { parents.set(child, node); note(child) }) }
  note(draft.program)
  const named: Named[] = []
  for (const { node, shorthand } of references) {
    const { name, start } = node
    const target = sessionName(draft, name, mark(draft, start))
    // As the callee it has to be a value: a function that is called as a member gets the object as its `this`.
    const text = isCallee(node, parents) ? `${draft.abi}.u(${target})` : target
    draft.isolation.places.push(start)
    replace(draft, start, identifierEnd(draft.text, node), shorthand ? `${name}: ${text}` : text)
    const parent = parents.get(node)
    if (parent !== undefined && parent.left === node && takesName(parent)) named.push({ name, value: parent.right })
  }
  return named.sort((a, b) => a.value.start - b.value.start)
}

function isCallee(node: Node, parents: ReadonlyMap<Node, Node>): boolean {
  let at = node
  let parent = parents.get(at)
  while (parent !== undefined && isWrapper(parent)) {
    at = parent
    parent = parents.get(at)
  }
  if (parent?.type === 'TaggedTemplateExpression') return parent['tag'] === at
  return (parent?.type === 'CallExpression' || parent?.type === 'OptionalCallExpression') && parent.callee === at
}

const NAMING: ReadonlySet<string> = new Set(['=', '&&=', '||=', '??='])

function takesName({ type, operator, right }: Node): boolean {
  if (type !== 'AssignmentPattern' && !(type === 'AssignmentExpression' && NAMING.has(operator))) return false
  return isAnonymous(right)
}

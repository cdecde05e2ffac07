// `let`, `const` and `var` at the root of a session: the names are properties of the global object, so a declaration becomes
// an assignment to one, after a call that makes it.
import type { VariableUse } from '../analysis/analyze.ts'
import { holderOf, isCellLevel, isInside, type Scope } from '../analysis/scopes.ts'
import { isAnonymous, targetsOf, type Node } from '../ast.ts'
import { after, before, declareName, finish, replace, type Draft } from '../draft.ts'
import { FIXED, sessionName } from '../isolation/names.ts'
import { assignTarget } from '../isolation/references.ts'
import { syntaxError } from '../refusal.ts'
import { erasedEnd, identifierEnd, lineEnds, patternEnd, skipTrivia } from '../text.ts'
import { publishPattern } from './patterns.ts'

/** All declarations whose names belong to the session: those of the top level, and every `var` outside functions. */
export function rootVariables(draft: Draft): void {
  for (const use of draft.analysis.variables) {
    const isVar = use.node.kind === 'var'
    if (isVar ? !isCellLevel(use.scope) : use.scope.kind !== 'root') continue
    for (const id of use.node.declarations.flatMap((declarator) => targetsOf(declarator.id!))) {
      declareName(draft, id.name, 'variable', id.start)
      if (isVar) varName(draft, id, use.scope)
    }
    if (use.node.kind.endsWith('using')) usingDeclaration(draft, use.node)
    else if (use.place === 'left') loopTarget(draft, use)
    else declaration(draft, use)
  }
}

function varName(draft: Draft, id: Node, scope: Scope): void {
  draft.vars.add(id.name)
  for (let at: Scope | null = scope; at !== null && at.kind !== 'root'; at = at.parent) {
    const blocking = at.bindings.get(id.name)?.find(({ kind, owner }) => kind !== 'catch' || owner.param!.type !== 'Identifier')
    if (blocking !== undefined) throw syntaxError(`Identifier '${id.name}' has already been declared`, id.start)
  }
}

/** A catch parameter or the object of a `with` may stand between a `var` and its session name: then it is assigned plainly. */
function isShadowed(name: string, scope: Scope): boolean {
  return isInside(scope, 'with') || holderOf(name, scope)?.kind === 'catch'
}

function declaration(draft: Draft, { node, scope, place }: VariableUse): void {
  const { text } = draft
  dropKeyword(draft, node, node.kind)
  for (const declarator of node.declarations) {
    const { id, init } = declarator as { id: Node, init: Node | null }
    if (id.type !== 'Identifier') {
      if (init == null) throw syntaxError('Missing initializer in destructuring declaration', patternEnd(id, text))
      const plain = targetsOf(id).some(({ name }) => isShadowed(name, scope))
      if (plain) assignTargets(draft, id, scope, false)
      publishPattern(draft, { node: id, init, kind: node.kind, plain })
    } else {
      const isPlain = FIXED.has(id.name) || isShadowed(id.name, scope)
      // An isolated `var` is complete when it is hoisted: until it is assigned it reads the realm.
      const isHoisted = node.kind === 'var' && draft.isolation.names.has(id.name)
      if (init == null) replace(draft, id.start, identifierEnd(text, id), isPlain || isHoisted ? 'void 0' : `${draft.abi}.e(${quoted(id.name)})`)
      else if (isPlain) assignTarget(draft, id, scope, false)
      else publishVariable(draft, id, init, node.kind)
    }
  }
  if (place === 'statement') endStatement(draft, node)
}

/** `x = e` becomes `x = ABI.d("x", e)`. A function or class without a name takes `x` from a property of that name. */
export function publishVariable(draft: Draft, id: Node, init: Node, kind: string): void {
  const { abi, text } = draft
  const name = quoted(id.name)
  const end = erasedEnd(init, text)
  if (kind === 'const' && draft.request.semantics === 'protected-v1') {
    replace(draft, id.start, init.start, `${abi}.k({[${name}]: ${lineEnds(text.slice(id.start, init.start))}`)
    return after(draft, end, '})')
  }
  if (draft.isolation.names.has(id.name)) replace(draft, id.start, identifierEnd(text, id), sessionName(draft, id.name))
  const [open, close] = naming(id.name, init)
  before(draft, init.start, `${abi}.d(${name}, ${open}`)
  after(draft, end, `${close})`)
}

/** What to put around an expression so that an anonymous function or class in it is called `name`. */
export function naming(name: string, value: Node): readonly [open: string, close: string] {
  if (!isAnonymous(value)) return ['', '']
  return name === '__proto__' || name === 'default' ? [`{[${quoted(name)}]: `, `}[${quoted(name)}]`] : [`{${name}: `, `}.${name}`]
}

export function quoted(name: string): string { return JSON.stringify(name) }

export function dropKeyword(draft: Draft, { start }: Node, keyword: string): void {
  const end = start + keyword.length
  replace(draft, start, draft.text[end] === ' ' ? end + 1 : end, '')
}

/** The end of a declaration may have been found by its next line; the end of an assignment has to be said. */
export function endStatement(draft: Draft, node: Node): void {
  if (draft.source[node.end - 1] !== ';') finish(draft, contentEnd(draft, node), ';')
}

function contentEnd({ text }: Draft, node: Node): number {
  const { id, init } = node.declarations.at(-1) as { id: Node, init: Node | null }
  return init == null ? identifierEnd(text, id) : erasedEnd(init, text)
}

/** `for (var x of xs)` assigns a name that exists since the start of the cell. */
function loopTarget(draft: Draft, { node, scope, parent }: VariableUse): void {
  const { id, init } = node.declarations[0] as { id: Node, init: Node | null }
  dropKeyword(draft, node, node.kind)
  assignTargets(draft, id, scope, false)
  if (init != null) {
    // `for (var i = e in o)`: the old form, which evaluates `e` before `o`.
    const { right } = parent as Node
    before(draft, right.start, `(${sessionName(draft, id.name)} = (`)
    before(draft, right.start, draft.edits.slice(init.start, init.end))
    before(draft, right.start, '), ')
    after(draft, erasedEnd(right, draft.text), ')')
    draft.edits.remove(identifierEnd(draft.text, id), init.end)
  }
  if (id.type === 'Identifier' && (id.name === 'async' || id.name === 'let')) {
    before(draft, id.start, '(')
    after(draft, identifierEnd(draft.text, id), ')')
  }
}

/** The names of a pattern that is assigned plainly. */
function assignTargets(draft: Draft, pattern: Node, scope: Scope, shorthand: boolean): void {
  switch (pattern.type) {
    case 'Identifier': return assignTarget(draft, pattern, scope, shorthand)
    case 'AssignmentPattern': return assignTargets(draft, pattern.left, scope, shorthand)
    case 'RestElement': return assignTargets(draft, pattern.argument!, scope, false)
    case 'ArrayPattern':
      for (const element of pattern.elements) if (element !== null) assignTargets(draft, element, scope, false)
      return
    case 'ObjectPattern':
      for (const property of pattern.properties) assignTargets(draft, property, scope, false)
      return
    case 'ObjectProperty': return assignTargets(draft, pattern.value as Node, scope, pattern.shorthand)
  }
}

/** The resource stays where its disposal belongs, under a name of ours; its own name is a session name like others. */
function usingDeclaration(draft: Draft, node: Node): void {
  const { abi, text } = draft
  const keyword = node.kind.startsWith('await') ? 'await using' : 'using'
  node.declarations.forEach((declarator, index) => {
    const { id, init } = declarator as { id: Node, init: Node | null }
    if (init == null) return
    const held = draft.fresh()
    const [open, close] = naming(id.name, init)
    replace(draft, id.start, identifierEnd(text, id), held)
    before(draft, init.start, open)
    const isLast = index === node.declarations.length - 1
    const rest = isLast ? '' : `; ${keyword} `
    after(draft, erasedEnd(init, text), `${close}; ${sessionName(draft, id.name)} = ${abi}.d(${quoted(id.name)}, ${held})${rest}`)
    if (!isLast) {
      const comma = skipTrivia(text, erasedEnd(init, text))
      replace(draft, comma, comma + 1, '')
    }
  })
  endStatement(draft, node)
}

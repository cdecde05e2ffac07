// TypeScript that runs: enums, namespaces, parameter properties, import aliases and leftovers of assertions, each rewritten
// in place so that the rest of the text keeps its position.
import type { Lowered } from '../analysis/analyze.ts'
import { listOf, type Node } from '../ast.ts'
import { after, before, declareName, finish, replace, type Draft } from '../draft.ts'
import { sessionName } from '../isolation/names.ts'
import { isTypeUse } from '../root/modules.ts'
import { quoted } from '../root/variables.ts'
import { erasedEnd, lineEnds, member } from '../text.ts'
import { needsParentheses } from './assertions.ts'
import { lowerEnum } from './enums.ts'
import { lowerNamespace } from './namespaces.ts'
import { qualifyReferences, type Qualifiers } from './qualify.ts'

export function lowerTypeScript(draft: Draft): void {
  const { analysis, text } = draft
  const qualifiers: Qualifiers = { bodies: new Map(), locals: new Map() }
  const bodies = [
    ...analysis.enums.map((item) => ({ item, lower: lowerEnum })),
    ...analysis.namespaces.map((item) => ({ item, lower: lowerNamespace })),
  ].sort((a, b) => a.item.node.start - b.item.node.start)
  for (const { item, lower } of bodies) lower(draft, item, qualifiers)
  for (const alias of analysis.aliases) importAlias(draft, alias, qualifiers)
  if (qualifiers.bodies.size > 0) qualifyReferences(draft, qualifiers)
  for (const { node, owner } of analysis.constructors) parameterProperties(draft, node, owner)
  for (const assertion of analysis.assertions) {
    if (needsParentheses(assertion, draft.source)) after(draft, erasedEnd(assertion.expression, text), ')')
  }
}

/** `import a = require('m')` and `import a = B.C`. */
function importAlias(draft: Draft, { node, scope, exporter }: Lowered, qualifiers: Qualifiers): void {
  const { moduleReference } = node
  const { name } = node.id!
  const { text } = draft
  const gap = lineEnds(text.slice(node.start, moduleReference.start))
  if (isTypeUse(draft, node.id!)) return replace(draft, node.start, node.end, `;${lineEnds(text.slice(node.start, node.end))}`)
  if (draft.source[node.end - 1] !== ';') finish(draft, node.end, ';')
  if (scope.kind === 'root') {
    declareName(draft, name, 'variable', node.id!.start)
    replace(draft, node.start, moduleReference.start, `${sessionName(draft, name)} = ${draft.abi}.d(${quoted(name)}, ${gap}`)
    return after(draft, moduleReference.end, ')')
  }
  const outer = exporter === null ? undefined : qualifiers.bodies.get(scope)
  replace(draft, node.start, moduleReference.start, `${outer === undefined ? `const ${name}` : member(outer.object, name)} = ${gap}`)
}

/** The properties become fields, declared before all others, that the constructor sets as soon as there is a `this`. */
function parameterProperties(draft: Draft, node: Node, owner: Node): void {
  const names = node.params.filter(({ type }) => type === 'TSParameterProperty').map(({ parameter }) => (
    parameter.type === 'AssignmentPattern' ? parameter.left.name : parameter.name
  ))
  before(draft, owner.body.start + 1, ` ${names.map((name) => `${name};`).join(' ')}`)
  const assignments = names.map((name) => ` this.${name} = ${name};`).join('')
  const call = owner.superClass == null ? undefined : listOf(node.body).find(isSuperCall)
  if (call === undefined) {
    const at = node.body.directives.at(-1)?.end ?? node.body.start + 1
    return finish(draft, at, `${node.body.directives.length > 0 ? ';' : ''}${assignments}`)
  }
  finish(draft, erasedEnd(call.expression, draft.text), `;${assignments}`)
}

function isSuperCall({ type, expression }: Node): boolean {
  return type === 'ExpressionStatement' && expression.type === 'CallExpression' && expression.callee.type === 'Super'
}

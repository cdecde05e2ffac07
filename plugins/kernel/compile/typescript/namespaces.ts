// Namespaces become objects that their body fills: what it exports is assigned to the object, the rest stays local to it.
import type { Lowered } from '../analysis/analyze.ts'
import { listOf, targetsOf, type Node } from '../ast.ts'
import { after, before, replace, type Draft } from '../draft.ts'
import { sessionName } from '../isolation/names.ts'
import { dropKeyword, endStatement } from '../root/variables.ts'
import { identifierEnd, lineEnds, member } from '../text.ts'
import { holder, mergedOf } from './objects.ts'
import type { Qualifier, Qualifiers } from './qualify.ts'
import { namespaceParts } from './type-only.ts'

export function lowerNamespace(draft: Draft, item: Lowered, qualifiers: Qualifiers): void {
  const { node, inner } = item
  const { text } = draft
  let open = ''
  let close = ''
  let { scope } = item
  namespaceParts(node.id!).forEach((part, index) => {
    const isExported = index > 0 || (item.exporter !== null && scope.kind === 'namespace')
    const merged = mergedOf(part.name, scope, isExported, qualifiers)
    const object = draft.fresh()
    const { name } = part
    const known = scope.kind === 'root' ? sessionName(draft, name) : name
    const extend = `typeof ${known} === "object" && ${known} !== null || typeof ${known} === "function" ? ${known} : {}`
    const place = { ...item, scope, exporter: isExported ? node : null }
    const made = holder(draft, place, part, qualifiers, extend)
    if (isExported) qualifiers.bodies.get(scope)!.merged.exported.add(name)
    qualifiers.bodies.set(inner[index]!, { object, own: new Set(), earlier: new Set(merged.exported), merged })
    open += `${made.declaration}void ((${object}) => {`
    close = `})(${made.object});${close}`
    scope = inner[index]!
  })
  replace(draft, node.start, node.body.start + 1, open + lineEnds(text.slice(node.start, node.body.start + 1)))
  replace(draft, node.body.end - 1, node.body.end, close)
  const qualifier = qualifiers.bodies.get(scope)!
  for (const statement of listOf(node.body)) {
    if (statement.type === 'ExportNamedDeclaration' && statement.declaration != null) lowerExport(draft, statement.declaration, qualifier)
  }
}

function lowerExport(draft: Draft, declaration: Node, qualifier: Qualifier): void {
  const { object, own, merged } = qualifier
  switch (declaration.type) {
    case 'VariableDeclaration': {
      if (declaration.declare === true) return
      for (const { id } of declaration.declarations) for (const { name } of targetsOf(id!)) own.add(name)
      for (const name of own) merged.exported.add(name)
      return exportVariables(draft, declaration, object)
    }
    case 'FunctionDeclaration': case 'ClassDeclaration': {
      if (declaration.declare === true) return
      const { name } = declaration.id!
      merged.exported.add(name)
      return after(draft, declaration.end, ` ${member(object, name)} = ${name};`)
    }
    case 'TSEnumDeclaration': if (declaration.declare !== true) merged.exported.add(declaration.id!.name); return
    case 'TSImportEqualsDeclaration':
      own.add(declaration.id!.name)
      merged.exported.add(declaration.id!.name)
  }
}

function exportVariables(draft: Draft, node: Node, object: string): void {
  dropKeyword(draft, node, node.kind)
  const [first] = node.declarations as [Node, ...Node[]]
  if (first.id!.type !== 'Identifier') before(draft, first.start, 'void 0, ')
  for (const { id, init } of node.declarations) {
    if (init == null) replace(draft, id!.start, identifierEnd(draft.text, id!), 'void 0')
    else exportTargets(draft, id!, object, false)
  }
  endStatement(draft, node)
}

/** The names that a pattern binds become members of the namespace. */
function exportTargets(draft: Draft, pattern: Node, object: string, shorthand: boolean): void {
  switch (pattern.type) {
    case 'Identifier': {
      const target = member(object, pattern.name)
      return replace(draft, pattern.start, identifierEnd(draft.text, pattern), shorthand ? `${pattern.name}: ${target}` : target)
    }
    case 'AssignmentPattern': return exportTargets(draft, pattern.left, object, shorthand)
    case 'RestElement': return exportTargets(draft, pattern.argument!, object, false)
    case 'ArrayPattern':
      for (const element of pattern.elements) if (element !== null) exportTargets(draft, element, object, false)
      return
    case 'ObjectPattern':
      for (const property of pattern.properties) exportTargets(draft, property, object, false)
      return
    case 'ObjectProperty': return exportTargets(draft, pattern.value as Node, object, pattern.shorthand)
  }
}

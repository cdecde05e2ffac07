// The part of the walk that meets TypeScript: constructs that run are noted for lowering, expressions are looked into, types
// only for the names they mention.
import type { Scope } from '../analysis/scopes.ts'
import type { Walk } from '../analysis/walk.ts'
import { eachChild, listOf, type Node } from '../ast.ts'
import { isTypeOnly, namespaceParts } from './type-only.ts'

export function walkTypeScript(walk: Walk, node: Node, scope: Scope, exporter: Node | null = null): void {
  const { into } = walk
  switch (node.type) {
    case 'TSEnumDeclaration':
      if (node.declare === true) into.types = true
      else enumLike(walk, node, scope, exporter)
      return
    case 'TSModuleDeclaration': return namespaceLike(walk, node, scope, exporter)
    case 'TSImportEqualsDeclaration': return importAlias(walk, node, scope, exporter)
    case 'TSExportAssignment':
      if (scope.kind !== 'root') into.nested ??= node
      return walk.visit(node.expression, scope)
    case 'TSTypeAssertion':
      walk.assert(node)
      walk.visit(node.expression, scope)
      return walkTypes(walk, node.typeAnnotation, scope)
    case 'TSAsExpression': case 'TSSatisfiesExpression': case 'TSNonNullExpression': case 'TSInstantiationExpression':
      into.types = true
      walk.visit(node.expression, scope)
      for (const type of [node['typeAnnotation'], node['typeArguments']]) if (type != null) walkTypes(walk, type as Node, scope)
      return
    default:
      into.types = true
      return walkTypes(walk, node, scope)
  }
}

/** Where a type mentions something that has a name outside it; the rest of its identifiers are its own. */
const MENTIONS: Readonly<Record<string, string>> = {
  TSTypeReference: 'typeName', TSTypeQuery: 'exprName', TSClassImplements: 'expression', TSInterfaceHeritage: 'expression',
}

export function walkTypes(walk: Walk, node: Node, scope: Scope): void {
  const field = MENTIONS[node.type]
  if (field !== undefined) {
    const first = leftmost(node[field] as Node)
    if (first.type === 'Identifier') walk.refer(first, scope, false, false, false, true)
  } else if (node.computed && node.key?.type === 'Identifier') {
    walk.refer(node.key, scope, false, false, false, true)
  }
  eachChild(node, (child) => { walkTypes(walk, child, scope) })
}

function leftmost(node: Node): Node {
  let first = node
  while (first.type === 'TSQualifiedName' || first.type === 'MemberExpression') {
    first = first.type === 'TSQualifiedName' ? first.left : first.object
  }
  return first
}

function importAlias(walk: Walk, node: Node, scope: Scope, exporter: Node | null): void {
  if (node.importKind === 'type' || exporter !== null) walk.into.types = true
  if (node.importKind === 'type') return
  walk.bind(node.id!, 'const', scope, node, scope)
  walk.into.aliases.push({ node, scope, inner: [], exporter })
  const { moduleReference } = node
  if (moduleReference.type !== 'TSExternalModuleReference') walk.refer(leftmost(moduleReference), scope, true, false)
}

function enumLike(walk: Walk, node: Node, scope: Scope, exporter: Node | null): void {
  if (exporter !== null) walk.into.types = true
  walk.bind(node.id!, 'enum', scope, node, scope)
  const inner = walk.open('enum', node, scope, true)
  walk.into.enums.push({ node, scope, inner: [inner], exporter })
  for (const member of node.body.members) {
    const { id } = member
    const name = id!.type === 'StringLiteral' ? id!.value as string : id!.name
    walk.bind({ ...id!, name } as Node, 'member', inner, member, inner)
    if (member.initializer != null) walk.visit(member.initializer, inner)
  }
}

function namespaceLike(walk: Walk, node: Node, scope: Scope, exporter: Node | null): void {
  const isVanishing = isTypeOnly(node)
  if (isVanishing || exporter !== null) walk.into.types = true
  if (isVanishing) return
  if (scope.kind !== 'root' && scope.kind !== 'namespace') walk.into.nested ??= node
  let at = scope
  const inner: Scope[] = []
  for (const part of namespaceParts(node.id!)) {
    walk.bind(part, 'namespace', at, node, at)
    at = walk.open('namespace', node, at, true)
    inner.push(at)
  }
  walk.into.namespaces.push({ node, scope, inner, exporter })
  walk.list(listOf(node.body), at)
}

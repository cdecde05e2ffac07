// What disappears with the types: statements and namespaces of which nothing is left when the program runs.
import { listOf, type Node } from '../ast.ts'

/** The identifiers of `A.B.C`, outermost first. */
export function namespaceParts(id: Node): readonly Node[] {
  return id.type === 'TSQualifiedName' ? [...namespaceParts(id.left), id.right] : [id]
}

const TYPE_ONLY: ReadonlySet<string> = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSDeclareFunction'])

/** Is there anything in this namespace that exists when the program runs? */
export function runs(namespace: Node): boolean {
  return listOf(namespace.body).some((statement) => !isTypeOnly(statement))
}

/** A statement that type erasure takes out without a trace. */
export function isTypeOnly(statement: Node): boolean {
  if (TYPE_ONLY.has(statement.type)) return true
  if (statement.declare === true || statement.importKind === 'type' || statement.exportKind === 'type') return true
  if (statement.type === 'TSModuleDeclaration') {
    return statement.kind === 'global' || statement.id!.type === 'StringLiteral' || !runs(statement)
  }
  const isExport = statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
  return isExport && statement.declaration != null && isTypeOnly(statement.declaration)
}

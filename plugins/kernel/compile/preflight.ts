// What a cell may not do whatever it computes: ask for a module that would take the session's process apart, or declare a
// name that is not its to declare.
import { holderOf } from './analysis/scopes.ts'
import type { Node } from './ast.ts'
import { listOf } from './ast.ts'
import type { Draft } from './draft.ts'
import { Refusal, type Collision } from './refusal.ts'

const FORBIDDEN: ReadonlySet<string> = new Set(['worker_threads', 'node:worker_threads', 'cluster', 'node:cluster'])

export function refuseModules({ analysis, program }: Draft): void {
  for (const item of listOf(program)) {
    const isType = item.importKind === 'type' || item.exportKind === 'type'
    if (item.source != null && !isType && typeof item.source === 'object') refuse(item.source)
  }
  for (const { node, scope } of analysis.calls) {
    if (node.type === 'ImportExpression') refuse(node.source!)
    else if (node.callee.name === 'require' && holderOf('require', scope) === null && node.arguments.length > 0) refuse(node.arguments[0]!)
  }
  for (const { node } of analysis.aliases) {
    if (node.moduleReference.type === 'TSExternalModuleReference') refuse(node.moduleReference.expression)
  }
}

function refuse(argument: Node): void {
  const name = literal(argument)
  if (name === undefined || !FORBIDDEN.has(name)) return
  throw new Refusal('PTC-C002', `The module '${name}' is not available in a cell: a session is one worker of one process`, argument.start)
}

function literal(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return node.value as string
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return (node.quasis[0]!.value as { cooked: string }).cooked
}

/** Runs when all root names are known. */
export function refuseCollisions({ names, request }: Draft): void {
  const reserved = new Set(request.reserved)
  const existing = new Set(request.semantics === 'protected-v1' ? request.existing ?? [] : [])
  const collisions: Collision[] = []
  for (const [name, { kind, at }] of names) {
    if (reserved.has(name)) collisions.push({ name, kind, at, reason: 'reserved-program-binding-not-shadowable' })
    else if (existing.has(name)) {
      collisions.push({ name, kind, at, reason: kind === 'import' ? 'import-binding-redeclaration' : 'protected-root-redeclaration' })
    }
  }
  const [first] = collisions.sort((a, b) => a.at - b.at)
  if (first === undefined) return
  const list = collisions.map(({ name }) => `'${name}'`).join(', ')
  const message = `A cell cannot declare ${list}: ${collisions.length > 1 ? 'the names are' : 'the name is'} taken`
  throw new Refusal('PTC-N001', message, first.at, collisions)
}

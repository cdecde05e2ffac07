// The host's bindings as namespaces of one cell: what the host hands to a program, explained by the host's own definitions, and
// called in the context in which the host asked for the run, so that the host knows who is calling.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { JsonSchema, Member, RequestNamespaces } from '../capabilities/types.ts'
import type { BindingNamespace, ToolDefinition } from './host/types.ts'

const AUTHORITY = 'dsh-tool-dispatch'

const schemaOf = (schema: unknown): JsonSchema | undefined =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? schema as JsonSchema : undefined

function explained(definition: ToolDefinition | undefined): Omit<Member, 'call' | 'replay'> {
  if (definition === undefined) return {}
  const parameters = schemaOf(definition.parameters)
  const returns = schemaOf(definition.output.schema)
  return { description: definition.description, ...parameters === undefined ? {} : { parameters }, ...returns === undefined ? {} : { returns } }
}

/** `definitionOf` finds what the host knows about a tool. Call it where the host called the runtime. */
export function namespacesOf(
  bindings: readonly BindingNamespace[], definitionOf: (tool: string) => ToolDefinition | undefined,
): RequestNamespaces {
  const asTheHost = AsyncLocalStorage.snapshot()
  const namespaces: Record<string, RequestNamespaces[string]> = Object.create(null) as Record<string, RequestNamespaces[string]>
  for (const { global, functions, errorClass } of bindings) {
    const members: Record<string, Member> = Object.create(null) as Record<string, Member>
    for (const [name, call] of Object.entries(functions)) {
      const member: Member = {
        ...global === 'tools' ? explained(definitionOf(name)) : {}, replay: 'recorded-value', call: (args) => asTheHost(call, args),
      }
      Object.defineProperty(members, name, { value: member, enumerable: true })
    }
    namespaces[global] = { members, authority: AUTHORITY, ...global === 'tools' ? { omitted: 'empty-object' as const } : {}, ...errorClass ? { errorClass } : {} }
  }
  return namespaces
}

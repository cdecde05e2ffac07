// What a session has given up, and which members that takes away. One predicate reads closures, so that the program, the explorer, the
// declaration and the dispatch can not disagree about one.
import { CapabilityError } from '../errors.ts'
import { MAX_SYMBOL_BYTES } from '../names.ts'

const TRANSPORTS: ReadonlySet<string> = new Set(['tools.run_code', 'tools.edit_run_code'])

/** The members through which programs are submitted are channels, not capabilities (contract 4.2): nothing takes them away. */
export const isTransport = (symbol: string): boolean => TRANSPORTS.has(symbol)

/** Tools of an MCP server are members of `tools` by this name. */
const MCP_TOOL = /^mcp__(.+?)__/u

/**
 * What is closed with a target: a namespace (`notes`), a member (`notes.add`), or an MCP server (`mcp.github`), which is the row of
 * that name and every tool of the server.
 */
export function isTarget(target: unknown): target is string {
  return typeof target === 'string' && target !== '' && Buffer.byteLength(JSON.stringify(target)) - 2 <= MAX_SYMBOL_BYTES
}

export function parseTarget(target: unknown): string {
  if (isTarget(target)) return target
  throw new CapabilityError('bad-target', String(target).slice(0, MAX_SYMBOL_BYTES), `it is not a text of 1 to ${MAX_SYMBOL_BYTES} bytes`)
}

/** Names of members of `tools`, as a host admits them. */
export function parseTools(tools: unknown): readonly string[] {
  if (Array.isArray(tools) && tools.every(name => typeof name === 'string')) return tools
  throw new CapabilityError('bad-document', 'the admission', 'it is not a list of names')
}

export function isClosed(closures: ReadonlySet<string>, namespace: string, member: string): boolean {
  if (closures.size === 0) return false
  const symbol = `${namespace}.${member}`
  if (isTransport(symbol)) return false
  return closures.has(namespace) || closures.has(symbol) || closures.has(`mcp.${serverOf(namespace, member) ?? ''}`)
}

/** The MCP server that a member belongs to, if any. */
export function serverOf(namespace: string, member: string): string | undefined {
  return namespace === 'tools' ? MCP_TOOL.exec(member)?.[1] : undefined
}

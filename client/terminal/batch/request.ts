// Reads one line of `ptc batch` into a request built field by field. Pure. The line comes from outside, so anything
// that is not exactly a request is refused with a sentence that says why.
import type { BindingPolicy } from '../../../plugins/kernel/types.ts'

export type Request =
  | { readonly kind: 'cell', readonly source: string, readonly cwd?: string, readonly timeoutMs?: number }
  | { readonly kind: 'reset' | 'kill' | 'restart' }
  | { readonly kind: 'policy', readonly value: BindingPolicy }

export type ParsedRequest = Request | { readonly kind: 'refused', readonly message: string }

const fields = { cell: ['source', 'cwd', 'timeoutMs'], control: ['control', 'value'] } as const

/** Node fires a timer with a longer delay at once. */
const maxTimeoutMs = 2 ** 31 - 1

export function parseRequest(line: string): ParsedRequest {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch (error) {
    return refused(`not JSON: ${(error as Error).message}`)
  }
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return refused('a request is a JSON object')
  const request = json as { readonly [field: string]: unknown }
  if (Object.hasOwn(request, 'source') === Object.hasOwn(request, 'control')) {
    return refused('a request has either "source" or "control"')
  }
  const kind = Object.hasOwn(request, 'source') ? 'cell' : 'control'
  const known: readonly string[] = fields[kind]
  const unknown = Object.keys(request).find(field => !known.includes(field))
  if (unknown !== undefined) return refused(`unknown field ${JSON.stringify(unknown)}`)
  return kind === 'cell' ? parseCell(request) : parseControl(request)
}

function parseCell({ source, cwd, timeoutMs }: { readonly [field: string]: unknown }): ParsedRequest {
  if (typeof source !== 'string') return refused('"source" must be a string')
  if (cwd !== undefined && (typeof cwd !== 'string' || cwd === '')) return refused('"cwd" must be a path')
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && Number.isSafeInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= maxTimeoutMs)) {
    return refused(`"timeoutMs" must be an integer from 1 to ${maxTimeoutMs}`)
  }
  return { kind: 'cell', source, ...cwd === undefined ? {} : { cwd }, ...timeoutMs === undefined ? {} : { timeoutMs: timeoutMs as number } }
}

function parseControl({ control, value }: { readonly [field: string]: unknown }): ParsedRequest {
  if (control === 'policy') {
    if (value !== 'stateful' && value !== 'protected') return refused('the value of "policy" must be "stateful" or "protected"')
    return { kind: 'policy', value }
  }
  if (control !== 'reset' && control !== 'kill' && control !== 'restart') {
    return refused('"control" must be "reset", "kill", "restart" or "policy"')
  }
  if (value !== undefined) return refused(`"${control}" takes no value`)
  return { kind: control }
}

function refused(message: string): ParsedRequest {
  return { kind: 'refused', message }
}

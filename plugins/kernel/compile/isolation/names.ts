// Which names of a cell are isolated: the session may use them for things of its own, while modules go on seeing what the
// realm has under them, or that it has nothing.
import type { Analysis } from '../analysis/analyze.ts'
import { isCellLevel } from '../analysis/scopes.ts'
import { member } from '../text.ts'
import type { CompileRequest } from '../types.ts'

/** Names that every realm has. The thread that compiles and the one that runs cells have the same. */
export const REALM: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(globalThis))

/** Global properties that no declaration can change: it only has to be harmless, as in a script. */
export const FIXED: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity'])

/** Names by which libraries recognise a browser, a worker, a module loader or another runtime. */
const SNIFFED: ReadonlySet<string> = new Set([
  'window', 'document', 'self', 'define', 'module', 'exports', 'importScripts', 'WorkerGlobalScope', 'XMLHttpRequest', 'Deno', 'Bun',
])

export interface Isolation {
  /** All that count in this cell. */
  readonly names: ReadonlySet<string>
  /** Those that this cell declares. */
  readonly own: readonly string[]
  /** Where the text reads or writes one of them. */
  readonly places: number[]
  /** Where only the running program can tell which name is meant: a direct `eval`, code inside `with`. */
  readonly dynamic: number[]
}

export function isolationOf({ reserved, isolated = [] }: CompileRequest, { root, functions }: Analysis): Isolation {
  const isIsolatable = (name: string): boolean => (
    (REALM.has(name) || SNIFFED.has(name)) && !FIXED.has(name) && name !== 'require' && !reserved.includes(name)
  )
  const own = new Set([...root.bindings.keys()].filter(isIsolatable))
  // Such a function also becomes a name of the session.
  for (const { node, scope } of functions) if (node.id != null && isCellLevel(scope) && isIsolatable(node.id.name)) own.add(node.id.name)
  const names = new Set([...isolated.filter((name) => !reserved.includes(name)), ...own])
  return { names, own: [...own], places: [], dynamic: [] }
}

/** How compiled text writes a session name. `note` is a comment to put inside. */
export function sessionName({ abi, isolation }: { readonly abi: string, readonly isolation: Isolation }, name: string, note = ''): string {
  return isolation.names.has(name) ? member(`${abi}${note}.i`, name) : name
}

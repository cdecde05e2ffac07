// Which names a namespace may have. A program sees it as a global, so it must be writable as one.
import { CapabilityError } from './errors.ts'

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/

/** Namespaces of our own, and globals that a program must find as it knows them. */
const OWN_NAMES: ReadonlySet<string> = new Set(['capabilities', 'code', 'repl', 'console'])

/** Words that the language does not accept, or accepts with another meaning, where a global's name stands. */
const WORDS: ReadonlySet<string> = new Set((
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if '
  + 'implements import in instanceof interface let new null package private protected public return static super switch this throw '
  + 'true try typeof var void while with yield arguments eval undefined NaN Infinity globalThis __proto__'
).split(' '))

/** Namespaces that the kernel dispatches itself. Of `tools` it is one member; the rest of it is an owner's. */
const EXPLAINED: ReadonlySet<string> = new Set(['code', 'repl', 'tools'])

/** May be registered and explained at the same time: the members are shown as one namespace, and the owner's come first. */
export const SHARED: ReadonlySet<string> = new Set(['tools'])

/** Throws `bad-name` for a name that is not one of the kernel's own. */
export function parseExplainedName(name: unknown): string {
  if (typeof name !== 'string' || !EXPLAINED.has(name)) throw new CapabilityError('bad-name', String(name), 'it is not a namespace of the kernel')
  return name
}

/**
 * How long `namespace.member` may be, in bytes of UTF-8 as JSON. A page of `capabilities.search` can always hold a reference to a
 * member, which names it twice, and a program that prints a symbol does not fill its output with it.
 */
export const MAX_SYMBOL_BYTES = 150

/** Throws `bad-member` for a symbol that is too long. */
export function assertSymbolLength(symbol: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(symbol)) - 2
  if (bytes > MAX_SYMBOL_BYTES) throw new CapabilityError('bad-member', `${symbol.slice(0, 50)}…`, `its symbol has ${bytes} bytes, more than ${MAX_SYMBOL_BYTES}`)
}

/** Throws `bad-name` for a name that no owner can have. */
export function parseGlobalName(name: unknown): string {
  if (typeof name !== 'string' || !IDENTIFIER.test(name)) {
    throw new CapabilityError('bad-name', String(name), 'it is not an identifier of ASCII letters, digits, $ and _')
  }
  if (WORDS.has(name)) throw new CapabilityError('bad-name', name, 'it is a word of the language')
  if (OWN_NAMES.has(name)) throw new CapabilityError('bad-name', name, 'it is reserved')
  return name
}

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

/** Throws `bad-name` for a name that no owner can have. */
export function parseGlobalName(name: unknown): string {
  if (typeof name !== 'string' || !IDENTIFIER.test(name)) {
    throw new CapabilityError('bad-name', String(name), 'it is not an identifier of ASCII letters, digits, $ and _')
  }
  if (WORDS.has(name)) throw new CapabilityError('bad-name', name, 'it is a word of the language')
  if (OWN_NAMES.has(name)) throw new CapabilityError('bad-name', name, 'it is reserved')
  return name
}

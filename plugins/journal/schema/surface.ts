// What a program could see of its namespaces, as the entry that opens its cell tells it. An input of the cell like any other: a
// program may count members, or ask whether there is one, without ever calling it (R3).
import { ascending, closed, list, literal, matching, refuse } from './closed.ts'
import type { Parse } from './closed.ts'

export interface SeenNamespace {
  readonly name: string
  /** Sorted. */
  readonly members: readonly string[]
  /** Of the errors with which its calls reject. It is a global as well. */
  readonly errorClass?: { readonly name: string, readonly memberNameProperty: string, readonly extends?: 'TypeError' }
  /** A name of the session hides it. */
  readonly soft?: true
}

/** All namespaces that a cell was given, sorted by name. */
export type Surface = readonly SeenNamespace[]

/** Far more than anybody offers, and little enough to be held. */
const MAX_NAMES = 200_000
const MAX_UNITS = 512

const bounded = (parse: Parse<string>): Parse<string> => (value) => {
  const name = parse(value)
  return name.length <= MAX_UNITS ? name : refuse(`is longer than ${MAX_UNITS} units`)
}
const global = bounded(matching(/^[A-Za-z_$][A-Za-z0-9_$]*$/, 'the name of a global'))
/** Of a member: any text, since programs can ask for it in brackets. */
const key = bounded(matching(/[^]/, 'a name'))

const namespace = closed<SeenNamespace>({
  name: global,
  members: (value) => ascending(list(key)(value), (name) => name),
}, {
  errorClass: closed<NonNullable<SeenNamespace['errorClass']>>({ name: global, memberNameProperty: key }, { extends: literal('TypeError') }),
  soft: literal(true),
})

const parseSurface: Parse<Surface> = (value) => {
  let left = MAX_NAMES
  return ascending(list((item) => {
    const { members } = item as { readonly members?: { readonly length?: unknown } }
    // Counted before they are copied.
    left -= 1 + Number(members?.length ?? 0)
    return left >= 0 ? namespace(item) : refuse(`is one name of more than ${MAX_NAMES}`)
  })(value), ({ name }) => name)
}

/**
 * What is known of the surface of a cell, from its entry and from what was known of the cell opened before it: an entry tells it
 * only when it is another. One that can not be read is no fault of the cell; nothing is known then until the next that can.
 */
export function surfaceAfter(before: Surface | undefined, { surface }: { readonly surface?: unknown }): Surface | undefined {
  if (surface === undefined) return before
  try { return parseSurface(surface) } catch { return undefined }
}

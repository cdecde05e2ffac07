// Small parsers for closed documents: each takes an unknown value and answers a fresh one, or refuses. The parts of the
// record are put together from these, so that "closed" (J1) is kept in one place.

export type Parse<T> = (value: unknown) => T

/** Thrown inside the schema only; `refusalText` turns it into the sentence that leaves it. */
class Refused extends Error {
  readonly path: string[] = []
}

export function refuse(why: string): never {
  throw new Refused(why)
}

/** What was wrong and where, or a general sentence when the value itself failed while it was read. */
export function refusalText(error: unknown): string {
  if (!(error instanceof Refused)) return 'could not be read'
  const path = error.path.join('.').replaceAll(/\.\[/g, '[')
  return path === '' ? error.message : `${path} ${error.message}`
}

function at(step: string, error: unknown): never {
  if (error instanceof Refused) error.path.unshift(step)
  throw error
}

type OptionalKeys<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? K : never }[keyof T]

/** One parser for each field of `T`: a forgotten row does not compile. */
export type Required<T> = { readonly [K in Exclude<keyof T, OptionalKeys<T>>]: Parse<T[K]> }
export type Optional<T> = { readonly [K in OptionalKeys<T>]: Parse<Exclude<T[K], undefined>> }

/** Refuses what has no fields at all. Whether it has hidden ones is asked where all of them are looked at. */
export function object(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : refuse('is not an object')
}

function refuseHidden(value: object, visible: number): void {
  if (Reflect.ownKeys(value).length !== visible) refuse('has symbol or non-enumerable fields')
}

/** Refuses what is not an object of own, enumerable, string-named fields. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  const fields = object(value)
  refuseHidden(fields, Object.keys(fields).length)
  return fields
}

/** J1: every required field, some of the optional ones, nothing else. Each field is read once. */
export function closed<T>(required: Required<T>, optional: Optional<T>): Parse<T> {
  const must = Object.entries(required) as [string, Parse<unknown>][]
  const may = Object.entries(optional) as [string, Parse<unknown>][]
  const known = new Set([...must, ...may].map(([key]) => key))
  const names = must.map(([key]) => key)
  return (value) => {
    const fields = object(value)
    const fresh: Record<string, unknown> = {}
    const keys = Object.keys(fields)
    const isExact = isSameList(keys, names)
    for (let index = 0; index < keys.length && !isExact; index++) if (!known.has(keys[index]!)) refuse(`has the unknown field ${JSON.stringify(keys[index])}`)
    refuseHidden(fields, keys.length)
    let key = ''
    try {
      for (let index = 0; index < must.length; index++) {
        key = names[index]!
        if (!isExact && !Object.hasOwn(fields, key)) refuse('is missing')
        fresh[key] = must[index]![1](fields[key])
      }
      for (let index = 0; index < may.length && !isExact; index++) {
        key = may[index]![0]
        if (Object.hasOwn(fields, key)) fresh[key] = may[index]![1](fields[key])
      }
    } catch (error) {
      at(key, error)
    }
    return fresh as T
  }
}

/** Most documents have exactly the fields that are required, in their order: then none of them has to be looked for. */
function isSameList(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false
  return true
}

export function list<T>(item: Parse<T>): Parse<T[]> {
  return (value) => {
    if (!Array.isArray(value)) refuse('is not a list')
    const fresh: T[] = []
    for (let index = 0; index < value.length; index++) {
      try {
        fresh.push(item(value[index]))
      } catch (error) {
        at(`[${index}]`, error)
      }
    }
    return fresh
  }
}

export function oneOf<const T extends string>(...words: readonly T[]): Parse<T> {
  const known = new Set<unknown>(words)
  return (value) => known.has(value) ? value as T : refuse(`is not one of ${words.join(', ')}`)
}

export function literal<const T extends string | number | boolean>(only: T): Parse<T> {
  return (value) => value === only ? only : refuse(`is not ${JSON.stringify(only)}`)
}

export function nullable<T>(parse: Parse<T>): Parse<T | null> {
  return (value) => value === null ? null : parse(value)
}

export const text: Parse<string> = (value) => typeof value === 'string' ? value : refuse('is not a string')

export const line: Parse<string> = (value) => {
  const one = text(value)
  return /[\r\n]/.test(one) ? refuse('is more than one line') : one
}

export const label: Parse<string> = (value) => line(value) === '' ? refuse('is empty') : value as string

export function matching(pattern: RegExp, what: string): Parse<string> {
  return (value) => pattern.test(text(value)) ? value as string : refuse(`is not ${what}`)
}

export function integer(least: number): Parse<number> {
  return (value) => {
    if (!Number.isSafeInteger(value) || (value as number) < least) refuse(`is not an integer from ${least} on`)
    return value as number
  }
}

/** Refuses unless each item sorts strictly after the one before it (code units), hence also duplicates. */
export function ascending<T>(items: T[], key: (item: T) => string): T[] {
  for (let index = 1; index < items.length; index++) {
    if (!(key(items[index - 1] as T) < key(items[index] as T))) refuse('is not sorted, or holds a name twice')
  }
  return items
}

const DEEPEST_JSON = 64

/** A fresh copy of a JSON value; the depth is bounded so that a hostile one can not overflow the stack. */
export function json(value: unknown, depth = 0): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : refuse('is not JSON')
  if (typeof value !== 'object' || depth >= DEEPEST_JSON) refuse('is not JSON')
  if (Array.isArray(value)) return Array.from(value, (item) => json(item, depth + 1))
  return Object.fromEntries(Object.entries(fieldsOf(value)).map(([key, item]) => [key, json(item, depth + 1)]))
}

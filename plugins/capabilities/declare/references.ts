// What `$ref` points at inside one schema document, and which references lead to themselves without anything between.
//
// Only pointers into the same document are followed (`#`, `#/$defs/Node`). Anchors and other documents are not: whoever reads the
// declaration sees `unknown` there, which promises nothing.

export type Schema = { readonly [key: string]: unknown }

export const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The part of the document that a reference names: a schema (an object, or true or false), or undefined. */
export function resolve(document: Schema, reference: string): unknown {
  if (!/^#(?:\/|$)/u.test(reference)) return undefined
  let found: unknown = document
  for (const step of reference.split('/').slice(1)) {
    const key = unescaped(step)
    if (key === undefined || typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return isSchema(found) || typeof found === 'boolean' ? found : undefined
}

function unescaped(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}

/**
 * Whether a type that is named for this reference would be defined by itself: `type A = A | string`. A way through a property or an
 * array is fine, since it has to be walked only when there is a value.
 */
export function isCircular(document: Schema, reference: string): boolean {
  const seen = new Set<string>()
  const reaches = (schema: unknown): boolean => direct(schema).some((next) => {
    if (next === reference) return true
    if (seen.has(next)) return false
    seen.add(next)
    return reaches(resolve(document, next))
  })
  return reaches(resolve(document, reference))
}

/** References that a schema's type names at its top. */
function direct(schema: unknown): string[] {
  if (!isSchema(schema)) return []
  const own = typeof schema.$ref === 'string' ? [schema.$ref] : []
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(list => Array.isArray(list) ? list as unknown[] : [])
  return [...own, ...parts.flatMap(direct)]
}

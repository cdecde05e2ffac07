// The TypeScript type of what a JSON Schema admits. Where a schema says more than a type can (patterns, bounds, `not`), the type admits
// more; it never promises less than the schema does, except that a schema without `type` is taken for what its keywords describe.
import { isSchema, type Schema } from './references.ts'
import { docText, indented, keyText, literalText } from './text.ts'

/** The type to write for a reference. */
export type NameOf = (reference: string) => string

/** A type's text, and whether it has to be set in parentheses next to `[]` and `&`. */
interface Type { readonly text: string, readonly compound: boolean }

const UNKNOWN: Type = { text: 'unknown', compound: false }
const NEVER: Type = { text: 'never', compound: false }
/** An object type of at most this many characters stays on its line. */
const LINE = 80

const plain = (text: string): Type => ({ text, compound: false })
const wrapped = ({ text, compound }: Type): string => compound ? `(${text})` : text

export function typeText(schema: unknown, nameOf: NameOf): string {
  return typeOf(schema, nameOf).text
}

function typeOf(schema: unknown, nameOf: NameOf): Type {
  if (schema === false) return NEVER
  if (!isSchema(schema)) return UNKNOWN
  const list = (value: unknown): Type[] => Array.isArray(value) ? value.map(item => typeOf(item, nameOf)) : []
  const parts = [
    ...typeof schema.$ref === 'string' ? [plain(nameOf(schema.$ref))] : [],
    ...list(schema.allOf),
    ...['anyOf', 'oneOf'].filter(key => Array.isArray(schema[key])).map(key => union(list(schema[key]))),
  ]
  const own = ownType(schema, nameOf)
  // `{type: 'object', anyOf: [...]}`: the alternatives say which objects.
  const says = parts.some(part => part !== UNKNOWN) && own.text === ANY_OBJECT ? UNKNOWN : own
  return intersection([says, ...parts])
}

/** What the schema's own keywords say, without what it combines. */
function ownType(schema: Schema, nameOf: NameOf): Type {
  if ('const' in schema) return plain(literalText(schema.const))
  if (Array.isArray(schema.enum)) return union(schema.enum.map(value => plain(literalText(value))))
  const { type } = schema
  if (Array.isArray(type)) return union(type.map(name => namedType(name, schema, nameOf)))
  return namedType(type ?? impliedType(schema), schema, nameOf)
}

function impliedType(schema: Schema): string | undefined {
  if ('properties' in schema || 'patternProperties' in schema || 'additionalProperties' in schema) return 'object'
  return 'items' in schema || 'prefixItems' in schema ? 'array' : undefined
}

function namedType(name: unknown, schema: Schema, nameOf: NameOf): Type {
  switch (name) {
    case 'string': case 'boolean': case 'null': case 'number': return plain(name)
    case 'integer': return plain('number')
    case 'array': return arrayType(schema, nameOf)
    case 'object': return plain(objectText(schema, nameOf))
    default: return UNKNOWN
  }
}

/** Draft 2020-12 has tuples in `prefixItems` and the rest in `items`; draft 7 in `items` and `additionalItems`. */
function arrayType(schema: Schema, nameOf: NameOf): Type {
  const [tuple, rest] = Array.isArray(schema.prefixItems) ? [schema.prefixItems as unknown[], schema.items]
    : Array.isArray(schema.items) ? [schema.items as unknown[], schema.additionalItems] : [[], schema.items]
  const tail = typeOf(rest, nameOf)
  if (tuple.length === 0) return plain(tail === NEVER ? '[]' : `${wrapped(tail)}[]`)
  const least = typeof schema.minItems === 'number' ? schema.minItems : 0
  const items = tuple.map(item => typeOf(item, nameOf)).map((item, i) => i < least ? item.text : `${wrapped(item)}?`)
  return plain(`[${[...items, ...tail === NEVER ? [] : [`...${wrapped(tail)}[]`]].join(', ')}]`)
}

const ANY_OBJECT = '{ [key: string]: unknown }'

function objectText(schema: Schema, nameOf: NameOf): string {
  const required = new Set(Array.isArray(schema.required) ? schema.required as unknown[] : [])
  const properties = Object.entries(isSchema(schema.properties) ? schema.properties : {})
    .map(([key, value]) => ({ key, type: typeOf(value, nameOf), optional: !required.has(key), doc: isSchema(value) ? docText(value.description) : '' }))
  const fields = properties.map(({ key, type, optional, doc }) => `${doc}${keyText(key)}${optional ? '?' : ''}: ${type.text}`)
  const others = otherProperties(schema, properties.length > 0, nameOf)
  if (others) {
    // An index signature has to admit what the properties next to it are.
    const beside = properties.flatMap(({ type, optional }) => optional ? [type, plain('undefined')] : [type])
    fields.push(`[key: string]: ${union([others, ...beside]).text}`)
  }
  if (fields.length === 0) return '{ [key: string]: never }'
  const line = `{ ${fields.join('; ')} }`
  return line.length <= LINE && !line.includes('\n') ? line : `{\n${indented(fields.join('\n'))}\n}`
}

/** The type of properties without a name of their own, if there may be any that a reader should know of. */
function otherProperties({ additionalProperties, patternProperties }: Schema, hasProperties: boolean, nameOf: NameOf): Type | undefined {
  const patterns = isSchema(patternProperties) ? Object.values(patternProperties).map(value => typeOf(value, nameOf)) : []
  // Nearly every schema leaves `additionalProperties` away; that it allows others is not what its author wants to say.
  const silent = additionalProperties === undefined && (hasProperties || patterns.length > 0)
  const others = silent || additionalProperties === false ? patterns : [typeOf(additionalProperties, nameOf), ...patterns]
  return others.length === 0 ? undefined : union(others)
}

function union(types: readonly Type[]): Type {
  const texts = new Map(types.filter(type => type !== NEVER).map(type => [type.text, type]))
  if (texts.has(UNKNOWN.text)) return UNKNOWN
  if (texts.size === 0) return NEVER
  return texts.size === 1 ? [...texts.values()][0]! : { text: [...texts.keys()].join(' | '), compound: true }
}

function intersection(types: readonly Type[]): Type {
  const texts = new Map(types.filter(type => type.text !== UNKNOWN.text).map(type => [type.text, type]))
  if (texts.size === 0) return UNKNOWN
  return texts.size === 1 ? [...texts.values()][0]! : { text: [...texts.values()].map(wrapped).join(' & '), compound: true }
}

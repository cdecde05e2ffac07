// Schemas and the types that are written for them. Each row is also compiled: what a row's value is must be assignable, and what
// `not` holds must not be, so that a type which is merely text, or `unknown` throughout, does not pass.

export interface SchemaRow {
  readonly title: string
  readonly schema: object | boolean
  readonly type: string
  /** TypeScript expressions. */
  readonly fits?: readonly string[]
  readonly not?: readonly string[]
}

const row = (title: string, schema: object | boolean, type: string, fits: readonly string[] = [], not: readonly string[] = []): SchemaRow =>
  ({ title, schema, type, fits, not })
const NODE = { type: 'object', properties: { value: { type: 'integer' }, children: { type: 'array', items: { $ref: '#/$defs/Node' } } }, required: ['value'] }

export const SCHEMAS: readonly SchemaRow[] = [
  row('anything', {}, 'unknown', ['1']),
  row('true', true, 'unknown', ['1']),
  row('nothing', false, 'never', [], ['1']),
  row('a text', { type: 'string', pattern: '^a' }, 'string', ['"a"'], ['1']),
  row('an integer', { type: 'integer', minimum: 0 }, 'number', ['1'], ['"1"']),
  row('null', { type: 'null' }, 'null', ['null'], ['1']),
  row('several types', { type: ['string', 'null', 'string'] }, 'string | null', ['null'], ['1']),
  row('an unknown type', { type: 'date' }, 'unknown', ['1']),
  row('a constant', { const: 'a"b\n' }, '"a\\"b\\n"', ['"a\\"b\\n"'], ['"a"']),
  row('an enum', { enum: ['a', 1, -2.5, true, null] }, '"a" | 1 | -2.5 | true | null', ['-2.5', 'true'], ['"b"', 'false']),
  row('an enum of structures', { enum: [{ a: [1, 'b'] }, [], {}] }, '{ a: [1, "b"] } | [] | { [key: string]: never }', ['{ a: [1, "b"] }', '[]'], ['{ a: [1] }', '[1]']),
  row('an array', { type: 'array', items: { type: 'string' } }, 'string[]', ['[]', '["a"]'], ['[1]']),
  row('an array of anything', { type: 'array' }, 'unknown[]', ['[1]'], ['1']),
  row('an array of alternatives', { items: { type: ['string', 'number'] } }, '(string | number)[]', ['["a", 1]'], ['[null]']),
  row('an array of arrays', { type: 'array', items: { type: 'array', items: { const: 1 } } }, '1[][]', ['[[1]]'], ['[1]']),
  row('an empty array', { type: 'array', items: false }, '[]', ['[]'], ['[1]']),
  row('a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 2 }, '[string, number]', ['["a", 1]'], ['["a"]', '["a", 1, 2]']),
  row('a tuple with optional and more', { prefixItems: [{ type: 'string' }, { type: ['number', 'null'] }], minItems: 1, items: { type: 'boolean' } },
    '[string, (number | null)?, ...boolean[]]', ['["a"]', '["a", null, true]'], ['[]', '["a", true]']),
  row('an open tuple', { type: 'array', prefixItems: [{ type: 'string' }] }, '[string?, ...unknown[]]', ['[]', '["a", 1]'], ['[1]']),
  row('a tuple of draft 7', { items: [{ type: 'string' }], additionalItems: false, minItems: 1 }, '[string]', ['["a"]'], ['[]', '["a", 1]']),
  row('an object', { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] }, '{ a: string; b?: number }', ['{ a: "" }', '{ a: "", b: 1 }'], ['{ b: 1 }', '{ a: "", c: 1 }']),
  row('an object without a word about it', { type: 'object' }, '{ [key: string]: unknown }', ['{ a: 1 }'], ['1']),
  row('an object without properties', { type: 'object', additionalProperties: false }, '{ [key: string]: never }', ['{}'], ['{ a: 1 }']),
  row('a record', { type: 'object', additionalProperties: { type: 'integer' } }, '{ [key: string]: number }', ['{ a: 1 }'], ['{ a: "" }']),
  row('a record by pattern', { type: 'object', patternProperties: { '^n': { type: 'number' }, '^s': { type: 'string' } } }, '{ [key: string]: number | string }', ['{ n: 1, s: "" }'], ['{ n: true }']),
  row('properties and others', { properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
    '{ a?: string; [key: string]: number | string | undefined }', ['{ a: "", b: 1 }'], ['{ a: 1 }', '{ b: true }']),
  row('properties and anything', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: true },
    '{ a: string; [key: string]: unknown }', ['{ a: "", b: 1 }'], ['{ b: 1 }']),
  row('names that are none', { type: 'object', properties: { 'a-b': { type: 'string' }, '1': {}, '': {}, 'class': {}, '"\n': {} }, required: ['a-b', '1', '', 'class', '"\n'] },
    '{ "1": unknown; "a-b": string; "": unknown; class: unknown; "\\"\\n": unknown }', ['{ "1": 1, "a-b": "", "": 1, class: 1, "\\"\\n": 1 }'], ['{}']),
  row('described properties', { type: 'object', properties: { a: { type: 'string', description: 'First */ line.\n\n  Second.  ' }, b: { description: ' ' } }, required: ['a'] },
    '{\n  /**\n   * First *\\/ line.\n   *\n   *   Second.\n   */\n  a: string\n  b?: unknown\n}', ['{ a: "" }'], ['{}']),
  row('a long object', { type: 'object', properties: Object.fromEntries(['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map(name => [name, { type: 'array', items: { type: 'string' } }])) },
    '{\n  alpha?: string[]\n  beta?: string[]\n  gamma?: string[]\n  delta?: string[]\n  epsilon?: string[]\n}', ['{}'], ['{ alpha: 1 }']),
  row('an object in an object', { type: 'object', properties: { o: { type: 'object', properties: { p: { const: 1, description: 'One.' } }, required: ['p'] } }, required: ['o'] },
    '{\n  o: {\n    /** One. */\n    p: 1\n  }\n}', ['{ o: { p: 1 } }'], ['{ o: {} }']),
  row('alternatives', { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'string | string[]', ['""', '[""]'], ['1']),
  row('alternatives of which one is anything', { oneOf: [{ type: 'string' }, {}] }, 'unknown', ['1']),
  row('alternatives of objects', {
    oneOf: [{ properties: { kind: { const: 'a' } }, required: ['kind'] }, { properties: { kind: { const: 'b' }, size: { type: 'number' } }, required: ['kind', 'size'] }], type: 'object',
  }, '{ kind: "a" } | { kind: "b"; size: number }', ['{ kind: "a" }', '{ kind: "b", size: 1 }'], ['{ kind: "b" }', '{ kind: "c" }']),
  row('properties with alternatives', { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ properties: { b: { type: 'number' } }, required: ['b'] }, { properties: { c: { type: 'number' } }, required: ['c'] }] },
    '{ a?: string } & ({ b: number } | { c: number })', ['{ b: 1 }', '{ a: "", c: 1 }'], ['{ a: "" }']),
  row('conditions on what is required', { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, '{ a?: string }', ['{}'], ['{ a: 1 }']),
  row('all of', { allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: { type: 'string' } }, required: ['b'] }] }, '{ a: string } & { b: string }', ['{ a: "", b: "" }'], ['{ a: "" }']),
  row('an array of all of', { items: { allOf: [{ type: 'string' }, { enum: ['a', 'b'] }] } }, '(string & ("a" | "b"))[]', ['["a"]'], ['["c"]']),
  row('a definition', { $defs: { Id: { type: 'string' } }, type: 'array', items: { $ref: '#/$defs/Id' } }, 'ns.Id[]', ['["a"]'], ['[1]']),
  row('a recursive definition', { $defs: { Node: NODE }, $ref: '#/$defs/Node' }, 'ns.Node', ['{ value: 1, children: [{ value: 2 }] }'], ['{ value: 1, children: [{}] }']),
  row('a recursive document', { type: 'object', properties: { next: { $ref: '#' }, n: { type: 'number' } }, required: ['n'] },
    '{ next?: ns.ProbeArguments; n: number }', ['{ n: 1, next: { n: 2 } }'], ['{ n: 1, next: {} }']),
  row('definitions that need each other', {
    definitions: { 'a/b': { type: 'array', items: { $ref: '#/definitions/~c' } }, '~c': { anyOf: [{ $ref: '#/definitions/a~1b' }, { type: 'number' }] } }, $ref: '#/definitions/a~1b',
  }, 'ns.A1b', ['[1, [2, [3]]]'], ['[""]']),
  row('a definition of itself', { $defs: { A: { anyOf: [{ $ref: '#/$defs/B' }, { type: 'string' }] }, B: { $ref: '#/$defs/A' } }, type: 'array', items: { $ref: '#/$defs/A' } }, 'unknown[]', ['[1]']),
  row('a record of itself', { type: 'object', additionalProperties: { $ref: '#' } }, '{ [key: string]: ns.ProbeArguments }', ['{ a: { b: {} } }'], ['{ a: 1 }']),
  row('a property elsewhere', { type: 'object', properties: { a: { type: 'number' }, b: { $ref: '#/properties/a' } } }, '{ a?: number; b?: ns.A }', ['{ b: 1 }'], ['{ b: "" }']),
  row('references that lead nowhere', { anyOf: [{ type: 'array', items: { $ref: 'https://example.org/x' } }, { type: 'array', items: { $ref: '#/$defs/No' } }, { items: { $ref: '#%' } }] }, 'unknown[]', ['[1]'], ['1']),
]

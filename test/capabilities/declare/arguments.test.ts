// Arguments against schemas: what is refused, and what the refusal says. Would catch an argument that reaches its member unchecked, a
// refusal without its place, and a value with shared parts that keeps the host busy for ever.
import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { ArgumentCheck } from '../../../plugins/capabilities/declare/arguments.ts'
import { CapabilityArgumentError, CapabilityError } from '../../../plugins/capabilities/index.ts'
import type { JsonSchema } from '../../../plugins/capabilities/types.ts'

const text = { type: 'string' }
const person = { type: 'object', properties: { name: text, tags: { type: 'array', items: text } }, required: ['name'], additionalProperties: false }
const tree = { $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' }, list: { type: 'array', items: { $ref: '#/$defs/Node' } } }, additionalProperties: false } }, $ref: '#/$defs/Node' }
const endless: { next?: object } = {}
endless.next = endless
/** Two to the 60th nodes for a walk that does not know that parts are shared. */
const shared = Array.from({ length: 60 }).reduce<object>(inner => ({ list: [inner, inner] }), {})
const deep = Array.from({ length: 200_000 }).reduce<object>(inner => ({ next: inner }), {})

const REFUSED: readonly (readonly [title: string, schema: object, args: unknown, detail: string])[] = [
  ['a missing property', person, {}, "$ must have required property 'name'"],
  ['no argument', person, undefined, '$ must be object'],
  ['a property of another type', person, { name: 7 }, '$.name must be string'],
  ['an item of another type', person, { name: 'a', tags: ['b', 1] }, '$.tags[1] must be string'],
  ['an unknown property', person, { name: 'a', 'x/y': 1 }, '$ must NOT have additional properties: "x/y"'],
  ['a name with a slash', { type: 'object', properties: { 'a/b~c': text } }, { 'a/b~c': 1 }, '$.a/b~c must be string'],
  ['an enum', { enum: ['a', 'b'] }, 'c', '$ must be equal to one of the allowed values: ["a","b"]'],
  ['alternatives', { type: 'object', properties: { v: { anyOf: [text, { type: 'boolean' }] } } }, { v: 1 }, '$.v must be string; $.v must be boolean; $.v must match a schema in anyOf'],
  ['NaN', { type: 'number' }, NaN, '$ must be number'],
  ['a BigInt', { type: 'integer' }, 1n, '$ must be integer'],
  ['a tuple of draft 2020-12', { prefixItems: [text], items: false }, ['a', 1], '$ must NOT have more than 1 items'],
  ['a tuple of draft 7', { $schema: 'http://json-schema.org/draft-07/schema#', items: [text], additionalItems: false }, ['a', 1], '$ must NOT have more than 1 items'],
  ['a tuple of draft 2019-09', { $schema: 'https://json-schema.org/draft/2019-09/schema', items: [text] }, [1], '$[0] must be string'],
  ['a value that contains itself', tree, endless, '$ contains itself, or is nested too deeply to be checked'],
  ['a value that is small only while its parts are shared', tree, shared, '$ contains itself, or is nested too deeply to be checked'],
  ['a value that is very deep', tree, deep, '$ contains itself, or is nested too deeply to be checked'],
]
const ADMITTED: readonly (readonly [title: string, schema: object, args: unknown])[] = [
  ['what it describes', person, { name: 'a', tags: [] }],
  ['an undefined property like an absent one', person, { name: 'a', tags: undefined }],
  ['formats of any text', { type: 'string', format: 'email' }, 'no mail'],
  ['keywords that nobody knows', { 'x-title': 1, type: 'string' }, 'a'],
  ['true', {}, 1n],
  ['a recursive value', tree, { next: { list: [{}, {}] } }],
]
const UNUSABLE: readonly (readonly [title: string, schema: object])[] = [
  ['an unknown type', { type: 'date' }],
  ['a keyword with a value that it can not have', { type: 'object', required: 'name' }],
  ['a reference to nowhere', { $ref: '#/$defs/No' }],
  ['a reference to another document', { $ref: 'https://example.org/schema.json' }],
  ['a pattern that is none', { type: 'string', pattern: '(' }],
  ['an asynchronous schema', { $async: true, type: 'string' }],
  ['a dialect that is not known', { $schema: 'https://example.org/dialect' }],
]
const EMPTY: readonly (readonly [title: string, schema: object, admits: boolean])[] = [
  ['optional properties', { type: 'object', properties: { a: text } }, true],
  ['no properties', { type: 'object', additionalProperties: false }, true],
  ['a required property', person, false],
  ['a required property in a part', { type: 'object', allOf: [{ required: ['a'] }] }, false],
  ['at least one property', { type: 'object', minProperties: 1 }, false],
  ['not an object', { type: ['object', 'null'] }, false],
  ['no type', {}, false],
  ['an unusable schema', { type: 'object', properties: { a: { type: 'date' } } }, false],
]

const check = (schema: object) => new ArgumentCheck('notes.add', schema as JsonSchema)

describe('argument check', () => {
  for (const [title, schema, args, detail] of REFUSED) {
    it(`refuses ${title}`, () => {
      expect(() => check(schema).assert(args)).to.throw(CapabilityArgumentError, `notes.add can not take this argument: ${detail}`)
        .that.includes({ name: 'TypeError', code: 'bad-argument', message: `notes.add can not take this argument: ${detail}` })
    })
  }
  for (const [title, schema, args] of ADMITTED) it(`admits ${title}`, () => { check(schema).assert(args) })
  for (const [title, schema] of UNUSABLE) {
    it(`says that a schema can not be used: ${title}`, () => {
      const unusable = check(schema)
      for (const _ of [1, 2]) expect(() => unusable.assert({})).to.throw(CapabilityError, 'notes.add').with.property('code', 'bad-schema')
    })
  }
  for (const [title, schema, admits] of EMPTY) {
    it(`1.8 an argument may ${admits ? '' : 'not '}be left away: ${title}`, () => { expect(check(schema).admitsEmptyObject).to.equal(admits) })
  }

  it('schemas of one id do not meet', () => {
    for (const type of ['string', 'number']) check({ $id: 'https://example.org/same', type }).assert(type === 'string' ? 'a' : 1)
    expect(() => check({ $id: 'https://example.org/same', type: 'boolean' }).assert(1)).to.throw('$ must be boolean')
  })

  it('an argument is never changed', () => {
    const args = Object.freeze({ n: '1' })
    expect(() => check({ type: 'object', properties: { n: { type: 'number' }, d: { default: 1 } } }).assert(args)).to.throw('$.n must be number')
    expect(args).to.deep.equal({ n: '1' })
  })

  it('the validator is loaded by the first check, not before', () => {
    const module = new URL('../../../plugins/capabilities/declare/arguments.ts', import.meta.url).href
    const source = `
      import { createRequire } from 'node:module'
      const loaded = () => Object.keys(createRequire(import.meta.url).cache).some(file => /[\\\\/]ajv[\\\\/]/.test(file))
      const { ArgumentCheck } = await import(${JSON.stringify(module)})
      const check = new ArgumentCheck('a.b', { type: 'object', required: ['c'] })
      const before = [loaded(), check.admitsEmptyObject, loaded()]
      check.assert({ c: 1 })
      console.log(JSON.stringify([...before, loaded()]))`
    const answer = execFileSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8', cwd: join(import.meta.dirname, '../../..') })
    expect(JSON.parse(answer)).to.deep.equal([false, false, false, true])
  })
})

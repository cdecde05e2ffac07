// V3: what may cross and what may not (contract 2.2), told apart without running any code of the value.
import { expect } from 'chai'
import vm from 'node:vm'
import { decode, encode } from '../../../plugins/kernel/wire/index.ts'

const foreign = <T>(source: string): T => vm.runInNewContext(source) as T
const refusal = (path: string) => new RegExp(`^${path.replace(/[$.[\]]/g, '\\$&')}\\S* .*PTC Value V1`)

class Point { x = 1 }

const REFUSED: readonly (readonly [title: string, value: unknown])[] = [
  ['function', () => 1],
  ['class', Point],
  ['symbol value', Symbol('s')],
  ['Promise', Promise.resolve(1)],
  ['symbol key', { [Symbol('k')]: 1 }],
  ['symbol key of an array', Object.assign([1], { [Symbol('k')]: 1 })],
  ['non-enumerable property', Object.defineProperty({}, 'hidden', { value: 1 })],
  ['non-enumerable array index', Object.defineProperty([1], '0', { enumerable: false })],
  ['array with a named property', Object.assign([1, 2], { extra: 1 })],
  ['array with a hidden named property', Object.defineProperty([1], 'extra', { value: 1 })],
  ['array with a key beyond the last index', Object.assign([1], { 4294967295: 1 })],
  ['setter only', Object.defineProperty({}, 'x', { set() {}, enumerable: true })],
  ['setter only in an array', Object.defineProperty([1], '0', { set() {}, enumerable: true })],
  ['class instance', new Point()],
  ['custom prototype', Object.create({ inherited: 1 })],
  ['prototype that imitates Object.prototype', Object.create(Object.assign(Object.create(null), { constructor: Object }))],
  ['Date', new Date(0)],
  ['Map', new Map()],
  ['Set', new Set()],
  ['WeakMap', new WeakMap()],
  ['WeakSet', new WeakSet()],
  ['RegExp', /x/],
  ['Error', new Error('x')],
  ['ArrayBuffer', new ArrayBuffer(1)],
  ['typed array', new Uint8Array(1)],
  ['Buffer', Buffer.from('x')],
  ['boxed number', Object(1)],
  ['arguments', (function () { return arguments })()],
  ['live resource', process.stdout],
  ['global object', globalThis],
  ['subclass of Array', new (class List extends Array {})()],
  ['array without a prototype', Object.setPrototypeOf([1], null)],
  ['array with the prototype of objects', Object.setPrototypeOf([1], Object.prototype)],
  ['object with the prototype of arrays', Object.create(Array.prototype)],
  ['Map that pretends to be plain', Object.setPrototypeOf(new Map([[1, 2]]), Object.prototype)],
  ['Date without a prototype', Object.setPrototypeOf(new Date(0), null)],
  ['typed array that pretends to be plain', Object.setPrototypeOf(new Uint8Array(0), Object.prototype)],
  ['foreign Date', foreign('new Date(0)')],
  ['foreign class instance', foreign('new (class Object { constructor() { this.a = 1 } })()')],
  ['foreign spoofed prototype', foreign('const p = Object.create(null); p.constructor = function Object() {}; p.constructor.prototype = p; Object.create(p)')],
  ['foreign genuine constructor on another prototype', foreign('Object.create(Object.assign(Object.create(null), { constructor: Object }))')],
  ['foreign bound constructor', foreign('const p = Object.create(null); const c = Object.bind(); c.prototype = p; Object.defineProperty(c, "name", { value: "Object" }); p.constructor = c; Object.create(p)')],
]

describe('V3 wire classification', () => {
  for (const [title, value] of REFUSED) {
    it(`2.2 rejected: ${title}`, () => {
      expect(() => encode(value)).to.throw(TypeError, refusal('$'))
      expect(() => encode({ at: [value] })).to.throw(TypeError, refusal('$.at[0]'))
    })
  }

  it('2.2 foreign-realm plain objects and arrays are accepted', () => {
    const value = foreign('({ list: [1, , { deep: true }], bare: Object.assign(Object.create(null), { a: 1 }) })')
    const back = decode(encode(value)) as { list: unknown[] }
    expect(Object.getPrototypeOf(back)).to.equal(Object.prototype)
    expect(Object.getPrototypeOf(back.list)).to.equal(Array.prototype)
    expect(1 in back.list).to.equal(false)
    expect(JSON.stringify(back)).to.equal('{"list":[1,null,{"deep":true}],"bare":{"a":1}}')
  })

  it('2.6 encode object whose own accessor `value` exists: TypeError, getter called 0 times', () => {
    let calls = 0
    const value = { get value() { return ++calls } }
    expect(() => encode(value)).to.throw(TypeError, refusal('$.value'))
    const list = Object.defineProperty([0], '0', { get: () => ++calls, enumerable: true })
    expect(() => encode(list)).to.throw(TypeError, refusal('$[0]'))
    expect(calls).to.equal(0)
  })

  it('2.2 never calls toJSON, and a toJSON that is data crosses', () => {
    let calls = 0
    expect(() => encode({ toJSON: () => ++calls })).to.throw(TypeError, refusal('$.toJSON'))
    expect(calls).to.equal(0)
    expect(decode(encode({ toJSON: 1 }))).to.deep.equal({ toJSON: 1 })
  })

  it('2.2 every Proxy is refused, and no trap of it runs', () => {
    let traps = 0
    const handler = new Proxy({}, { get() { traps++ } })
    const proxies: object[] = [{}, [], Object.create(null)].map(target => new Proxy(target as object, handler))
    const ownKeys = new Proxy({}, { ownKeys: () => ['a', 'a'] })
    const { proxy: revoked, revoke } = Proxy.revocable({}, {})
    revoke()
    for (const value of [...proxies, ownKeys, revoked, Object.create(proxies[0]!), Object.setPrototypeOf([], proxies[1]!)]) {
      expect(() => encode(value)).to.throw(TypeError, refusal('$'))
    }
    expect(traps).to.equal(0)
  })

  it('2.4 paths show raw keys and indices', () => {
    const at = (value: unknown, path: string): void => { expect(() => encode(value)).to.throw(TypeError).with.property('message').that.satisfies((m: string) => m.startsWith(`${path} `)) }
    at(Symbol.iterator, '$')
    at({ a: { 'b c': [0, [() => 1]] } }, '$.a.b c[1][0]')
    at({ '': { '0': new Map() } }, '$..0')
    at([[], [undefined, { __proto__: null, x: new Date() }]], '$[1][1].x')
  })
})

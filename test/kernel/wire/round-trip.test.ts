// V1: decode(encode(x)) is x. Would catch a second spelling of a value, and a value that changes on its way.
import { expect } from 'chai'
import { decode, encode, envelopeText, sameEnvelope, UNDEFINED } from '../../../plugins/kernel/wire/index.ts'
import { ROUND_TRIPS, same } from './values.ts'

describe('V1 wire round trip', () => {
  for (const row of ROUND_TRIPS) {
    it(row.title, () => {
      const encoded = encode(row.value)
      expect(JSON.stringify(encoded)).to.equal(JSON.stringify(row.envelope))
      const back = decode(JSON.parse(JSON.stringify(encoded)))
      expect(same(back, row.value) || Object.isFrozen(row.value)).to.equal(true)
      expect(JSON.stringify(encode(back))).to.equal(JSON.stringify(encoded))
    })
  }

  it('2.1 decoded properties are plain data properties', () => {
    const value = decode(encode(Object.freeze({ a: 1, __proto: [1] }))) as { a: number, __proto: number[] }
    const plain = { writable: true, enumerable: true, configurable: true }
    expect(Object.getOwnPropertyDescriptor(value, 'a')).to.deep.equal({ value: 1, ...plain })
    expect(Object.getOwnPropertyDescriptor(value.__proto, '0')).to.deep.equal({ value: 1, ...plain })
    const hostile = decode(encode(JSON.parse('{"__proto__":{"x":1}}'))) as object
    expect(Object.getPrototypeOf(hostile)).to.equal(Object.prototype)
    expect(Object.getOwnPropertyDescriptor(hostile, '__proto__')).to.deep.equal({ value: { x: 1 }, ...plain })
  })

  it('2.1 sameEnvelope compares canonical text', () => {
    expect(sameEnvelope(encode({ a: 1, b: 2 }), encode({ a: 1, b: 2 }))).to.equal(true)
    expect(sameEnvelope(encode({ a: 1, b: 2 }), encode({ b: 2, a: 1 }))).to.equal(false)
    expect(sameEnvelope(encode(0), encode(-0))).to.equal(false)
    expect(sameEnvelope(UNDEFINED, encode(undefined))).to.equal(true)
    const shared = {}
    expect(sameEnvelope(encode([shared, shared]), encode([{}, {}]))).to.equal(false)
  })

  it('2.5 depth 20000 encodes and decodes without a stack', () => {
    let value: unknown = 'bottom'
    for (let i = 0; i < 20_000; i++) value = i % 2 ? [value] : { next: value }
    const back = decode(JSON.parse(envelopeText(encode(value))))
    let at: unknown = back
    for (let i = 0; i < 20_000; i++) at = Array.isArray(at) ? at[0] : (at as { next: unknown }).next
    expect(at).to.equal('bottom')
  })

  it('random graphs, seeded', () => {
    let seed = 42
    const random = (n: number): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
      return Math.floor(seed / 2 ** 32 * n)
    }
    const atoms = [null, true, false, '', 'x', 'ü', 0, -0, 1.5, NaN, Infinity, -Infinity, undefined, 0n, -5n]
    const keys = ['a', 'b', '__proto__', 'constructor', '0', '7', '01', 'x y', 'ü']
    for (let round = 0; round < 300; round++) {
      const pool: object[] = [{}]
      for (let i = random(12); i > 0; i--) pool.push([{}, [], Object.create(null)][random(3)]!)
      for (const node of pool) {
        const value = (): unknown => random(2) ? pool[random(pool.length)] : atoms[random(atoms.length)]
        if (Array.isArray(node)) {
          node.length = random(6)
          for (let i = 0; i < node.length; i++) if (random(4)) node[i] = value()
        } else {
          for (let i = random(5); i > 0; i--) {
            Object.defineProperty(node, keys[random(keys.length)]!, { value: value(), writable: true, enumerable: true, configurable: true })
          }
        }
      }
      const encoded = encode(pool[0])
      const back = decode(JSON.parse(JSON.stringify(encoded)))
      expect(same(back, pool[0]), `round ${round}`).to.equal(true)
      expect(JSON.stringify(encode(back))).to.equal(JSON.stringify(encoded))
    }
  })
})

// V3 in a realm whose owner has turned against us: every prototype that the codec could lean on is poisoned while it works.
// Would catch any method call on a value, any iteration protocol and any write that a setter can see.
import { expect } from 'chai'
import { decode, encode, envelopeText, project, sameEnvelope } from '../../../plugins/kernel/wire/index.ts'
import { ROUND_TRIPS, same } from './values.ts'

const POISONED: readonly object[] = [
  Object.prototype, Array.prototype, String.prototype, Number.prototype, BigInt.prototype, Boolean.prototype, Map.prototype, Set.prototype,
  Reflect, Object, Array, Number, JSON, Function.prototype, Object.getPrototypeOf([][Symbol.iterator]()), Buffer, TypeError.prototype,
]

/** Runs `work` while every method of those objects throws. */
function poisoned<T>(work: () => T): T {
  const { defineProperty, getOwnPropertyDescriptor } = Object
  const undo: (readonly [object, PropertyKey, PropertyDescriptor])[] = []
  for (const target of POISONED) {
    for (const key of Reflect.ownKeys(target)) {
      const descriptor = getOwnPropertyDescriptor(target, key)!
      if (!descriptor.configurable || typeof descriptor.value !== 'function') continue
      undo[undo.length] = [target, key, descriptor]
    }
  }
  const poison = { value: () => { throw new Error('user code ran') }, configurable: true, writable: true, enumerable: false }
  try {
    for (let i = 0; i < undo.length; i++) defineProperty(undo[i]![0], undo[i]![1], poison)
    return work()
  } finally {
    for (let i = 0; i < undo.length; i++) defineProperty(undo[i]![0], undo[i]![1], undo[i]![2])
  }
}

/** Runs `work` while `key` of `target` is an accessor that counts. */
function trapped<T>(target: object, keys: readonly PropertyKey[], work: () => T): { result: T, touched: number } {
  let touched = 0
  // The descriptor inherits nothing, or the first key called `value` would spoil the next one.
  const accessor = {
    __proto__: null, get() { touched++; return undefined }, set() { touched++ }, configurable: true, enumerable: false,
  } as unknown as PropertyDescriptor
  try {
    for (let i = 0; i < keys.length; i++) Object.defineProperty(target, keys[i]!, accessor)
    const result = work()
    return { result, touched }
  } finally {
    for (let i = 0; i < keys.length; i++) delete (target as Record<PropertyKey, unknown>)[keys[i]!]
  }
}

describe('V3 wire in a hostile realm', () => {
  for (const row of ROUND_TRIPS) {
    it(`poisoned methods: ${row.title}`, () => {
      const { text, back, projection } = poisoned(() => {
        const encoded = encode(row.value)
        return { text: envelopeText(encoded), back: decode(encoded), projection: project(encoded), same: sameEnvelope(encoded, encode(row.value)) }
      })
      expect(text).to.equal(JSON.stringify(row.envelope))
      expect(same(back, row.value) || Object.isFrozen(row.value)).to.equal(true)
      expect(projection).to.deep.equal(project(encode(row.value)))
    })
  }

  it('refusals are TypeErrors there as well', () => {
    const error: unknown = poisoned(() => {
      try { return encode({ a: [new Map()] }) } catch (reason) { return reason }
    })
    expect(error).to.be.instanceOf(TypeError)
    expect((error as Error).message).to.match(/^\$\.a\[0\] .*PTC Value V1/)
  })

  const value = { list: [1, [2, , 4], { value: 'x', get: 1, set: 2 }], codec: 'c', enumerable: false, big: 5n, nothing: undefined }

  for (const [name, target, keys] of [
    ['indices of Array.prototype', Array.prototype, [0, 1, 2, 3]],
    ['indices of Object.prototype', Object.prototype, [0, 1, 2, 3]],
    ['field names on Object.prototype', Object.prototype, ['value', 'get', 'set', 'enumerable', 'writable', 'list', 'codec', 'root', 'nodes', 'tag', 'index', 'type', 'entries', 'prototype', 'maxNodes', 'maxStringBytes', 'big', 'nothing', 'x']],
    ['toJSON everywhere', Object.prototype, ['toJSON']],
    ['toJSON of arrays', Array.prototype, ['toJSON']],
  ] as const) {
    it(`accessors as ${name}`, () => {
      const expected = JSON.stringify(encode(value))
      const text = project(encode(value))
      const { result, touched } = trapped(target, keys, () => {
        const encoded = encode(value, {})
        return { text: envelopeText(encoded), back: decode(encoded, {}), projection: project(encoded) }
      })
      expect(touched).to.equal(0)
      expect(result.text).to.equal(expected)
      expect(same(result.back, value)).to.equal(true)
      expect(result.projection).to.deep.equal(text)
    })
  }

  it('a Proxy behind Array.prototype', () => {
    let traps = 0
    const wall = new Proxy(Object.prototype, { get(t, k, r) { traps++; return Reflect.get(t, k, r) }, set() { traps++; return false }, has() { traps++; return false } })
    const encodedBefore = JSON.stringify(encode(value))
    Object.setPrototypeOf(Array.prototype, wall)
    let text: string, back: unknown
    try {
      const encoded = encode(value)
      text = envelopeText(encoded)
      back = decode(encoded)
    } finally {
      Object.setPrototypeOf(Array.prototype, Object.prototype)
    }
    expect(traps).to.equal(0)
    expect(text).to.equal(encodedBefore)
    expect(same(back, value)).to.equal(true)
  })
})

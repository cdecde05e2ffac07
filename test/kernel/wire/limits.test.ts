// V2: each limit holds at its value and not one past it, on both sides, and before anything big is made (contract 2.3).
import { expect } from 'chai'
import { DEFAULT_LIMITS, decode, encode, project, type ValueLimits } from '../../../plugins/kernel/wire/index.ts'
import { arr, envelope, tree } from './values.ts'

const CASES: readonly (readonly [title: string, limit: keyof ValueLimits, fits: number, value: unknown, detail: RegExp])[] = [
  ['2.6 encode {"中":"🙂"} with maxStringBytes 7 / 6', 'maxStringBytes', 7, { 中: '🙂' }, /string budget/],
  ['2.6 encode {a:12n} maxStringBytes 3 / 2', 'maxStringBytes', 3, { a: 12n }, /string budget/],
  ['2.6 encode two arrays lengths 6 and 5, maxArrayLength 11 / 10', 'maxArrayLength', 11, { a: new Array(6), b: new Array(5) }, /slot budget/],
  ['2.3 maxArrayLength of one array', 'maxArrayLength', 4, new Array(4), /maxArrayLength/],
  ['2.3 maxNodes', 'maxNodes', 3, [{}, []], /node budget/],
  ['2.3 maxNodes counts a shared node once', 'maxNodes', 2, (() => { const s = {}; return [s, s, s] })(), /node budget/],
  ['2.3 maxEdges', 'maxEdges', 4, { a: [1, 2], b: 0 }, /edge budget/],
  ['2.3 maxEdges does not count holes', 'maxEdges', 1, Object.assign(new Array(9), { 3: 1 }), /edge budget/],
  ['2.3 maxBigIntDigits, sign excluded', 'maxBigIntDigits', 3, [-999n], /BigInt digits/],
  ['2.3 maxStringBytes of the root', 'maxStringBytes', 5, 'ab中', /string budget/],
  ['2.3 maxStringBytes counts repeated strings each time', 'maxStringBytes', 12, [{ aa: 'aa' }, { aa: 'aa' }, { aa: 'aa' }], /string budget/],
  ['2.3 maxStringBytes of a lone surrogate', 'maxStringBytes', 3, '\ud800', /string budget/],
  ['2.3 maxStringBytes of a long text', 'maxStringBytes', 200, 'é'.repeat(100), /string budget/],
]

describe('V2 wire limits', () => {
  for (const [title, limit, fits, value, detail] of CASES) {
    it(title, () => {
      const at = { [limit]: fits }
      const encoded = encode(value, at)
      expect(() => decode(encoded, at)).not.to.throw()
      if (fits === 1) return
      const past = { [limit]: fits - 1 }
      expect(() => encode(value, past)).to.throw(TypeError, detail).with.property('message').that.includes('PTC Value V1')
      expect(() => decode(encoded, past)).to.throw(TypeError, detail)
      expect(() => project(encoded, past)).to.throw(TypeError, detail)
    })
  }

  it('2.3 defaults', () => {
    expect(DEFAULT_LIMITS).to.deep.equal({
      maxNodes: 100000, maxEdges: 1000000, maxArrayLength: 1000000, maxBigIntDigits: 100000, maxStringBytes: 67108864,
    })
  })

  for (const name of Object.keys(DEFAULT_LIMITS)) {
    it(`2.3 ${name} must be a safe integer of at least 1`, () => {
      for (const bad of [0, -1, 1.5, NaN, Infinity, 2 ** 53, '5', null, {}]) {
        const limits = { [name]: bad } as Partial<ValueLimits>
        for (const call of [() => encode(1, limits), () => decode(envelope(1), limits), () => project(envelope(1), limits)]) {
          expect(call).to.throw(TypeError, name)
        }
      }
      expect(decode(encode(1, { [name]: 1 }), { [name]: undefined })).to.equal(1)
    })
  }

  it('2.3 a huge array costs nothing before it is refused', () => {
    const huge: unknown[] = []
    huge.length = 0xffffffff
    expect(() => encode(huge)).to.throw(TypeError, /slot budget/)
    expect(() => decode(tree(arr(0xffffffff)))).to.throw(TypeError, /slot budget/)
    expect(() => decode(tree(arr(0xffffffff)), { maxArrayLength: 0xfffffffe })).to.throw(TypeError, /slot budget/)
  })

  it('2.6 decode array node length 0x100000000', () => {
    expect(() => decode(tree(arr(0x100000000)), { maxArrayLength: Number.MAX_SAFE_INTEGER })).to.throw(TypeError, /invalid length/)
  })

  it('2.3 a BigInt of a million digits is refused without printing it', () => {
    const huge = 1n << 4_000_000n
    const start = performance.now()
    expect(() => encode(huge)).to.throw(TypeError, /BigInt digits/)
    expect(() => encode(-huge)).to.throw(TypeError, /BigInt digits/)
    expect(performance.now() - start).to.be.below(2000)
  })

  it('2.3 exactly maxBigIntDigits near a power of two', () => {
    for (const digits of [1, 2, 17, 100, 999]) {
      const largest = 10n ** BigInt(digits) - 1n
      expect(decode(encode(largest, { maxBigIntDigits: digits }))).to.equal(largest)
      expect(() => encode(largest + 1n, { maxBigIntDigits: digits })).to.throw(TypeError, /BigInt digits/)
    }
  })

  it('2.5 the text is limited by maxStringBytes as well', () => {
    const encoded = encode([undefined, undefined])
    expect(project(encoded, { maxStringBytes: 22 })).to.deep.equal({ text: '[undefined, undefined]' })
    expect(() => project(encoded, { maxStringBytes: 21 })).to.throw(TypeError, /string budget/)
  })
})

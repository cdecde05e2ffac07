// What a reader is shown: the structured value for plain JSON trees, one deterministic text for everything else (contract 2.5).
import { expect } from 'chai'
import { encode, project } from '../../../plugins/kernel/wire/index.ts'

const s = { value: 7 }
const cycle: Record<string, unknown> = { name: 'x' }
cycle.self = cycle
const inner: Record<string, unknown> = {}
const outer = { inner, again: inner }
inner.up = outer

const TEXTS: readonly (readonly [title: string, value: unknown, text: string])[] = [
  ['2.6 project [s,s] with s={value:7}', [s, s], '[<ref *1> {value: 7}, [Reference *1]]'],
  ['2.6 render array of length 2, all holes', new Array(2), '[, ,]'],
  ['2.6 render array of length 1, a hole', new Array(1), '[,]'],
  ['2.5 hole between', [1, , 3], '[1, , 3]'],
  ['2.5 hole first', [, 1], '[, 1]'],
  ['2.5 hole last', [1, ,], '[1, ,]'],
  ['2.5 undefined', undefined, 'undefined'],
  ['2.5 NaN', NaN, 'NaN'],
  ['2.5 Infinity', [Infinity, -Infinity], '[Infinity, -Infinity]'],
  ['2.5 -0', -0, '-0'],
  ['2.5 BigInt', { n: -12n }, '{n: -12n}'],
  ['2.5 strings are quoted inside', [undefined, 'a"\n'], '[undefined, "a\\"\\n"]'],
  ['2.5 keys', { a: undefined, $_1: 1, '1a': 2, 'b c': 3, ü: 4, '': 5, 7: 6 }, '{"7": 6, a: undefined, $_1: 1, "1a": 2, "b c": 3, "ü": 4, "": 5}'],
  ['2.5 all other atoms', [null, true, 1.5, [], {}, undefined], '[null, true, 1.5, [], {}, undefined]'],
  ['2.5 cycle', cycle, '<ref *1> {name: "x", self: [Circular *1]}'],
  ['2.5 cycle and alias', outer, '<ref *1> {inner: <ref *2> {up: [Circular *1]}, again: [Reference *2]}'],
  ['2.5 numbers follow node order, not reading order', [[[s]], [cycle, s]], '[[[<ref *2> {value: 7}]], [<ref *1> {name: "x", self: [Circular *1]}, [Reference *2]]]'],
]

describe('wire projection', () => {
  for (const [title, value, text] of TEXTS) {
    it(title, () => { expect(project(encode(value))).to.deep.equal({ text }) })
  }

  const TREES: readonly (readonly [title: string, value: unknown])[] = [
    ['2.6 project {n:1,list:[1,2]}', { n: 1, list: [1, 2] }],
    ['2.5 string root', 'plain'],
    ['2.5 null root', null],
    ['2.5 equal but distinct objects', [{}, {}]],
    ['2.5 __proto__', JSON.parse('{"__proto__":[1]}')],
  ]
  for (const [title, value] of TREES) {
    it(title, () => {
      const projection = project(encode(value))
      expect(projection).to.have.keys(['value'])
      expect(JSON.stringify((projection as { value: unknown }).value)).to.equal(JSON.stringify(value))
    })
  }

  it('2.5 null-prototype objects still qualify', () => {
    const projection = project(encode(Object.assign(Object.create(null), { a: 1 }))) as { value: object }
    expect(Object.entries(projection.value)).to.deep.equal([['a', 1]])
  })

  it('2.5 rendering is iterative (depth 5000 tested)', () => {
    let value: unknown = undefined
    for (let i = 0; i < 20_000; i++) value = [value]
    expect(project(encode(value))).to.deep.equal({ text: `${'['.repeat(20_000)}undefined${']'.repeat(20_000)}` })
    let tree: unknown = 1
    for (let i = 0; i < 20_000; i++) tree = { a: tree }
    expect(project(encode(tree))).to.have.property('value')
  })
})

// V1 from the other side: an envelope that `encode` would not have written is refused, whatever is wrong with it (contract 2.1).
import { expect } from 'chai'
import { CODEC, decode, project } from '../../../plugins/kernel/wire/index.ts'
import { arr, bare, envelope, obj, ref, tree, UNDEF } from './values.ts'

const REFUSED: readonly (readonly [title: string, envelope: unknown, message?: RegExp])[] = [
  ['2.6 decode envelope with extra field', { ...envelope(1), extra: 1 }, /fields/],
  ['2.6 decode nodes containing a self-cycle not reachable from root', envelope(1, obj(['self', ref(0)])), /unreachable/],
  ['not an object', 7],
  ['null', null],
  ['an array', []],
  ['missing nodes', { codec: CODEC, root: 1 }],
  ['fields in another order', { nodes: [], root: 1, codec: CODEC }],
  ['another codec', { codec: 'ptc-value-graph/v2', root: 1, nodes: [] }, /codec/],
  ['nodes not an array', { codec: CODEC, root: 1, nodes: {} }],
  ['root -0', envelope(-0)],
  ['root NaN', envelope(NaN)],
  ['root undefined', envelope(undefined)],
  ['root function', envelope(() => 1)],
  ['root array', envelope([])],
  ['unknown tag', envelope({ tag: 'date', value: '0' }), /unknown tag/],
  ['tag from a prototype', envelope({ tag: 'constructor' }), /unknown tag/],
  ['no tag', envelope({})],
  ['undefined with a value', envelope({ tag: 'undefined', value: 1 }), /fields/],
  ['atom with an extra field', tree(obj(['a', { tag: 'reference', index: 0, extra: 1 }]))],
  ['atom fields in another order', envelope({ value: 'nan', tag: 'number' })],
  ['unknown number', envelope({ tag: 'number', value: 'inf' })],
  ['number as number', envelope({ tag: 'number', value: 1 })],
  ['number named by a prototype', envelope({ tag: 'number', value: 'toString' })],
  ...['', '-', '00', '01', '-0', '-01', '+1', '1n', ' 1', '1 ', '0x1', '1e3', '1.0', '١'].map(value =>
    [`BigInt "${value}"`, envelope({ tag: 'bigint', value }), /canonical/] as const),
  ['BigInt as number', envelope({ tag: 'bigint', value: 1 })],
  ['dangling reference', envelope(ref(0)), /dangling/],
  ['dangling reference in a node', tree(arr(1, [0, ref(1)])), /dangling/],
  ['first references out of order', tree(arr(2, [0, ref(2)], [1, ref(1)]), obj(), obj()), /order/],
  ['root reference not 0', envelope(ref(1), obj(), obj()), /order/],
  ['depth-first numbers', tree(arr(2, [0, ref(1)], [1, ref(3)]), arr(1, [0, ref(2)]), obj(), obj())],
  ['unreachable node at the end', tree(obj(), obj()), /unreachable/],
  ['negative reference', envelope(ref(-1), obj())],
  ['fractional reference', envelope(ref(0.5), obj())],
  ['reference -0', envelope(ref(-0), obj())],
  ['reference as text', envelope({ tag: 'reference', index: '0' }, obj())],
  ['node null', tree(null)],
  ['node of unknown type', tree({ type: 'map', entries: [] }), /type/],
  ['node type from a prototype', tree({ type: 'toString', prototype: 'object', entries: [] }), /type/],
  ['node with an extra field', tree({ ...obj(), length: 0 }), /fields/],
  ['node fields in another order', tree({ entries: [], prototype: 'object', type: 'object' })],
  ['unknown prototype', tree({ type: 'object', prototype: 'array', entries: [] })],
  ['entries not an array', tree({ type: 'object', prototype: 'object', entries: {} })],
  ['entry not a pair', tree(obj(['a', 1, 2]))],
  ['entry not a list', tree(obj({ 0: 'a', 1: 1, length: 2 }))],
  ['key not a text', tree(obj([1, 1]))],
  ['duplicate key', tree(obj(['a', 1], ['a', 2])), /duplicate/],
  ['duplicate key among many', tree(obj(...Array.from({ length: 30 }, (_, i) => [`k${i % 29}`, 1]))), /duplicate/],
  ['duplicate index key', tree(obj(['1', 1], ['1', 2]))],
  ['index keys descending', tree(obj(['2', 1], ['1', 2])), /order/],
  ['index key after a named one', tree(bare(['a', 1], ['1', 2])), /order/],
  ['wrong keys after an equal row', tree(arr(2, [0, ref(1)], [1, ref(2)]), obj(['a', 1], ['b', 1]), obj(['a', 1], ['a', 1])), /duplicate/],
  ['array index as text', tree(arr(1, ['0', 1]))],
  ['array indices descending', tree(arr(2, [1, 1], [0, 1]))],
  ['array index twice', tree(arr(2, [0, 1], [0, 1]))],
  ['array index at the length', tree(arr(1, [1, 1]))],
  ['array index -0', tree(arr(1, [-0, 1]))],
  ['array length negative', tree(arr(-1)), /invalid length/],
  ['array length fractional', tree(arr(1.5)), /invalid length/],
  ['array length -0', tree(arr(-0)), /invalid length/],
  ['array length as text', tree({ type: 'array', length: '1', entries: [] }), /invalid length/],
  ['a Proxy', new Proxy(envelope(1), {})],
  ['a Proxy of nodes', { ...envelope(1), nodes: new Proxy([], {}) }],
]

describe('V1 wire refusals', () => {
  for (const [title, bad, message = /./] of REFUSED) {
    it(/^\d/.test(title) ? title : `2.1 ${title}`, () => {
      for (const read of [decode, project]) {
        expect(() => read(bad)).to.throw(TypeError, message).with.property('message').that.includes('PTC Value V1')
      }
    })
  }

  it('2.4 node-level paths', () => {
    expect(() => decode(tree(obj(['key', { tag: 'x' }])))).to.throw(TypeError, /^\$nodes\[0\]\.key /)
    expect(() => decode(tree(arr(3, [2, { tag: 'x' }])))).to.throw(TypeError, /^\$nodes\[0\]\[2\] /)
    expect(() => decode(tree(arr(1, [0, ref(1)]), obj(['a', UNDEF], ['b', -0])))).to.throw(TypeError, /^\$nodes\[1\]\.b /)
  })

  it('each field is read once, so an answer that changes can not get past the checks', () => {
    let reads = 0
    const nodes = [arr(1, [0, 1])]
    const changing = { codec: CODEC, root: ref(0), get nodes() { return reads++ ? [arr(1e9)] : nodes } }
    expect(decode(changing)).to.deep.equal([1])
    expect(reads).to.equal(1)
  })
})

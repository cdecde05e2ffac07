// The protected policy, as far as the compiler has a part in it.
import { expect } from 'chai'
import { compile } from '../../../plugins/kernel/compile/index.ts'
import { rows } from '../../harness/cells.ts'

describe('cells: protected', () => {
  rows([
    ['a const cannot be written', ['const a = 1', 'a = 2'], { error: 'TypeError' }],
    ['not in its own cell either', ['const a = 1; a = 2'], { error: 'TypeError' }],
    ['and keeps its value', ['const a = 1; try { a = 2 } catch {}', 'return a'], 1],
    ['names of a pattern, names of functions', ['const { b, c: [d] } = { b: 1, c: [2] }; const f = () => 3', 'try { d = 4 } catch {} return [b, d, f.name, f()]'], [1, 2, 'f', 3]],
    ['let and var can', ['let a = 1; var b = 2', 'a = 3; b = 4; return [a, b]'], [3, 4]],
    ['a let of an earlier cell is not declared again', ['let a = 1', 'let a = 2'], { error: 'SyntaxError' }],
    ['a function neither', ['function f() {}', 'function f() {}'], { error: 'SyntaxError' }],
    ['a local const is native', ['const f = () => { const x = 1; x = 2 }; f()'], { error: 'TypeError' }],
    ['__proto__', ['const __proto__ = 1', 'return __proto__'], 1],
    ['types', ['const a: number = 1; const { b }: any = { b: 2 }; return a + b'], 3],
  ], 'protected-v1')

  it('publishes constants by a call of their own', () => {
    const compiled = compile({ source: 'const a = 1, { b } = c', cell: 1, semantics: 'protected-v1', reserved: [] })
    expect(compiled).to.have.property('code').that.includes('__ptc.k({["a"]: 1}), __ptc.k((({ b } ) => ({b}))( c));')
  })
})

// The examples of the binding rules, row by row under the names they have in the contract.
import { rows } from '../../harness/cells.ts'

const LIVE = `data:text/javascript,${encodeURIComponent('export let value = 1; export function bump() { value += 1 }')}`

describe('cells: the binding rules', () => {
  rows([
    ['1.a a declaration reads the value it replaces, closures see the new one',
      ['const n = 1; const get = () => n', 'const n = n + 1; n += 3; return get()'], 5],
    ['1.b a saved function keeps its identity, a reference by name does not',
      ['function f(){return 1}; const old=f; const cur=()=>f()', 'function f(){return 2}; return [cur(),old()]'], [2, 1]],
    ['1.c a pattern that fails publishes nothing',
      ['const x=10,y=20', "const [x, y=(()=>{throw new Error('stop')})()]=[1]", 'return [x,y]'], [10, 20]],
    ['1.d declarators commit one by one', ["const x=5, z=(()=>{throw new Error('late')})()", 'return x'], 5],
    ['1.d a failed declaration does not reserve its name',
      ["const x=5, z=(()=>{throw new Error('late')})()", 'const z=1; return z'], 1],
    ['1.e an unreached declaration does not reserve its name', ['return; const absent=1', 'const absent=4; return absent'], 4],
    ['1.f a var exists from the start', ['if(false){var h=3}; return h'], undefined],
    ['1.g a name may be bound twice in one pattern', ['const [x, x = x + 1] = [1, undefined]; return x'], 2],
    ['1.h imports are installed before the body, declarations override them',
      ["const initial=typeof join; const join=()=>'L'; import {join} from 'node:path'; return [initial, join()]"], ['function', 'L']],
    ['1.i aliases of one export read it live',
      [`import {value as a, value as b, bump} from '${LIVE}#1'; bump(); return [a, b]`], [2, 2]],
    ['1.i writing one alias leaves the other, importing it again brings it back',
      [`import {value as a, value as b, bump} from '${LIVE}#2'; bump()`, 'a += 3; const seen = [a, b]',
        `import {value as a} from '${LIVE}#2'; return [...seen, a]`], [5, 2, 2]],
    ['1.j the default export follows its declaration',
      ['export default function item(){return 6}', 'function item(){return 7}; return __default()'], 7],
    ['1.k declarations without initializer keep the value', ['const k=1; const k; let k; var k; return k'], 1],
    ['1.m repeated local declarations update, inner scopes are their own',
      ['const x=10; function f(){const x=1; const x=2; {let x=3; let x=4} return x}; return [x,f()]'], [10, 2]],
  ])
})

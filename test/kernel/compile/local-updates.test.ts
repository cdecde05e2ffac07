// Updates of names inside functions and blocks, and the text that such functions show.
import { rows } from '../../harness/cells.ts'

const inFunction = (body: string): string[] => [`function f(p, q) { ${body} }`, 'return f(1, 2)']

describe('cells: local updates', () => {
  rows([
    ['a const is assigned', inFunction('const x = 1; x += 1; return x'), 2],
    ['by a closure', inFunction('const x = 1; (() => { x = 5 })(); return x'), 5],
    ['by a pattern, by ++, by a loop', inFunction('const a = 1, b = 2, c = 3; [a] = [7]; b++; for (c of [9]); return [a, b, c]'), [7, 3, 9]],
    ['in the head of a loop', inFunction('let s = 0; for (const x of [1, 2]) { x += 10; s += x } return s'), 23],
    ['a const in a pattern', inFunction('const { a, b } = { a: 1, b: 2 }; a = 3; return [a, b]'), [3, 2]],
    ['a const of the same name further in is another', inFunction('const x = 1; { const x = 2; x = 3 } return x'), 1],
    ['a const without initializer', inFunction('const x; x = 2; return x'), 2],
    ['repeated declarations', inFunction('const x = 1; const x = 2; let x = x + 1; return x'), 3],
    ['one without initializer keeps the value', inFunction('let x = 1; let x; return x'), 1],
    ['let after var, var after let', inFunction('var a = 1; let a = 2; let b = 3; var b = 4; return [a, b]'), [2, 4]],
    ['var in a block and in a loop', inFunction('let x = 1; { var x = 2 } let i = 5; for (var i of [7]); return [x, i]'), [2, 7]],
    ['a parameter', inFunction('let p = p + 10; const q = 3; return [p, q]'), [11, 3]],
    ['a catch parameter', inFunction('try { throw 1 } catch (e) { let e = e + 1; return e }'), 2],
    ['several in one statement, some new', inFunction('let x = 1; const x = 2, y = 3, x = 4; return [x, y]'), [4, 3]],
    ['without blanks', inFunction('let x=1;const y=0,x=2,z=3;return[x,y,z]'), [2, 0, 3]],
    ['a pattern', inFunction('let a = 1; const { a, b } = { a: 2, b: 3 }; return [a, b]'), [2, 3]],
    ['an array pattern with known names only', inFunction('let a = 1, b = 2; let [a, b] = [b, a]; return [a, b]'), [2, 1]],
    ['functions take their place in the text', inFunction('let g = 1; const before = g; function g() { return 2 } return [before, g()]'), [1, 2]],
    ['a function of before is hoisted', inFunction('const early = g(); function g() { return 1 } let g = 2; return [early, g]'), [1, 2]],
    ['such a function keeps its name', inFunction('let g = 1; function g() { return 2 } return g.name'), 'g'],
    ['classes', inFunction('class A { v = 1 } const a = new A(); class A { v = 2 } return [a.v, new A().v, A.name]'), [1, 2, 'A']],
    ['a class after let, a let after a class', inFunction('let A = 1; class A {} class B {} let B = 2; return [typeof A, B]'), ['function', 2]],
    ['names for functions', inFunction('let x = 1; let x = () => 1; return x.name'), 'x'],
    ['without semicolons', inFunction('let x = 1\nlet x = 2\n;[3].forEach(y => { x += y })\nreturn x'), 5],
    ['blocks outside functions', ['let seen; { const x = 1; const x = 2; x += 1; seen = x } return seen'], 3],
    ['cases of a switch', inFunction('switch (q) { case 1: const r = "one"; return r; case 2: const r = "two"; return r }'), 'two'],
    ['cases of a switch, with the value under the same name', inFunction('let r = 2; switch (r) { case 1: let r = "one"; return r; case 2: let r = "two"; return r }'), 'two'],
    ['two names in cases of a switch', inFunction('switch (q) { case 1: let a = 1, b = 2; break; default: let a = 3, b = 4; return [a, b] }'), [3, 4]],
    ['cases of a switch outside functions', ['switch (2) { case 1: let r = 1; break; case 2: let r = 2; r }'], 2],
    ['methods, arrows, initializers', ['class A { m() { const x = 1; x = 2; return x } f = () => { let y = 1; let y = 2; return y }; static { const z = 1; z = 3; this.z = z } } return [new A().m(), new A().f(), A.z]'], [2, 2, 3]],
    ['in a namespace', ['namespace N { const a = 1; const a = 2; export const b = a } return N.b'], 2],
    ['direct eval does not count as an assignment', inFunction('const x = 1; eval("x = 2")'), { error: 'TypeError' }],
    ['a var may not jump over a name of a block', ['function f() { { let x; { var x } } }'], { error: 'SyntaxError' }],
    ['the head of one loop', ['function f() { for (let i = 0, i = 1; ;) return i }'], { error: 'SyntaxError' }],
    ['the name of a function expression stays', ['const f = function own() { own = 1; return typeof own }; return f()'], 'function'],
  ])

  describe('keep the text of functions', () => {
    rows([
      ['of the function itself', ['function f() { const x = 1; x = 2; return x }', 'return f.toString()'], 'function f() { const x = 1; x = 2; return x }'],
      ['of functions around and inside', ['const outer = () => { const inner = function () { let a = 1; let a = 2; return a }; return [inner(), inner.toString()] }', 'return [...outer(), outer.toString()]'],
        [2, 'function () { let a = 1; let a = 2; return a }', '() => { const inner = function () { let a = 1; let a = 2; return a }; return [inner(), inner.toString()] }']],
      ['of methods, static ones too', ['class A { static async m() { const x = 1; x = 2 } get g() { let a; let a } }', 'return [A.m.toString(), A.toString()]'],
        ['async m() { const x = 1; x = 2 }', 'class A { static async m() { const x = 1; x = 2 } get g() { let a; let a } }']],
      ['of two that are edited alike', ['function a() { let x = 1; let x = 2 }', 'function b() { let x = 1; let  x = 2 }', 'return [a.toString(), b.toString()]'],
        ['function a() { let x = 1; let x = 2 }', 'function b() { let x = 1; let  x = 2 }']],
      ['without the types', ['const f = (a: number) => { const x = a; x += 1; return x }', 'return [f(1), f.toString()]'], [2, '(a        ) => { const x = a; x += 1; return x }']],
      ['of a function that became an assignment', ['function f() { let g = 1; function g() { return 2 } return g.toString() }', 'return f()'], 'function g() { return 2 }'],
    ])
  })
})

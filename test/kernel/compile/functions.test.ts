// Function declarations at the root of a session.
import { expect } from 'chai'
import { rows, runCells } from '../../harness/cells.ts'

describe('cells: root functions', () => {
  rows([
    ['are hoisted when new', ['const early = f(); function f() { return 1 } return early'], 1],
    ['the last of a first group wins', ['const early = f(); function f() { return 1 } function f() { return 2 } return [early, f()]'], [2, 2]],
    ['change a known name only at their place', ['function f() { return 1 }', 'const early = f(); function f() { return 2 } return [early, f()]'], [1, 2]],
    ['do not when they are not reached', ['function f() { return 1 }', 'return; function f() { return 2 }', 'return f()'], 1],
    ['beside a var of their name', ['const out = pick(); var pick; function pick() { return 1 } return [out, pick()]'], [1, 1]],
    ['recur through the session name', ['function f(n) { return n ? f(0) : "old" } const old = f', 'function f() { return "new" } return [old(1), f()]'], ['new', 'new']],
    ['show their text', ['function /* a */ f( x , y ) { return x }', 'return f.toString()'], 'function /* a */ f( x , y ) { return x }'],
    ['have native properties', ['function f(a, b = 1, ...c) {}', 'return [f.name, f.length, Object.hasOwn(f, "prototype")]'], ['f', 1, true]],
    ['async, generator, async generator', ['async function a() { return 1 } function* g() { yield 2 } async function* h() { yield 3 }',
      'return [await a(), [...g()], (await h().next()).value]'], [1, [2], 3]],
    ['behind a label', ['l: function f() { return 1 }', 'return f()'], 1],
    ['see each other and the session', ['let k = 2; function a() { return b() * k } function b() { return 3 }', 'k = 5; return a()'], 15],
    ['with types and overloads', ['function f(a: number): string\nfunction f(a: string): string\nfunction f(a: any): string { return `${a}` }', 'return f(1)'], '1'],
    ['this is the global object, in strict functions undefined', ['function f() { return this === globalThis } function g() { "use strict"; return this }', 'return [f(), g()]'], [true, undefined]],
    ['direct eval inside', ['function f(x) { eval("var y = x + 1"); return y }', 'return [f(1), typeof y]'], [2, 'undefined']],
    ['arguments belong to the function', ['function f() { return arguments.length } return [f(1, 2), typeof arguments]'], [2, 'undefined']],
    ['blocks in functions are native', ['function f() { { function g() { return 1 } } return g() } return f()'], 1],
  ])

  describe('of strict cells', () => {
    rows([
      ['are strict', ['"use strict"; function f() { return this }', 'return f()'], undefined],
      ['and so is the cell', ['"use strict"; undeclaredName = 1'], { error: 'ReferenceError' }],
      ['declarations work as elsewhere', ['"use strict"; let a = 1; const { b } = { b: 2 }; var c = 3; class D {}', 'return [a, b, c, typeof D]'], [1, 2, 3, 'function']],
      ['are hoisted, named, and show their text', ['"use strict"; const early = f(); function f() { return 1 } return [early, f.name, f.toString()]'],
        [1, 'f', 'function f() { return 1 }']],
      ['recur through the session name', ['"use strict"; function f(n) { return n ? f(0) : "old" } const old = f', 'f = () => "new"; return old(1)'], 'new'],
      ['async and generator', ['"use strict"; async function a() { return 1 } function* g() { yield 2 }', 'return [await a(), [...g()]]'], [1, [2]]],
      ['functions in blocks stay there', ['"use strict"; { function g() {} } return typeof g'], 'undefined'],
      ['octal numbers are errors', ['"use strict"; return 010'], { error: 'SyntaxError' }],
    ])
  })

  describe('in blocks of the cell', () => {
    rows([
      ['set the session name when the block runs', ['const early = typeof g; { function g() { return 1 } } return [early, g()]'], ['undefined', 1]],
      ['and it persists', ['{ function g() { return 1 } }', 'return g()'], 1],
      ['a block that does not run leaves undefined', ['if (0) { function g() {} } return typeof g'], 'undefined'],
      ['the block has a binding of its own', ['{ function g() { return 1 } g = 2 } return g()'], 1],
      ['closures in the block see the inner one', ['let get; { function g() { return 1 } get = () => g; } g = 5; return typeof get()'], 'function'],
      ['later cells see the session name', ['{ function g() { return 1 } }', 'g = () => 2', 'return g()'], 2],
      ['without braces, both branches', ['if (1) function a() { return 1 } else function b() {}\nreturn [a(), typeof b]'], [1, 'undefined']],
      ['in try, catch and finally', ['try { function a() {} throw 0 } catch { function b() {} } finally { function c() {} } return [typeof a, typeof b, typeof c]'], ['function', 'function', 'function']],
      ['in a switch, whose value does not see them', ['let v = "x"; var g = "x"; switch (g) { case "x": function g() { return 1 } } return g()'], 1],
      ['in a labelled switch', ['out: switch (1) { case 1: function g() { return 1 } break out } return g()'], 1],
      ['nested blocks', ['{ { function g() { return 1 } } } return g()'], 1],
      ['a let in between keeps them inside', ['{ let g = 0; { function g() { return 1 } } } return typeof g'], 'undefined'],
      ['a let of the top level is not touched', ['let g = 0; { function g() { return 1 } } return g'], 0],
      ['async functions and generators stay in the block', ['{ async function a() {} function* b() {} } return [typeof a, typeof b]'], ['undefined', 'undefined']],
      ['the last of several in one block', ['{ function g() { return 1 } function g() { return 2 } } return g()'], 2],
      ['after a declaration of the same name at the top level', ['function g() { return 1 } { function g() { return 2 } } return g()'], 2],
    ])
  })

  it('keep their place: a stack names the line and column of the source', async () => {
    const { thrown } = await runCells(['let a = 1\nfunction f() {\n  null.x\n}\nf()'])
    expect(thrown?.stack).to.match(/#f0:3:8/)
  })
})

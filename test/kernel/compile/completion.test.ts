// The value of a cell without a `return`, and of cells with one.
import { NONE, rows } from '../../harness/cells.ts'

describe('cells: completion', () => {
  rows([
    ['the last expression', ['1; 2'], 2],
    ['is awaited', ['Promise.resolve(3)'], 3],
    ['undefined is no value', ['void 0'], NONE],
    ['null is a value', ['null'], null],
    ['a comment after it', ['1 // x'], 1],
    ['comments in and after it', ['[1, // a\n 2] /* b */ // c'], [1, 2]],
    ['semicolons after it', ['1;;;'], 1],
    ['an object in parentheses', ['({ a: 1 })'], { a: 1 }],
    ['a function expression', ['(function () { return 1 })()'], 1],
    ['a sequence', ['1, 2'], 2],
    ['an assignment', ['let a; a = 5'], 5],
    ['an arrow', ['(x => x * 2)(4)'], 8],
    ['with types at its end', ['[1] as number[]'], [1]],
    ['satisfies, non-null, instantiation', ['const f = <T>(x: T) => x; (f<number>)(1)! satisfies number'], 1],
    ['an arrow whose body ends in a type', ['const r = [1].map(x => x as number)\nr.map(x => x + 1 as number)'], [2]],
    ['await', ['await 7'], 7],
    ['a template', ['const a = 1; `x${a}`'], 'x1'],
    ['types after it do not hide it', ['4\ninterface A {}\ntype B = 1'], 4],
    ['only a string', ['"alive"'], 'alive'],
    ['only directives', ['"use strict"; "x"'], 'x'],
    ['a string after erased types is a string', ['interface A {}\n"use strict"\nnewName = 010'], 8],
    ['a line for the shell', ['#!/usr/bin/env node\n1'], 1],
    ['an arrow comment', ['/* a */ --> b\n1'], 1],
    ['other ends of lines', ['let a = 1\r\nlet { b } = { b: 2 }\r\n\u2028function f() {\r\n return a + b }\rf()'], 3],
    ['a declaration at the end: none', ['1; let x = 2'], NONE],
    ['a function at the end: none', ['1; function f() {}'], NONE],
    ['an export at the end: none', ['1; export default 2'], NONE],
    ['nothing', [''], NONE],
    ['a comment only', ['// nothing'], NONE],
    ['throw is not a value', ['1; if (0) throw 1'], NONE],
  ])

  describe('of compound statements', () => {
    rows([
      ['if', ['if (1) 2'], 2],
      ['if, else', ['if (0) 2; else { 3 }'], 3],
      ['else if', ['if (0) 1; else if (1) { 2 } else 3'], 2],
      ['an if that does nothing is undefined', ['1; if (0) 2'], NONE],
      ['an if around an empty block too', ['1; if (1) {}'], NONE],
      ['block', ['{ 1; 2 }'], 2],
      ['an empty block leaves what was before', ['1; {}'], 1],
      ['a declaration in a block leaves what was before', ['{ 1; let x = 2 }'], 1],
      ['for', ['for (let i = 0; i < 3; i += 1) i'], 2],
      ['a loop that does not run', ['1; for (; false;) 2'], NONE],
      ['for-of with an inner if', ['for (const x of [1, 2, 3]) if (x < 3) x * 10'], NONE],
      ['for-of with continue', ['for (const x of [1, 2, 3]) { x; if (x === 2) continue; }'], NONE],
      ['break keeps what was computed', ['while (true) { 5; break }'], 5],
      ['break from an if does not', ['while (true) { 5; if (true) break }'], NONE],
      ['do-while', ['let n = 0; do { n += 1 } while (n < 3)'], 3],
      ['while', ['let n = 0; while (n < 2) { n += 1; `n${n}` }'], 'n2'],
      ['labelled break', ['out: { 1; break out; 2 }'], 1],
      ['labelled continue', ['out: for (const a of [1, 2]) { for (const b of [1]) { a * 10; continue out } }'], 20],
      ['switch, falling through', ['switch (1) { case 1: 10; case 2: 20; break; case 3: 30 }'], 20],
      ['switch without a match', ['1; switch (0) { case 1: 2 }'], NONE],
      ['try', ['try { 1 } finally { 2 }'], 1],
      ['catch', ['try { 1; throw 0 } catch { 2 }'], 2],
      ['catch with nothing', ['try { 1; throw 0 } catch {}'], NONE],
      ['finally that jumps out', ['do { try { 1 } finally { 2; break } } while (0)'], 2],
      ['finally that does not', ['for (const x of [1]) { try { x } finally { for (;;) { 9; break } } }'], 1],
      ['with', ['with ({ a: 1 }) { a }'], 1],
      ['is awaited', ['if (1) Promise.resolve(4)'], 4],
      ['expressions in functions do not count', ['if (1) { (() => { 7 })(); function f() { 8 } }'], NONE],
      ['nested', ['try { for (const x of [1, 2]) { switch (x) { case 2: { if (x) { x * 7 } } } } } catch {}'], 14],
      ['an object literal in parentheses', ['if (1) ({ a: 1 })'], { a: 1 }],
      ['a last block after an expression', ['1; { let y = 2 }'], 1],
      ['with a var in the body', ['for (var i = 0; i < 2; i += 1) { var j = i; j + 1 }'], 2],
    ])
  })

  describe('and return', () => {
    rows([
      ['return', ['return 1; 2'], 1],
      ['bare return: none', ['1; return'], NONE],
      ['bare return with semicolon, in a branch', ['if (1) { return; } 2'], NONE],
      ['return undefined is a value', ['return undefined'], undefined],
      ['return on its own line', ['return\n5'], NONE],
      ['a promise is awaited', ['return Promise.resolve(3)'], 3],
      ['from a loop and from try', ['for (const x of [1, 2]) { try { if (x === 2) return x } finally {} }'], 2],
      ['in functions it is theirs', ['const f = () => { return }; f(); 3'], 3],
      ['return of a typed expression', ['return [1] as number[]'], [1]],
      ['return with types elsewhere', ['const x: number = 1; if (x) return; return 2'], NONE],
      ['an early return keeps later names free', ['let a = 1; if (a) return "x"; let b = 2', 'return typeof b'], 'undefined'],
    ])
  })

  describe('and eval', () => {
    rows([
      ['what it declares at the top level are session names', ['eval("var a = 1; function f() { return 2 } let b = 3")', 'return [a, f(), typeof b]'], [1, 2, 'undefined']],
      ['in a block without names too', ['if (1) { eval("var a = 1") }', 'return a'], 1],
      ['beside local names it sees them', ['for (const i of [5]) { var r = eval("i + 1") } return r'], 6],
      ['in functions it sees theirs', ['const f = x => eval("x + 1"); return f(1)'], 2],
      ['its value', ['eval("1; 2")'], 2],
      ['a variable called eval', ['const eval = x => x + 1', 'return eval(1)'], 2],
      ['strict code keeps it to itself', ['"use strict"; eval("var a = 1")', 'return typeof a'], 'undefined'],
    ])
  })
})

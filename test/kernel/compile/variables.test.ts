// Variables at the root of a session: what a declaration does to a name, and when.
import { NONE, rows } from '../../harness/cells.ts'

describe('cells: root variables', () => {
  rows([
    ['let, const and var persist', ['let a = 1; const b = 2; var c = 3', 'return [a, b, c]'], [1, 2, 3]],
    ['several declarators are one statement', ['let a = 1, b = a + 1, c', 'return [a, b, c]'], [1, 2, undefined]],
    ['a bare let of a new name is undefined', ['let x', 'return [typeof x, x]'], ['undefined', undefined]],
    ['a bare let keeps the value', ['let x = 4', 'let x; return x'], 4],
    ['a const may be assigned', ['const x = 1; x += 1', 'x = x * 2; return x'], 4],
    ['an arrow takes the name of its variable', ['const go = () => 1; let run = async x => x', 'return [go.name, run.name]'], ['go', 'run']],
    ['so do functions and classes without a name, in parentheses and with types too',
      ['const f = (function () {}), C = class {}, t = (() => 1) as any', 'return [f.name, C.name, t.name]'], ['f', 'C', 't']],
    ['a named function keeps its own', ['const f = function own() {}', 'return f.name'], 'own'],
    ['__proto__ is a name like others', ['const __proto__ = () => 1', 'return [__proto__.name, __proto__()]'], ['__proto__', 1]],
    ['a comma in parentheses stays one initializer', ['let x = (1, 2)', 'return x'], 2],
    ['the end of a declaration by its line', ['let a = 1\nlet b\n;[1].map(x => { a += x })', 'return [a, b]'], [2, undefined]],
    ['a bare let before a line that starts with a parenthesis', ['let f\n(() => { f = 1 })()\nreturn f'], 1],
    ['an else after a var without semicolon', ['let a = 0\nif (a) var x = 1\nelse var x = 2\nreturn x'], 2],
    ['comments stay where they are', ['let /* one */ x /* two */ = /* three */ 1 /* four */ // five', 'return x'], 1],
    ['a type after the name', ['let x: { a: number\n } | undefined = { a: 1 }, y!: string', 'return [x, y]'], [{ a: 1 }, undefined]],
    ['a name written with an escape', ['let \\u0061b = 1', 'return ab'], 1],
    ['a name that is a word of the grammar elsewhere', ['var async = 1, of = 2, let = 3', 'return [async, of, let]'], [1, 2, 3]],
    ['undefined cannot be declared and does no harm', ['var undefined = 1, NaN = 2, Infinity', 'return [undefined, NaN]'], [undefined, NaN]],
    ['a name of the ABI is just a name', ['const __ptc = 1; let __ptc$ = 2', 'return __ptc + __ptc$'], 3],
    ['names are no enumerable properties', ['let hidden = 1', 'return Object.keys(globalThis).includes("hidden")'], false],
    ['typeof and eval reach them', ['let v = 1', 'return [...["typeof v"].map(eval), (0, eval)("v"), new Function("return v")()]'], ['number', 1, 1]],
    ['an implicit global stays', ['made = 1', 'made += 1; return made'], 2],
    ['declarations only: no value', ['let x = 1'], NONE],
  ])

  describe('var outside functions', () => {
    rows([
      ['in a block', ['{ var a = 1; { var b = a + 1 } }', 'return [a, b]'], [1, 2]],
      ['exists before its statement', ['return [typeof late, late]; var late = 1'], ['undefined', undefined]],
      ['keeps an older value until its statement', ['var p = "old"', 'const before = p; var p = "new"; return [before, p]'], ['old', 'new']],
      ['in the head of a for', ['for (var i = 0, n = 3; i < n; i += 1); ', 'return [i, n]'], [3, 3]],
      ['in the head of a for, without initializer', ['for (var i; !i; i = 1);', 'return i'], 1],
      ['in for-of and for-in', ['for (var x of [1, 2]); for (var k in { a: 1, b: 2 });', 'return [x, k]'], [2, 'b']],
      ['in for-of with a pattern', ['for (var { a, b = 9 } of [{ a: 1 }]); for (var [c] of [[3]]);', 'return [a, b, c]'], [1, 9, 3]],
      ['in for await', ['for await (var x of [Promise.resolve(5)]);', 'return x'], 5],
      ['named async or let, in for-of', ['for (var async of [1]); for (var let of [2]);', 'return [async, let]'], [1, 2]],
      ['with an initializer in for-in, evaluated first', ['const log = []; for (var i = log.push("i") in log.push("o"), { a: 1 });', 'return [log, i]'], [['i', 'o'], 'a']],
      ['is visible to a closure before the loop', ['const get = () => i; for (var i of [7]); return get()'], 7],
      ['assigns a catch parameter of its name', ['var e = 0; let seen; try { throw 1 } catch (e) { var e = 2; seen = e }; return [seen, e]'], [2, 0]],
      ['assigns the property that with puts in front', ['const o = { x: 1 }; with (o) { var x = 2; var { y } = { y: 3 } }; return [o.x, x, y]'], [2, undefined, 3]],
      ['may not jump over a name of a block', ['{ let x; { var x } }'], { error: 'SyntaxError', message: "'x' has already been declared" }],
      ['nor over the head of a loop', ['for (let i of []) { var i }'], { error: 'SyntaxError' }],
      ['a let in a loop stays in the loop', ['for (let i of [1]) { let j = i }', 'return [typeof i, typeof j]'], ['undefined', 'undefined']],
    ])
  })

  describe('using', () => {
    const held = (name: string): string => `{ n: '${name}', [Symbol.dispose]() { log.push('${name}') } }`
    rows([
      ['disposes at the end of the cell, the name stays', [`const log = []; using a = ${held('a')}; log.push('body')`, 'return [log, a.n]'], [['body', 'a'], 'a']],
      ['several, in reverse order', [`const log = []; using a = ${held('a')}, b = ${held('b')}`, 'return log'], [['b', 'a']].flat()],
      ['updating the name disposes the first value', [`const log = []; using a = ${held('a')}; a = 1`, 'return [log, a]'], [['a'], 1]],
      ['await using', ['const log = []; await using a = { async [Symbol.asyncDispose]() { log.push(1) } }', 'return log'], [1]],
      ['not in a place for a single statement', ['label: using x = null'], { error: 'SyntaxError' }],
    ])
  })
})

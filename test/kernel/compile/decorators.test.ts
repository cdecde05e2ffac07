// Standard decorators and auto-accessors: what they do, in every place where a class may stand, and what the rest of the cell
// keeps: names, texts of functions, positions.
import { expect } from 'chai'
import { compile } from '../../../plugins/kernel/compile/index.ts'
import { originalPosition } from '../../../plugins/kernel/compile/segments.ts'
import { rows, runCells, type Row } from '../../harness/cells.ts'

const NOTE = 'const seen = []; const note = (v, c) => { seen.push(`${c.kind} ${String(c.name)}`) }; const tag = (text) => (C, c) => { C.tag = text; return C }\n'

const table: readonly Row[] = [
  ['a class of a cell is a session name', [`${NOTE}@note class A { one() { return 1 } }`, 'return [new A().one(), seen, A.name]'], [1, ['class A'], 'A']],
  ['and can be declared again', [`${NOTE}@note class A {}\nconst old = A`, '@note class A { two = 2 }\nreturn [new A().two, old === A]'], [2, false]],
  ['a cell without a value', ['const d = () => {}; @d class A {}\nreturn typeof A'], 'function'],
  ['the next line starts with a bracket', [`${NOTE}@note class A {}\n[1, 2].length`], 2],
  ['an expression', [`${NOTE}const B = @note class {}, o = { C: @note class {} }, D = @note class Own {}; let E; E = (@note class {})\nreturn [seen, B.name, o.C.name, D.name, E.name]`],
    [['class B', 'class C', 'class Own', 'class E'], 'B', 'C', 'Own', 'E']],
  ['new of an expression', ['const d = () => {}; return new @d class { v = 1 }().v'], 1],
  ['extends an expression', ['const d = () => {}; class A extends (@d class { v = 1 }) {}\nreturn new A().v'], 1],
  ['exports', [`${NOTE}export @note class A {}\n@note export class B {}\nexport default @note class C {}`, 'return [A.name, B.name, __default === C, seen]'], ['A', 'B', true, ['class A', 'class B', 'class C']]],
  ['an anonymous default', [`${NOTE}export default @note class {}`, 'return [__default.name, seen]'], ['default', ['class default']]],
  ['in a block and a loop', ['const made = []; const d = (v, c) => { c.addInitializer(function () { made.push(this) }) }; for (const n of [1, 2]) { @d class A { static n = n; @d m() {} }\nnew A() }\nreturn [made.length, made[0].n, made[2].n, typeof A]'], [4, 1, 2, 'undefined']],
  ['in a function', [`${NOTE}function make(v: number) { @tag('t') class A { accessor v = v } return new A() }\nreturn [make(3).v, make(4).constructor.tag]`], [3, 't']],
  ['this and arguments around', ['function make() { return class { @(this.d) static m() { return 1 } static n = 2 } }\nconst mark = (v, c) => { mark.name2 = c.name }; const C = make.call({ d: mark }); return [C.m(), mark.name2]'], [1, 'm']],
  ['await in a decorator', ["const d = async (t) => (C) => { C.t = t }; @(await d('x')) class A {}\nasync function f() { @(await d('y')) class B {} return B.t }\nreturn [A.t, await f()]"], ['x', 'y']],
  ['yield in a decorator', ['function* f() { @(yield) class A {} }'], { error: 'SyntaxError', message: /yield/ }],
  ['inside a class with private names', [`${NOTE}class Outer { #p = 5; inner() { return @note class { read(o) { return o.#p } } } }\nconst o = new Outer(); return new (o.inner())().read(o)`], 5],
  ['nested decorated classes', [`${NOTE}@note class A { static B = @note class { @note m() {} } }\nreturn seen`], ['class A', 'method m', 'class B']],
  ['in a namespace, with an enum', [`${NOTE}enum E { X = 7 }\nnamespace N { export @note class A { v = E.X; static self = () => A } export const a = new A().v }\nreturn [N.a, N.A.self() === N.A, seen]`], [7, true, ['class A']]],
  ['types and parameter properties', [`${NOTE}abstract class Base<T> { abstract m(a: T): void; declare x: T; [k: string]: unknown\n f(a: number): number\n f(a: unknown): unknown { return a as number }\n @note g(): void {}\n constructor(private readonly p = 3, public q?: string) {} sum(): number { return this.p! + 1 } }\nclass K extends Base<number> { override m() {} }\nreturn [new K().sum(), new K().f(2), Object.keys(new K())]`], [4, 2, ['p', 'q']]],
  ['accessors', ['class A { accessor n: number = 1; static accessor s = 2; accessor #p = 3; get p() { return this.#p++ + this.#p } }\nconst a = new A(); a.n += 4; A.s++; return [a.n, A.s, a.p, Object.keys(a), Object.getOwnPropertyNames(A.prototype)]'], [5, 3, 7, [], ['constructor', 'n', 'p']]],
  ['a class may refer to itself by its decorated self', ['const swap = (C) => class extends C { swapped = true }; @swap class A { again() { return new A().swapped } }\nreturn [new A().again(), A.name]'], [true, '']],
  ['texts of functions', [`${NOTE}@note   class A { /* c */ m( a : number ) { return  a } ; @note static s( ){ return 1 } get   g() { return 1 } x = (  b ) => b }\nfunction near( ) { return @note class { }  }\nreturn [A.prototype.m.toString(), A.s.toString(), String(new A().x), near.toString()]`],
    ['m( a          ) { return  a }', 's( ){ return 1 }', '(  b ) => b', 'function near( ) { return @note class { }  }']],
  ['text of a class', ['const d = () => {}; @d class  A { m( ) {} }\nreturn String(A)'], '@d class  A { m( ) {} }'],
  ['a throw in a method', ['const d = () => {}\nclass A {\n  @d m() {\n    throw new RangeError("here")\n  }\n}\nnew A().m()'], { error: 'RangeError' }],
  ['a name of the realm', ['const d = () => {}; @d class URL { static v = () => URL }\nreturn [URL.v() === URL, URL.name]'], [true, 'URL']],
  ['a name that Babel would take', ['const _initClass = 1, _A = 2; const d = () => {}; @d class A { v = _initClass + _A }\nreturn new A().v'], 3],
  ['strict', ['"use strict"; const d = () => {}; @d class A { v = 1 }\nfunction f() { return new (@d class { w = 2 })().w }\nreturn [new A().v, f()]'], [1, 2]],
  ['metadata', ['const d = (v, c) => { c.metadata.x = c.name }; @d class A {}\nreturn A[Symbol.metadata ?? Symbol.for("Symbol.metadata")].x'], 'A'],
  ['not on parameters', ['const d = () => {}; class A { m(@d a) {} }'], { error: 'SyntaxError', message: /parameters/ }],
  ['a wrong name behind it', ['const d = () => {}; @d class A {}\nlet let = 1'], { error: 'SyntaxError' }],
  ['import() inside', [`${NOTE}class A { @note async m() { return (await import('node:path')).sep } }\nreturn await new A().m()`], '/'],
]

describe('cells: decorators', () => {
  rows(table)

  it('a class keeps its kind', async () => {
    const { prepared } = await runCells(['const d = () => {}; @d class A {}'])
    expect(prepared!.names).to.deep.equal([{ name: 'd', kind: 'variable' }, { name: 'A', kind: 'class' }])
  })

  it('cells without decorators need no helpers', async () => {
    expect((await runCells(['class A {}'])).prepared!.helpers).to.equal(null)
  })

  it('words keep their places', () => {
    const source = 'const d = () => {}\nfunction near1() {\n  return word11\n}\n@d class A { m(): number {\n\n    return word22 + word33 } }\nword44(); @d class B { x = word55 }\nfunction far1() { word66 }'
    const compiled = compile({ source, cell: 1, semantics: 'stateful-v1', reserved: [] })
    if (compiled.kind === 'rejected') throw new Error(compiled.error.message)
    const lines = source.split('\n')
    const found = [compiled, ...compiled.functions].flatMap(({ code, segments }) => code.split('\n').flatMap((text, line) => (
      [...text.matchAll(/word\d\d/g)].map(({ 0: word, index }) => {
        const [originalLine, column] = originalPosition(segments, line, index)
        return [word, lines[originalLine]?.slice(column, column + 6)]
      })
    )))
    expect(found.map(([word]) => word).sort()).to.deep.equal(['word11', 'word22', 'word33', 'word44', 'word55', 'word66'])
    for (const [word, there] of found) expect(there).to.equal(word)
  })

  it('refusals have the place in the source', () => {
    const source = 'const d = () => {}\n\n@d class A { m() {\n\n} }\nconst tools = 1'
    const compiled = compile({ source, cell: 1, semantics: 'stateful-v1', reserved: ['tools'] })
    expect(compiled.kind === 'rejected' && compiled.diagnostic.source?.start).to.deep.equal({ line: 6, column: 7 })
  })
})

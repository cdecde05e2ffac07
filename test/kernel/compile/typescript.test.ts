// TypeScript in cells: what is erased, what runs, and what the type eraser would not read by itself.
import { NONE, rows } from '../../harness/cells.ts'

describe('cells: erased types', () => {
  rows([
    ['beside a return', ['const x: number = 1; if (x > 5) return; return x as any'], 1],
    ['a const without initializer', ['const k: number; return k'], undefined],
    ['names declared twice', ['let a: number = 1; let a = 2; function f(): number { const x: any = 1; const x = 2; return x } return [a, f()]'], [2, 2]],
    ['with and octal numbers', ['let x: number = 010; with ({ y: 1 }) { x += y } return [x, "\\101" as string]'], [9, 'A']],
    ['angle-bracket assertions', ['const v = <number>1 + <any>2; const o = <{ a: number }>{ a: 1 }; return [v, o.a]'], [3, 1]],
    ['an assertion of an object as an arrow body', ['const f = () => <any>{ a: 1, b: 2 }; return f().b'], 2],
    ['an assertion over lines, after return', ['return <{\n  a: number\n}>{ a: 1 }'], { a: 1 }],
    ['an assertion as a target', ['let x = 1; (<any>x) = 2; (x as any) = x! + 1; return x'], 3],
    ['an assertion at the start of a statement', ['let a = 1\n;<any>[1].forEach(x => { a += x })\nreturn a'], 2],
    ['override in a class that extends nothing', ['class A { override m() { return 1 } }; return new A().m()'], 1],
    ['members called declare and accessor', ['class A { private declare() { return 1 } readonly accessor = 2; public declare2 = 3 }; const a = new A(); return [a.declare(), a.accessor]'], [1, 2]],
    ['`as` before a line that starts with a parenthesis', ['let ran = ""; const y = () => () => { ran = "wrong" }\nconst x = y as Function\n(() => { ran = "right" })()\nreturn ran'], 'right'],
    ['in the last expression, with an end of line in the type', ['[1, 2] as Array<\n  number\n>'], [1, 2]],
    ['wide characters in types', ['let b: "é😀日本" = "é😀日本"; b'], 'é😀日本'],
    ['declare', ['declare const d: number; declare function e(): void; declare class F {} declare global { interface G {} } declare module "m" {} return [typeof d, typeof e, typeof F]'],
      ['undefined', 'undefined', 'undefined']],
    ['declarations of types only: no value', ['interface A { a: number } type B = A["a"]'], NONE],
    ['a statement before them ends', ['let a = 1\nlet b = a\ntype T = 1\n(() => { a = 2 })()\nreturn a'], 2],
    ['generic calls', ['const id = <T,>(x: T): T => x; return [id<number>(1), new Map<string, number>().size]'], [1, 0]],
    ['a cell that is types only in a cell of another', ['interface User { id: number }', 'const u: User = { id: 4 }; u.id'], 4],
  ])
})

describe('cells: enums', () => {
  rows([
    ['numbers, with a way back', ['enum E { A, B = 5, C } return [E.A, E.B, E.C, E[5], E[6]]'], [0, 5, 6, 'B', 'C']],
    ['text, without one', ["enum E { A = 'a', B = `b`, C = 'x' + 'y', D = A + '!' } return [E, Object.keys(E).length]"], [{ A: 'a', B: 'b', C: 'xy', D: 'a!' }, 4]],
    ['members by name in initializers', ['enum E { A = 1 << 2, B = A | 1, C = E.A + B, D = ~A, F = -A } return [E.B, E.C, E.D, E.F]'], [5, 9, -5, -4]],
    ['shorthand and functions in initializers', ['enum E { A = 2, B = ((A: number) => A)(7), C = [A].map(x => x + A)[0], D = Object.values({ A })[0] } return [E.B, E.C, E.D]'], [7, 4, 2]],
    ['computed, then automatic', ["enum E { A = 'abc'.length, B, C } return [E.B, E.C, E[4]]"], [4, 5, 'B']],
    ['constants of another enum', ["enum N { A = 10 } enum S { A = 's' } enum E { X = N.A, Y, Z = S.A } return [E.X, E.Y, E.Z, E[10], Object.keys(E).sort()]"],
      [10, 11, 's', 'X', ['10', '11', 'X', 'Y', 'Z']]],
    ['names in quotes', ["enum E { 'a b' = 1, 'c-d' = 'x', '3x' } return [E['a b'], E['c-d'], E[1]]"].map((cell) => cell.replace(", '3x'", '')), [1, 'x', 'a b']],
    ['not a number', ['enum E { N = 0 / 0, I = 1 / 0 } return [E.N, E.I, (E as any)["NaN"]]'], [NaN, Infinity, 'N']],
    ['comments and lines', ['enum E {\n  // one\n  A = 1, // two\n  /* three */ B\n  ,\n}\nreturn [E.A, E.B]'], [1, 2]],
    ['empty', ['enum E {} return Object.keys(E)'], []],
    ['two declarations are one enum', ['enum E { A = 1 } const e = E; enum E { B = A + 1 } return [E === e, E.A, E.B]'], [true, 1, 2]],
    ['const enums are objects', ['const enum E { A = 1, B } return [E.A, E[2]]'], [1, 'B']],
    ['declare enum is erased', ['declare enum E { A } declare const enum F { B } return [typeof E, typeof F]'], ['undefined', 'undefined']],
    ['exported', ['export enum E { A } export const enum F { B = 2 } return [E.A, F.B]'], [0, 2]],
    ['in a block and in a function', ['let s; { enum E { A = 3 } s = E.A } function f() { enum E { A = 4 } enum E { B = 5 } return E.A + E.B } return [s, typeof E, f()]'], [3, 'undefined', 9]],
    ['exist from the start, undefined', ['const early = typeof E; enum E { A } return early'], 'undefined'],
    ['a later cell makes it anew', ['enum E { A, B }', 'enum E { A, C }', 'return Object.keys(E)'], ['0', '1', 'A', 'C']],
    ['or goes on when it says where', ['enum E { A, B }', 'enum E { C = 2 }', 'return [E.A, E.B, E.C]'], [0, 1, 2]],
    ['an enum does not add to what the realm has', ['enum Math { A = 1 } return Math.A', 'return 1'], 1],
    ['without semicolons around', ['let a = 1\nenum E { A = 5 }\n(() => { a = E.A })()\nreturn a'], 5],
    ['as an expression: refused', ['const x = enum { A }'], { error: 'SyntaxError' }],
  ])
})

describe('cells: namespaces', () => {
  rows([
    ['export what they export', ['namespace N { const a = 1; export const b = a + 1; export let c; export function f() { return b } export class D {} } return [Object.keys(N), N.f()]'],
      [['b', 'f', 'D'], 2]],
    ['their variables are live', ['namespace N { export let n = 0; export const up = () => { n += 1; return n } } N.n = 5; return [N.up(), N.n]'], [6, 6]],
    ['patterns', ['namespace N { export const { a, b: [c, d = 9], ...e } = { a: 1, b: [2], f: 3 }; export const g = [a, c, d] } return [N.g, N.e]'], [[1, 2, 9], { f: 3 }]],
    ['shorthand, writing, shadowing', ['namespace N { export let a = 1; export const o = { a }; ({ a } = { a: 2 }); export const f = (a: number) => a; { let a = 7; } export const l = () => { let a = 3; return a } } return [N.o.a, N.a, N.f(9), N.l()]'],
      [1, 2, 9, 3]],
    ['nested and dotted', ['namespace A.B { export const c = 1; export namespace D { export const e = c + 1 } } return [A.B.c, A.B.D.e]'], [1, 2]],
    ['a second body sees what the first exported', ['namespace N { export const a = 1; export function f() { return 2 } const hidden = 3 } namespace N { export const b = [a, f(), typeof hidden] } return N.b'],
      [1, 2, 'undefined']],
    ['also nested ones', ['namespace A { export namespace B { export let x = 1 } } namespace A.B { export const y = x + 1 } namespace A { export const z = B.y + 1 } return [A.B.y, A.z]'], [2, 3]],
    ['add to functions, classes, enums', ['function f() { return f.x } namespace f { export let x = 1 } class C {} namespace C { export const y = 2 } enum E { A } namespace E { export function z() { return E.A } } return [f(), C.y, E.z()]'],
      [1, 2, 0]],
    ['export enums and import aliases', ['namespace N { export enum E { A = 1 } export import F = N.E; import G = E; export const h = [F.A, G.A] } return N.h'], [1, 1]],
    ['an import alias at the top level', ['namespace A.B { export const v = 5; export type T = number } import S = A.B\nimport T = A.B; const n: T.T = S.v; return n'], 5],
    ['types only: erased', ['namespace N { export interface A {} export type B = 1; namespace M { type C = 1 } } return typeof N'], 'undefined'],
    ['types inside', ['namespace N { export interface A { n: number } export const a: A = { n: 1 }; type B = A; export type { B }; export declare const d: number; export function g(): void; export function g(x?: A): void {} } return N.a'.replace(' export type { B };', '')], { n: 1 }],
    ['in a later cell they go on', ['namespace N { export const a = 1 }', 'namespace N { export const b = 2 } return [N.a, N.b]'], [1, 2]],
    ['without semicolons around', ['let a = 1\nnamespace N { export const b = 5 }\n(() => { a = N.b })()\nreturn a'], 5],
    ['side effects in order', ['const log = []; namespace A { log.push(1) } namespace B { log.push(2) } return log'], [1, 2]],
    ['the name inside is the namespace', ['namespace N { export const a = 1; export const same = () => N.a } return N.same()'], 1],
    ['module N', ['module N { export var a = 1 } return N.a'], 1],
    ['the word namespace as a name', ['const namespace = 1, module = 2; return namespace + module'], 3],
    ['in a function: refused', ['function f() { namespace N { export const a = 1 } }'], { error: 'SyntaxError' }],
    ['repeated declarations inside', ['namespace N { let a = 1; let a = 2; export const b = a }', 'return N.b'], 2],
  ])
})

describe('cells: parameter properties', () => {
  rows([
    ['are set first', ['class P { sum = 0; constructor(public x: number, readonly y = 2, private z?: string) { this.sum = this.x + this.y } } const p = new P(1); return [Object.keys(p), p.sum]'],
      [['x', 'y', 'z', 'sum'], 3]],
    ['after super()', ['class A { o = ["a"] } class B extends A { constructor(protected t: string) { super(); this.o.push(this.t) } } return new B("b").o'], ['a', 'b']],
    ['super() without semicolon, and not first', ['class A { constructor(public v: number) {} } class B extends A { constructor(public w: number) {\n const t = w * 2\n super(t)\n } } const b = new B(3); return [b.v, b.w]'], [6, 3]],
    ['with a directive', ['class P { constructor(private x: number) { "use strict" } } return new P(1)'.replace('return new P(1)', 'return Object.keys(new P(1))')], ['x']],
    ['an object of the same names', ['class P { constructor(public a, public override b = 1, ...rest) {} } return { ...new P(0) }'], { a: 0, b: 1 }],
    ['in an expression, with fields that read them later', ['const C = class { constructor(private v: number) {} get = () => this.v }; return [new C(8).get(), C.name]'], [8, 'C']],
    ['length counts parameters', ['class L { constructor(public a, public b, public c = 0) {} } return L.length'], 2],
  ])
})

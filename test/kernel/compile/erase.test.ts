// Erased text is where it was: against amaro, the eraser of Node, on this project's own sources and on the places where
// a line break decides; and on its own where amaro gets it wrong or refuses.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { analyze } from '../../../plugins/kernel/compile/analysis/analyze.ts'
import { parseCell } from '../../../plugins/kernel/compile/parse.ts'
import { eraseTypes } from '../../../plugins/kernel/compile/typescript/erase.ts'

const root = new URL('../../../', import.meta.url).pathname
const amaro = createRequire(import.meta.url)('amaro') as typeof import('amaro')

function erased(source: string): string {
  const program = parseCell(source, 'stateful-v1')
  return eraseTypes(source, program, analyze(program))
}

const reference = (source: string): string => amaro.transformSync(source, { mode: 'strip-only' }).code

const LIKE_AMARO: Readonly<Record<string, string>> = {
  'annotations': 'const a: number = 1, b: string[] = []; let c!: Date; function f<T>(x: T, y?: T, ...z: T[]): T { return x }',
  'patterns': 'const { a, b }: { a: 1, b: 2 } = o, [c]: [number] = p; try {} catch (e: unknown) {} for (const x of [] as any[]) ;',
  'this': 'function f(this: Date, a: number) {} function g(this: Date) {} const o = { m(this: any, x: 1) {} }',
  'assertions': 'a as any as T; b satisfies T; c!; d!.e!(); f<T>; g<T>(); new H<T>(); i<T>`x`; ({} as const)',
  'optional marks and comments': 'function f(a /* 1 */ ? /* 2 */ : /* 3 */ number /* 4 */, b ?) {}',
  'wide characters': 'const a: "é" | "☃" | "😀" = x as "日本"',
  'type-only statements': 'interface A {}\ntype B = 1\ndeclare const c: 1\ndeclare function d(): void\ndeclare class E {}\nabstract class F {}',
  'overloads': 'function f(a: 1): 1\nfunction f(a: 2): 2;\nfunction f(a: any): any { return a }',
  'type-only modules': 'import type A from "a"\nimport { type B, c, type D } from "b"\nexport type { A }\nexport { type B, c }\nexport interface E {}\nexport default interface F {}',
  'a statement that what follows would continue': 'a\ninterface A {}\n(b)\nc\ntype B = 1\n[d]\ne;\ntype C = 1\n(f)',
  'a template, a regular expression, a sign': 'a\ntype A = 1\n`b`\ntype B = 1\n/c/\ntype C = 1\n+d\ntype D = 1\n-e\ntype E = 1\n++f',
  'first in a block': '{ type A = 1\n(b) }\nswitch (1) { case 1: type B = 1\n(c) }',
  'an expression that ended with its line': 'a as T\n(b)\nc satisfies T\n[d]\ne as T\n`f`',
  'arrow functions': 'const f = async <T>(a: T): Promise<T> => a, g = (a: 1,)\n: number => a, h = async (/* ) */)\n:\n1 => 2, i = <T,>()\n: T => 3',
  'arrow functions over lines': 'const f = async <\nT\n>(a: T) => a; function g() { return <T>\n(a: T) => a } function* h() { yield <T\n>\n(a) => a; throw <T>\n(a) => a }',
  'class heads': 'abstract class A<T> extends B<T> implements C, D<T> {} const e = class implements F {}; class G extends (h) /* implements */ implements I {}',
  'modifiers': 'class A { private a = 1; public static readonly b = 2; protected c?: number; readonly d!: number; private async e() {} public get f() { return 1 } }',
  'modifiers in front of what continues': 'class A { a = 1\nprivate [b] = 1\npublic *c() {}\nreadonly in = 1\nprotected static [d]() {} }',
  'words that are names': 'class A { public() {} readonly() {} static: 1\nget: 2\nset: 3\nprivate private() {} override = 1 }',
  'members that only describe': 'abstract class A { [k: string]: any; declare a: 1; abstract b: 1\nabstract c(): void; d(): void\nd(a?: 1): void {} constructor(a: 1)\nconstructor(a: any) {} private abstract e: 1 }',
  'private names': 'class A { #a?: 1; readonly #b: 2 = 2; static #c<T>(x: T) {} }',
  'a body of a statement': 'if (a) declare var b: 1\nelse declare const c: 1\nwhile (d) declare function e(): void\nif (f) declare enum G {}',
  'operators of the same group': 'a + b as any + c; a * b as any - c; (a + b) as any * c; a && b as any === c; a < b as any < c ** d; a | b as A as B & c; a * b as A\n++c',
}

const BY_ITSELF: Readonly<Record<string, readonly [string, string]>> = {
  'on the line of a type': ['a\ntype A = 1; (b)', 'a\n;           (b)'],
  'an assertion or a generic arrow function next': ['a\ntype A = 1\n<T>(b) => b', 'a\n;         \n   (b) => b'],
  'a template with substitutions': ['a as T\n`${b}`', 'a ;   \n`${b}`'],
  'a line break in the type parameters of what is returned': ['return <\nT>(a) => a', 'return (\n   a) => a'],
  'a wide character at the end of a type': ['const f = ()\n: é => 1', 'const f = ( \n  ) => 1'],
  'a described member before one that continues': ['class A { a = 1\ndeclare b: 1\n[c] = 2 }', 'class A { a = 1\n;           \n[c] = 2 }'],
  'a parameter property': ['class A { constructor(private a: 1, readonly b = 2) {} }', 'class A { constructor(        a   ,          b = 2) {} }'],
  'an enum, what is around it': ['export enum A { b = 1 as number }', '       enum A { b = 1           }'],
  'a namespace of types': ['a; namespace B { type C = 1 }', 'a; ;                         '],
  'an assertion in brackets': ['<T>a; b = <any>{}', '   a; b = (    {}'],
}

describe('types are erased', () => {
  for (const [what, source] of Object.entries(LIKE_AMARO)) it(what, () => { assert.equal(erased(source), reference(source)) })

  it('in the sources of this project', () => {
    const files = globSync('{plugins,test}/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] })
    assert.ok(files.length > 300)
    for (const file of files) {
      const source = readFileSync(root + file, 'utf8')
      // The declaration of a module leaves an empty statement behind.
      assert.equal(erased(source).replace(/^;(?= +$)/m, ' '), reference(source), file)
    }
  })
})

describe('what an eraser that only knows JavaScript would miss', () => {
  for (const [what, [source, expected]] of Object.entries(BY_ITSELF)) it(what, () => { assert.equal(erased(source), expected) })

  for (const source of ['a + b as any * c', 'a << b as any + c', 'a ** b as any ** c', 'a * b as A satisfies B ** c']) {
    it(`refused: ${source}`, () => { assert.throws(() => erased(source), /grouping/) })
  }
})

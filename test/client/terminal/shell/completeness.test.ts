// When a cell is finished, by a table of sources.
import { expect } from 'chai'
import { completeness, type Completeness } from '../../../../client/terminal/shell/completeness.ts'

const table: Readonly<Record<Completeness, readonly string[]>> = {
  blank: ['', ' ', '\n\n', '// only a comment', '/* a */ // b', '\t// a\n// b\n'],
  complete: [
    '1', 'let a = 1', 'a + b;', 'return 5', 'return', 'await x', 'for (const a of b) c(a)', 'if (a) b', '{}', '({})',
    'x\n', 'let a = 1 // trailing', '`a\nb`', '`${a + `${b}`}`', '/[(]/.test(x)', 'a\n++b', '"use strict"',
    'type A = string', 'interface A { b: number }', 'enum A { B }', 'let x: Array<string> = []', 'x as string', 'x!',
    'function f() {}', 'function f(a: string): void\nfunction f(a: any) {}', 'declare function f(): void', 'async () => {}',
    'class A { #b = 1; get c() { return this.#b } }', '@dec class A {}', 'import { a } from "m"', 'import a from "m" with { type: "json" }',
    'export const a = 1', 'let a; let a', 'const a', 'const { a }', 'using x = y', 'try {} catch {}', 'try {} finally {}', 'label: for (;;) {}',
    'with (a) b', 'delete x', '010', 'let', '<T,>(x: T) => x', 'a < b', 'yield', 'new.target', 'import.meta.dirname', '#!/usr/bin/env ptc\n1',
    // Wrong, and no bracket is open: the compiler says what is wrong.
    'a b', 'let let = 1', '"abc', "'abc", '/abc', ')', '}', '...', 'x = 5; x y', 'else {}', '0x', '1_', '\\', 'function f() { let let = 1 }',
    'class { }',
  ],
  unfinished: [
    '{', '(', '[', 'foo(', 'foo(1,', '[1, 2', 'let a = {', 'let a = { b: 1,', 'x = {\n  a: [\n    1,', 'a[', 'a?.[', 'new Foo(', 'import("x"',
    'function f() {', 'function f()', 'function f(a', 'function f(a: string):', 'function f', 'async function', 'function* g() { yield', 'class A {', 'class A', 'class',
    'class A extends', 'class A { x =', 'class A { m() {', 'abstract class', 'interface A {', 'enum A {', 'namespace N {', 'type A =', 'type A = |', 'let x:', 'let x: Array<',
    '`abc', '`abc ${', '`abc ${x', '`abc ${x}', '`${ `', '/* open', 'foo(/* open', '"abc\\', "'abc\\\n",
    '1 +', '1 + // why', 'a =', 'a +=', 'a &&', 'a ??', 'a ?', 'a ? b', 'a ? b :', '!', '-', 'typeof', 'void', 'await', 'x =>', 'a.', 'a?.', 'x as', 'x satisfies', 'new',
    'const', 'let {a', 'let [a', 'using x =', 'if', 'if (', 'if (x)', 'if (x) y; else', 'for (', 'for (;;)', 'for (const a of', 'while (1)', 'do', 'do {}', 'do x',
    'switch (x)', 'switch (x) { case', 'try', 'try {', 'try {}', 'try {} catch', 'try {} catch (e)', 'try {} finally', 'throw', 'label:', '@dec',
    'import', 'import {', 'import { a', 'import { a }', 'import x from', 'import * as', 'export', 'export {', 'export const', 'export default', 'export * from',
    'let a; let a; if (',
  ],
  broken: ['function f() {\n  let x = ;', 'foo(a b', 'let x = ; foo(', 'if (a) { b(; ', '({ a: = 1,', 'class { m() {'],
}

describe('completeness of a cell that is being typed', () => {
  for (const [expected, sources] of Object.entries(table)) {
    for (const source of sources) it(`${expected}: ${JSON.stringify(source)}`, () => expect(completeness(source)).to.equal(expected))
  }

  it('answers fast for a cell of a thousand lines', () => {
    const source = `function f() {\n${'  if (a) { b(c, [1, 2, 3]) }\n'.repeat(1000)}`
    const start = performance.now()
    expect(completeness(source)).to.equal('unfinished')
    expect(performance.now() - start).to.be.below(1000)
  })
})

// Static imports, exports and `import.meta` in cells.
import { expect } from 'chai'
import { compile } from '../../../plugins/kernel/compile/index.ts'
import { NONE, rows, runCells } from '../../harness/cells.ts'

const source = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`
const COUNTER = source('export let n = 0; export default function up() { n += 1 } export const o = { p: 1 }; export { n as "odd name" }')
const compiled = (code: string): unknown => {
  const cell = compile({ source: code, cell: 1, semantics: 'stateful-v1', reserved: [] })
  return cell.kind === 'prepared' ? cell.imports : cell.error
}

describe('cells: imports', () => {
  rows([
    ['all forms', [`import d, { n as count, default as e } from '${COUNTER}#1'; import * as all from '${COUNTER}#1'; import '${COUNTER}#1'`,
      'd(); return [count, all.n, d === e]'], [1, 1, true]],
    ['names that are strings', [`import { "odd name" as odd } from '${COUNTER}#2'; return odd`], 0],
    ['attributes', ['import data from "data:application/json,[1]" with { type: "json" }; return data'], [1]],
    ['an alias can be written, the namespace cannot', [`import { n } from '${COUNTER}#3'; import * as ns from '${COUNTER}#3'`, 'n = 5; ns.n = 6; return [n, ns.n]'], [5, 0]],
    ['replacing a namespace alias', [`import * as ns from '${COUNTER}#4'`, 'ns = 1; return ns'], 1],
    ['a declaration replaces an alias', [`import { n } from '${COUNTER}#5'; const get = () => n`, 'let n = 3; return get()'], 3],
    ['the last of two imports of one name counts', [`import { n as x } from '${COUNTER}#6'; import { o as x } from '${COUNTER}#6'; return x.p`], 1],
    ['a missing export fails before anything runs', ['let ran = false', `ran = true; import { nope } from '${COUNTER}#7'`, 'return ran'], false],
    ['only types: erased with its import', ['import type { A } from "./nowhere.js"; import { type B } from "./nowhere.js"; return 1'], 1],
    ['used as a type only: not imported', ['import { Stats, sep } from "node:path"; let s: Stats; return sep.length'], 1],
    ['a name that types only have as a property is imported', ['import { join } from "node:path"; interface O { join: boolean; m(join: string): void }', 'return typeof join'], 'function'],
    ['shadowed in a function: not a use', ['import { Nope } from "node:path"; const f = (Nope: Nope) => Nope; return f(1)'], 1],
    ['before a line that starts with a parenthesis', ['let a = 1\nimport "node:path"\n;[1].forEach(x => { a += x })\nreturn a'], 2],
    ['an import ends the statement before it', ['let a = 1\nlet b = a\nimport "node:path"\n(() => { a = 2 })()\nreturn a'], 2],
    ['import() is an expression', ['const { sep } = await import("node:path"); return sep.length'], 1],
    ['import x = require()', ['import p = require("node:path")\nreturn p.posix.sep'], '/'],
    ['inside a block: refused', ['if (1) { import "node:path" }'], { error: 'SyntaxError', message: 'top level' }],
    ['declarations and imports only: no value', ['import "node:path"'], NONE],
  ])

  it('become one module, line by line', () => {
    expect(compiled('import a from "x"\n\nimport { b as c, type D } from "y"; import type { E } from "z"\nexport * from "w"')).to.deep.equal({
      code: 'import a from "x"; \n\nimport { b as c } from "y"; \nimport "w"; \nexport { a, c };', aliases: ['a', 'c'],
    })
    expect(compiled('import type { E } from "z"')).to.equal(null)
    expect(compiled('import {} from "z"')).to.deep.equal({ code: 'import "z"; \nexport {  };', aliases: [] })
  })
})

describe('cells: exports', () => {
  rows([
    ['of declarations only drop the word', ['export const a = 1, b = 2; export let c = 3; export function f() { return 4 } export class G {} export async function h() { return 5 }',
      'return [a, b, c, f(), typeof G, await h()]'], [1, 2, 3, 4, 'function', 5]],
    ['of patterns', ['export const { a, b: [c] } = { a: 1, b: [2] }', 'return [a, c]'], [1, 2]],
    ['lists declare nothing', ['let a = 1; export { a, a as b }; export { a as c }', 'return [a, typeof b]'], [1, 'undefined']],
    ['a list ends the statement before it', ['let a = 1\nlet b = a\nexport { b }\n(() => { a = 2 })()\nreturn a'], 2],
    ['default expressions', ['export default 40 + 2', 'return __default'], 42],
    ['a default function without a name is called default', ['export default function () { return 1 }', 'return [__default(), __default.name]'], [1, 'default']],
    ['a default arrow, class, async function', ['export default () => 1\nconst a = __default.name; export default class {}\nreturn [a, __default.name]'], ['default', 'default']],
    ['a default class follows its name', ['export default class A { v = 1 }', 'class A { v = 2 }; return new __default().v'], 2],
    ['x as default follows x', ['let x = 1; export { x as default }', 'x = 2; return __default'], 2],
    ['writing __default ends the following', ['export default function f() { return 1 }', '__default = 5', 'f = 6; return __default'], 5],
    ['from other modules are loads', [`export { n as q } from '${COUNTER}#8'; export * as all from '${COUNTER}#8'; return [typeof q, typeof all]`], ['undefined', 'undefined']],
    ['of types are erased', ['export type A = 1; export interface B {} export type { C } from "./no.js"; export { type D } ; return 1'], 1],
    ['export {} alone', ['export {}; return 1'], 1],
    ['export =', ['const api = { v: 1 }\nexport = api'], { v: 1 }],
    ['repeated names', ['let a = 1, b = 2; export { a as x }; export { b as x }; return 1'], 1],
  ])
})

describe('cells: import.meta', () => {
  rows([
    ['is one object of the cell', ['return import.meta === import.meta && typeof import.meta.url'], 'string'],
    ['belongs to the cell that wrote it', ['const get = () => import.meta.url; const mine = import.meta.url', 'return [get() === mine, get() === import.meta.url]'], [true, false]],
    ['in a declared function', ['function get(n) { return n ? get(0) : import.meta.url } const mine = import.meta.url', 'return [get(1) === mine, get.name]'], [true, 'get']],
    ['leaves the function its text', ['function get() { return import.meta }  const arrow = () => import.meta', 'return [get.toString(), arrow.toString()]'],
      ['function get() { return import.meta }', '() => import.meta']],
    ['can be written to', ['import.meta.x = 1; return import.meta.x'], 1],
  ])

  it('declares hoisted functions by their factory', async () => {
    const { prepared } = await runCells(['function f() { return import.meta }'])
    expect(prepared?.functions.map(({ factory }) => factory)).to.deep.equal([true])
  })
})

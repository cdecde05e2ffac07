// The example rows of contract 1.3 (1.a to 1.m, without the protected policy), each as cells of a session of the real kernel.
import { expect } from 'chai'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { boot, type Graph } from '../harness/graph.ts'
import { answerOf, temporaryFolder } from '../harness/sessions.ts'

interface Row { readonly id: string, readonly cells: readonly string[], readonly expect: readonly (object | 'any')[] }

const rows: readonly Row[] = [
  { id: '1.a', cells: ['const n = 1; const get = () => n', 'const n = n + 1; n += 3; return get()'], expect: ['any', { value: 5 }] },
  { id: '1.b', cells: ['function f(){return 1}; const old=f; const cur=()=>f()', 'function f(){return 2}; return [cur(),old()]'], expect: ['any', { value: [2, 1] }] },
  {
    id: '1.c', cells: ['const x=10,y=20', "const [x, y=(()=>{throw new Error('stop')})()]=[1]", 'return [x,y]'],
    expect: ['any', { error: 'Error' }, { value: [10, 20] }],
  },
  {
    id: '1.d', cells: ["const x=5, z=(()=>{throw new Error('late')})()", 'return x', 'return typeof z', 'const z=1', 'return z'],
    expect: [{ error: 'Error' }, { value: 5 }, { value: 'undefined' }, 'any', { value: 1 }],
  },
  { id: '1.e', cells: ['return; const absent=1', 'const absent=4; return absent'], expect: [{ none: true }, { value: 4 }] },
  { id: '1.f', cells: ['if(false){var h=3}; return h'], expect: [{ text: 'undefined' }] },
  { id: '1.g', cells: ['const [x, x = x + 1] = [1, undefined]; return x'], expect: [{ value: 2 }] },
  {
    id: '1.h', cells: ["const initial=typeof join; const join=()=>'L'; import {join} from 'node:path'; return [initial, join()]"],
    expect: [{ value: ['function', 'L'] }],
  },
  {
    id: '1.i', cells: [
      "import { value as a, value as b, bump } from './live.mjs'; return [a, b]", 'bump(); return [a, b]', 'a += 3; return [a, b]',
      "import { value as a } from './live.mjs'; return [a, b]",
    ],
    expect: [{ value: [1, 1] }, { value: [2, 2] }, { value: [5, 2] }, { value: [2, 2] }],
  },
  {
    id: '1.j', cells: ['export default function item(){return 6}', 'function item(){return 7}; return __default()'],
    expect: ['any', { value: 7 }],
  },
  { id: '1.k', cells: ['const k=1; const k; let k; var k; return k'], expect: [{ value: 1 }] },
  {
    id: '1.m', cells: ['const x=10; function f(){const x=1; const x=2; {let x=3; let x=4} return x}; return [x,f()]'],
    expect: [{ value: [10, 2] }],
  },
  // Contract 1.1: what counts as a value.
  { id: '1.1 expression', cells: ['1 + 1'], expect: [{ value: 2 }] },
  { id: '1.1 declaration', cells: ['const d = 1'], expect: [{ none: true }] },
  { id: '1.1 undefined expression', cells: ['void 0'], expect: [{ none: true }] },
  { id: '1.1 explicit undefined', cells: ['return undefined'], expect: [{ text: 'undefined' }] },
  { id: '1.1 returned promise', cells: ['return Promise.resolve(3)'], expect: [{ value: 3 }] },
  { id: '1.2 top-level await', cells: ['const v = await Promise.resolve(4); v'], expect: [{ value: 4 }] },
  { id: '1.2 enum', cells: ['enum E { A, B = 5, C }', '[E.A, E.B, E.C, E[5]]'], expect: ['any', { value: [0, 5, 6, 'B'] }] },
  { id: '1.2 namespace', cells: ['namespace N { export const a = 1; export function b() { return a + 1 } }', '[N.a, N.b()]'], expect: ['any', { value: [1, 2] }] },
  { id: '1.2 parameter property', cells: ['class P { constructor(public x: number, private y = 2) {} sum() { return this.x + this.y } }', 'new P(1).sum()'], expect: ['any', { value: 3 }] },
  { id: '1.2 types', cells: ['interface I { a: number }\ntype T<K> = K | null\nconst i: I = { a: 1 } satisfies I\nfunction id<T>(v: T): T { return v }\nid<number>(i.a) as unknown'], expect: [{ value: 1 }] },
  { id: '1.3 dynamic code sees session names', cells: ['const v = 7', 'return [["typeof v"].map(eval)[0], (0, eval)("v"), new Function("return v")()]'], expect: ['any', { value: ['number', 7, 7] }] },
  { id: '1.3 function text', cells: ['function shown(a, b) { return a /* sum */ + b }', 'shown.toString()'], expect: ['any', { value: 'function shown(a, b) { return a /* sum */ + b }' }] },
  { id: '1.3 inferred names', cells: ['const arrow = () => 1, klass = class {}; return [arrow.name, klass.name]'], expect: [{ value: ['arrow', 'klass'] }] },
  { id: '1.3 missing export fails before evaluation', cells: ["import { nope } from './effect.mjs'", 'globalThis.effect ?? "none"'], expect: [{ error: 'SyntaxError' }, { value: 'none' }] },
]

describe('cells of the contract', function () {
  const folder = temporaryFolder()
  let graph: Graph
  before(async () => {
    mkdirSync(folder.path, { recursive: true })
    writeFileSync(join(folder.path, 'live.mjs'), 'export let value = 1\nexport const bump = () => { value += 1 }\n')
    writeFileSync(join(folder.path, 'effect.mjs'), 'globalThis.effect = "ran"\nexport const here = 1\n')
    graph = await boot({ kernel: { spareHelper: true } })
  })
  after(async () => { await graph.dispose(); folder.remove() })

  for (const { id, cells, expect: expected } of rows) {
    it(id, async () => {
      const session = await graph.kernel.open(`row ${id}`, { cwd: folder.path })
      for (const [index, source] of cells.entries()) {
        const result = await session.run(source)
        const wanted = expected[index]
        if (wanted === 'any') expect(result.error, `${source}\n${JSON.stringify(result.error)}`).to.equal(undefined)
        else expect(answerOf(result), source).to.deep.equal(wanted)
      }
      await session.close()
    })
  }
})

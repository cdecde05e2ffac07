// Names of the realm, and names that libraries look for, when cells declare them: the session has its own, modules keep
// theirs. Each row is a session of the real kernel.
import { expect } from 'chai'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { boot, type Graph } from '../harness/graph.ts'
import { answerOf, temporaryFolder } from '../harness/sessions.ts'

type Row = readonly [title: string, ...steps: readonly (readonly [cell: string, value: unknown])[]]

/** What a cell without a value answers. */
const NONE = Symbol('none')

const rows: readonly Row[] = [
  ['import crypto', ["import crypto from 'node:crypto'; typeof crypto.createHash", 'function'], ['[typeof crypto.createHash, typeof globalThis.crypto.createHash]', ['function', 'undefined']]],
  ['const crypto = require', ["const crypto = require('crypto')", NONE], ["crypto.createHash('sha1').update('a').digest('hex').slice(0, 6)", '86f7e4'], ['typeof globalThis.crypto.subtle', 'object']],
  ['import process', ["import process from 'node:process'", NONE], ['[process === globalThis.process, typeof process.cwd()]', [true, 'string']]],
  ['const process', ['const process = { cwd: () => "mine" }; process.cwd()', 'mine'], ['[process.cwd(), typeof globalThis.process.version]', ['mine', 'string']]],
  ['import performance', ["import { performance } from 'node:perf_hooks'", NONE], ['typeof performance.now()', 'number']],
  ['import URL', ["import { URL } from 'node:url'; new URL('http://h/p').pathname", '/p'], ["new URL('http://h/q').pathname", '/q'], ['URL = 5; [URL, typeof globalThis.URL]', [5, 'function']]],
  ['import under another name', ["import { join as fetch } from 'node:path'; fetch('a', 'b')", 'a/b'], ['fetch.name', 'join'], ['typeof globalThis.fetch', 'function']],
  ['const fetch', ['const fetch = async () => 1; fetch.name', 'fetch'], ['return [await fetch(), fetch.toString(), globalThis.fetch === fetch]', [1, 'async () => 1', false]]],
  ['function fetch', ['const early = fetch(2); function fetch(n) { return n === 0 ? "own" : fetch(n - 1) }\nearly', 'own'],
    ['[fetch(1), fetch.name, fetch.toString()]', ['own', 'fetch', 'function fetch(n) { return n === 0 ? "own" : fetch(n - 1) }']], ['globalThis.fetch === fetch', false]],
  ['class URL', ['class URL { static here = URL.name }', NONE], ['[URL.here, new URL() instanceof URL, URL.toString(), typeof globalThis.URL.parse]', ['URL', true, 'class URL { static here = URL.name }', 'function']]],
  ['class extends the realm', ['class Event2 extends Event {}\nconst Event = 1; [Event, new Event2("x").type]', [1, 'x']]],
  ['var name is an ordinary name', ['var name = "n"; name', 'n'], ['[name, globalThis.name]', ['n', 'n']]],
  ['let Map', ['let Map = class { size = "own" }; new Map().size', 'own'], ['[new Map().size, new globalThis.Map().size, new (class extends Map {})().size]', ['own', 0, 'own']]],
  ['let without a value', ['let Array; typeof Array', 'undefined'], ['[typeof Array, typeof globalThis.Array, [].constructor === globalThis.Array]', ['undefined', 'function', true]]],
  ['let without a value keeps the session\'s', ['let URL = 3', NONE], ['let URL; URL', 3]],
  ['var without a value reads the realm', ['var process = process || 1; typeof process', 'object'], ['if (false) { var Buffer = 1 }; typeof Buffer', 'function'], ['Buffer = 2; [Buffer, typeof globalThis.Buffer]', [2, 'function']]],
  ['enum Event', ['enum Event { A, B = 5 }', NONE], ['[Event.A, Event[5], typeof globalThis.Event]', [0, 'B', 'function']], ['enum Event { C = 9 }\n[Event.A, Event.C]', [0, 9]]],
  ['namespace URL', ['namespace URL { export const a = 1 }', NONE], ['namespace URL { export const b = a + 1 }\n[URL.a, typeof globalThis.URL.parse]', { error: 'ReferenceError' }], ['namespace URL { export const b = 2 }\n[URL.a, URL.b, typeof globalThis.URL.canParse]', [1, 2, 'function']]],
  ['import = require', ["import URL = require('node:url'); typeof URL.parse", 'function'], ['typeof URL.pathToFileURL', 'function']],
  ['patterns', ['const [which, fetch, { URL = () => "u" }] = ["w", "oops", {}]; [typeof fetch, URL.name, URL()]', ['string', 'URL', 'u']], ['[fetch, URL(), typeof globalThis.fetch, typeof globalThis.URL]', ['oops', 'u', 'function', 'function']]],
  ['a pattern that fails', ['const [URL, x = boom()] = [1]', { error: 'ReferenceError' }], ['typeof URL', 'function'], ['const URL = 1; URL', 1]],
  ['a pattern with a closure', ['const [fetch, get = () => fetch] = [7]; get()', 7], ['fetch = 8; [get(), typeof globalThis.fetch]', [8, 'function']]],
  ['assignment targets', ['let URL = 0, Map = 0, Set = 0; ({ URL, a: Map = 2, ...Set } = { URL: 1, z: 3 }); [URL, Map, Set.z]', [1, 2, 3]],
    ['[URL, Map] = [Map, URL]; [URL, Map, URL++ + ++Map, URL += 1]', [2, 1, 4, 4]], ['const seen = []; for (URL of [1, 2]) seen.push(URL); for (Map in { k: 1 }) seen.push(Map); seen', [1, 2, 'k']], ['for (var { URL } of [{ URL: 5 }]); for (var [Map] of [[6]]); [URL, Map, typeof globalThis.URL]', [5, 6, 'function']]],
  ['names of functions', ['let fetch, URL; fetch = () => {}; [URL = class {}] = []; [fetch.name, URL.name]', ['fetch', 'URL']], ['fetch = null; fetch ??= function () {}; fetch.name', 'fetch']],
  ['shorthand, typeof, delete', ['const fetch = 1; return [{ fetch }, typeof fetch]', [{ fetch: 1 }, 'number']], ['[delete fetch, typeof fetch]', [true, 'function']]],
  ['calls have no receiver', ['function fetch() { "use strict"; return this === undefined }\nconst URL = fetch', NONE], ['[fetch(), (fetch)(), fetch?.(), fetch``, (fetch as any)!()]', [true, true, true, true, true]], ['const a = 1\nfetch()', true], ['void 0\nfetch()', true]],
  ['functions of later cells', ['const process = { pid: 1 }', NONE], ['function read(/* which */ a) { return process.pid }\nread()', 1], ['process = { pid: 2 }; [read(), read.toString(), read.name]', [2, 'function read(/* which */ a) { return process.pid }', 'read']],
    ['const arrow = (a) => process.pid; [arrow(), String(arrow)]', [2, '(a) => process.pid']]],
  ['local names stay local', ['const fetch = 1', NONE], ['function f(fetch) { { let URL = fetch; var fetch = URL + 1 } return fetch }\nconst g = ({ fetch = 5 }) => { try { throw 3 } catch (fetch) { return fetch } }; [f(1), g({}), (function fetch() { return typeof fetch })(), fetch]', [2, 3, 'function', 1]]],
  ['block functions', ['{ function fetch() { return 2 } }\nfetch()', 2], ['[fetch(), typeof globalThis.fetch, fetch === globalThis.fetch]', [2, 'function', false]], ['function outer() { { function URL() { return 3 } } return URL() }\nconst URL = 4; [outer(), URL]', [3, 4]]],
  ['using', ['{ const log = []; globalThis.log = log }\nusing File = { v: 1, [Symbol.dispose]() { log.push("end") } }; File.v', 1], ['[File.v, log, typeof globalThis.File]', [1, ['end'], 'function']]],
  ['sniffed names', ['let window = { w: 1 }, document = 2; const module = {}, exports = 3, define = 4, self = 5', NONE], ['[window.w, document, exports, define, self, typeof globalThis.window, "module" in globalThis]', [1, 2, 3, 4, 5, 'undefined', false]], ["const { kind } = await import('./sniff.cjs'); kind", 'node']],
  ['modules keep the realm', ['const URL = 1, process = 2, fetch = 3; const { see } = await import("./see.mjs"); see()', ['function', 'object', 'function']], ["require('node:url').URL.name", 'URL']],
  ['require stays as it was', ["const { createRequire } = await import('node:module'); const require = createRequire(process.cwd() + '/x.js'); typeof require('./see.mjs').see", 'function'], ['globalThis.require === require', true]],
  ['soft names stay as they were', ['const code = 1; [code, typeof globalThis.code]', [1, 'number']]],
  ['direct eval in a function', ['const fetch = 1', NONE], ['const see = (x) => { let y = 2; return eval("fetch + x + y") }; see(4)', 7], ['function all() { let URL = 9; return [eval("fetch"), eval("URL"), eval("typeof process")] }\nall()', [1, 9, 'object']],
    ['"use strict"; const strict = (x) => eval("fetch + x"); function declared(x) { return eval("fetch + x") }\n[strict(1), declared(2)]', [2, 3]], ['all.toString().includes("ptc")', false]],
  ['eval at the top level declares session names', ['const fetch = 1; eval("var made = 2"); made', 2], ['[made, typeof eval("fetch"), typeof (0, eval)("fetch"), new Function("return typeof fetch")()]', [2, 'function', 'function', 'function']]],
  ['with', ['const fetch = 1, URL = 2', NONE], ['with ({ fetch: 3 }) { var inside = [fetch, URL]; fetch = 4; URL = 5 }\n[inside, fetch, URL]', [[3, 2], 1, 5]], ['function f(o) { with (o) return [fetch, URL] }\n[f({}), f({ URL: 0 })]', [[1, 5], [1, 0]]]],
  ['strict cells', ['"use strict"; let process = { a: 1 }; function f() { return process.a }\nprocess.b = 2; [f(), process.b]', [1, 2]], ['[f(), f.toString()]', [1, 'function f() { return process.a }']]],
  ['exports', ['export default function fetch() { return 1 }\nexport const URL = 2; export { URL as other }', NONE], ['fetch = () => 3; [__default(), URL]', [3, 2]]],
  ['types do not isolate', ['interface Event { a: number }\ntype Map2 = Map<string, Event>\ndeclare const fetch: unknown\nconst e: Event = { a: 1 }; e.a', 1]],
  ['closures of earlier cells keep the realm', ['const get = () => typeof URL', NONE], ['const URL = 1; get()', 'function']],
]

describe('isolated names', function () {
  const folder = temporaryFolder()
  let graph: Graph
  before(async () => {
    writeFileSync(join(folder.path, 'see.mjs'), 'export const see = () => [typeof URL, typeof process, typeof fetch]\n')
    writeFileSync(join(folder.path, 'sniff.cjs'), 'exports.kind = typeof window === "undefined" && typeof define === "undefined" && typeof self === "undefined" ? "node" : "browser"\n')
    graph = await boot({ kernel: { spareHelper: true } })
  })
  after(async () => { await graph.dispose(); folder.remove() })

  for (const [title, ...steps] of rows) {
    it(title, async () => {
      const session = await graph.kernel.open(`row ${title}`, { cwd: folder.path })
      for (const [source, value] of steps) {
        const result = await session.run(source)
        const isError = typeof value === 'object' && value !== null && 'error' in value
        const wanted = value === NONE ? { none: true } : isError ? value : { value }
        expect(answerOf(result), `${source}\n${JSON.stringify(result.error)}`).to.deep.equal(wanted)
      }
      await session.close()
    })
  }

  it('survive a kill: recovery isolates them again', async () => {
    const session = await graph.kernel.open('killed', { cwd: folder.path })
    await session.run("const URL = 'mine'; import { join as fetch } from 'node:path'")
    await session.run('function see() { return [URL, fetch("a", "b")] }')
    await session.kill()
    expect(answerOf(await session.run('[...see(), URL, typeof globalThis.URL, fetch("c")]'))).to.deep.equal({ value: ['mine', 'a/b', 'mine', 'function', 'c'] })
    await session.close()
  })

  it('survive a reset in the same way', async () => {
    const session = await graph.kernel.open('reset', { cwd: folder.path })
    await session.run('const URL = 1')
    await session.reset()
    expect(answerOf(await session.run('[typeof URL, typeof globalThis.URL]'))).to.deep.equal({ value: ['number', 'function'] })
    await session.close()
  })

  it('are listed and looked into by completion', async () => {
    const session = await graph.kernel.open('complete', { cwd: folder.path })
    await session.run("const URL = { inside: 1 }; import { join as fetch } from 'node:path'; class File {}; function Blob() {}; var Map")
    const names = await session.complete('')
    expect(names.map(({ name, kind }) => `${name}: ${kind}`)).to.include.members(['URL: variable', 'fetch: import', 'File: class', 'Blob: function'])
    expect((await session.complete('URL')).map(({ name }) => name)).to.include('inside')
    await session.close()
  })

  it('protected: a new constant can not be written, nor declared again', async () => {
    const session = await graph.kernel.open('protected', { cwd: folder.path, policy: 'protected' })
    await session.run('const URL = { a: 1 }; const [fetch] = [2]')
    expect(answerOf(await session.run('URL = 2'))).to.deep.equal({ error: 'TypeError' })
    expect((await session.run('const fetch = 3')).diagnostics[0]?.code).to.equal('PTC-N001')
    expect(answerOf(await session.run('[URL.a, fetch, typeof globalThis.fetch]'))).to.deep.equal({ value: [1, 2, 'function'] })
    await session.close()
  })
})

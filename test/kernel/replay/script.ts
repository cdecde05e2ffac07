// One long session with cells of all kinds, for the test that cuts its history everywhere. A cell names the expressions by
// which its part of the state is recognised; the cell itself ends with their values, so that what the state was after it is
// known without another cell.
import type { RunOptions } from '../../../plugins/kernel/types.ts'

export interface ScriptCell {
  readonly source: string
  readonly probes: readonly string[]
  readonly status: 'durable' | 'volatile' | 'discarded' | 'noop'
  readonly limits?: RunOptions['limits']
  /** Before the cell: drop the live state, so that the next cell starts from the frontier. */
  readonly reset?: true
}

export const view = (expression: string) => `require('node:util').inspect(${expression}, { depth: 9 })`

const cell = (source: string, ...probes: string[]): ScriptCell => ({
  source: probes.length === 0 ? source : `${source}\n;[${probes.map(view).join(', ')}]`, probes, status: 'durable',
})
const volatile = (source: string): ScriptCell => ({ source, probes: [], status: 'volatile' })
const noop = (source: string): ScriptCell => ({ source, probes: [], status: 'noop' })
const discarded = (source: string): ScriptCell => ({ source, probes: [], status: 'discarded', limits: { maxWallMs: 150 } })
const reset = (of: ScriptCell): ScriptCell => ({ ...of, reset: true })

const begin: readonly ScriptCell[] = [
  cell('const a = 41', 'a'),
  cell('let counter = 0', 'counter'),
  cell('counter += a', 'counter'),
  cell('var legacy = [1, 2, 3]; legacy.push(4)', 'legacy'),
  cell('function area(r: number): number { return r * r * 3 }', 'area(2)'),
  cell('class Point { static made = 0; constructor(readonly x: number, readonly y: number) { Point.made++ } get sum() { return this.x + this.y } }', 'Point.made'),
  cell('const p = new Point(1, 2)', 'p.sum', 'Point.made'),
  cell('enum Colour { Red, Green = 5, Blue }', 'Colour.Blue', 'Colour[5]'),
  cell("import { join, extname } from 'node:path'", "join('x', '..', 'y')"),
  noop('let = = 3'),
  noop('const broken ='),
  cell('namespace Units { export const metre = 1; export const mile = 1609 * metre }', 'Units.mile'),
]

const values: readonly ScriptCell[] = [
  cell('return null'), cell('return undefined'), cell('return true'), cell("return 'grüße ☃'"), cell('return -0'), cell('return NaN'),
  cell('return [Infinity, -Infinity, 0.1 + 0.2]'), cell('return 2n ** 80n'), cell('return [1, , undefined, null]'),
  cell("return { nested: { list: [{ deep: 1n }], 'odd key': '' }, [Symbol.iterator.toString()]: 1 }"),
  cell('const shared = { s: 1 }; return [shared, shared]'),
  cell('const loop: { self?: unknown } = {}; loop.self = loop; return loop'),
  cell('return Object.assign(Object.create(null), { bare: true })'),
  cell("'x'.repeat(3000)"),
  cell('return () => 1'),
]

const ambient: readonly ScriptCell[] = [
  cell('const now = Date.now(), chance = Math.random(), id = crypto.randomUUID()', 'now', 'chance', 'id'),
  cell('const bytes = [...crypto.getRandomValues(new Uint8Array(5))], env = process.env.HOME, perf = performance.now()', 'bytes', 'env', 'perf'),
  cell(`const fired: string[] = []
    await Promise.all([3, 1, 2].map(ms => new Promise<void>(r => setTimeout(() => { fired.push(\`\${ms}\`); r() }, ms * 2))))
    await new Promise<void>(r => { let n = 0; const i = setInterval(() => { fired.push('tick'); if (++n === 2) { clearInterval(i); r() } }, 1) })`, 'fired'),
  cell("import { setTimeout as sleep } from 'node:timers/promises'\nconst slept = await sleep(2, Date.now())", 'slept'),
]

const calls: readonly ScriptCell[] = [
  cell("const note = await notes.add({ text: 'first' })", 'note'),
  cell("const several = await Promise.all(['x', 'y', 'z'].map((key, i) => notes.slow({ key, ms: 6 - 3 * i })))", 'several'),
  cell(`const arrived: string[] = []
    await Promise.all([['p', 7], ['q', 1], ['r', 4]].map(async ([key, ms]) => { await notes.slow({ key, ms }); arrived.push(key as string) }))`, 'arrived'),
  cell("let failure = ''; try { await notes.fail({ reason: 'range' }) } catch (e) { failure = `${e}` }", 'failure'),
  cell("const both = (await Promise.allSettled([notes.fail({ reason: 'no' }), notes.echo({ n: 1n })])).map(o => o.status)", 'both'),
  cell("await notes.fail({ reason: 'uncaught' })"),
  cell("const mixed: string[] = []\nawait Promise.all([notes.slow({ key: 'm', ms: 2 }).then(() => mixed.push('call')), sleep(3).then(() => mixed.push('timer'))])", 'mixed'),
  cell("let kept = 1; throw new TypeError('after a name')"),
  cell('kept += 1', 'kept'),
  cell("throw { plain: 'object' }"),
  cell("const tries: number[] = []\nfor (;;) { try { tries.push((await notes.flaky({ key: 'k', failures: 2 })).tries); break } catch { tries.push(0); await sleep(1) } }", 'tries'),
]

const state: readonly ScriptCell[] = [
  cell("await repl.state({ action: 'save', name: 'early' })"),
  cell('const a = 42', 'a'),
  cell("counter = 100; const names = (await repl.state({ action: 'list' })).names", 'counter', 'names'),
  cell("await repl.state({ action: 'save', name: 'late' })"),
  cell('const afterLate = counter + a', 'afterLate'),
  cell("await repl.state({ action: 'restore', name: 'early' })"),
  cell("const branch = [a, counter, typeof afterLate]", 'branch'),
  cell("await repl.state({ action: 'restore', name: 'late' })"),
  cell("await repl.state({ action: 'delete', name: 'early' })"),
  cell("await repl.state({ action: 'restore', name: 'early' })"),
  cell('const forgotten = 1', 'forgotten'),
  cell("await repl.state({ action: 'restore' })"),
]

const losses: readonly ScriptCell[] = [
  volatile("const files = await import('node:fs')"),
  volatile('const lostToo = files.existsSync("/")'),
  noop('}'),
  reset(cell('const recovered = typeof lostToo', 'recovered')),
  discarded('let doomed = 1; await new Promise(() => {})'),
  cell('const again = typeof doomed', 'again'),
  discarded("await notes.slow({ key: 'never', ms: 60_000 })"),
  cell('function area(r: number): number { return r * r * 4 }', 'area(2)'),
  volatile('process.pid'),
  volatile("await repl.state({ action: 'restore' })"),
  cell('class Point { static made = -1; sum = 0 }', 'Point.made'),
  cell('let counter = "another kind"', 'counter'),
  cell("const last = (await notes.add({ text: 'last' })).text", 'last'),
  volatile('const unsaved = process.pid > 0'),
]

export const script: readonly ScriptCell[] = [...begin, ...values, ...ambient, ...calls, ...state, ...losses]

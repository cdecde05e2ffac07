// What the cell language costs: compiling, and running code whose names are session names. Rows for `npm run bench`.
import { Script } from 'node:vm'
import { compile } from '../../plugins/kernel/compile/index.ts'
import type { ReplSession } from '../../plugins/kernel/types.ts'
import { boot } from './graph.ts'
import { measure, type Row } from './measure.ts'

const prepare = (source: string) => {
  const compiled = compile({ source, cell: 1, semantics: 'stateful-v1', reserved: [], isolated: [] } as Parameters<typeof compile>[0])
  if (compiled.kind === 'rejected') throw new Error(compiled.error.message)
}

const FUNCTION = `export function step$I(rows: readonly { id: number, tags?: string[] }[], limit = 10): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { id, tags = [] } of rows) {
    if (id > limit) continue
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  }
  const best = [...counts].sort(([, a], [, b]) => b - a)[0]
  return best === undefined ? counts : new Map([best as [string, number]])
}
const step$Ia = step$I([{ id: $I, tags: ['a', 'b'] }])
`

async function hotLoop(session: ReplSession, code: string): Promise<number> {
  const result = await session.run(code)
  if (result.error !== undefined) throw new Error(result.error.message)
  return result.value as number
}

export async function languageRows(twenty: (i: number) => string): Promise<Row[]> {
  const rows: Row[] = []
  for (let i = 0; i < 100; i += 1) prepare(twenty(i))
  rows.push(['compile a 20-line TypeScript cell', await measure(300, (i) => prepare(twenty(i))), ''])
  const thousand = Array.from({ length: 100 }, (_, i) => FUNCTION.replaceAll('$I', `${i}`)).join('')
  for (let i = 0; i < 20; i += 1) prepare(thousand)
  rows.push([`compile a ${thousand.split('\n').length - 1}-line TypeScript cell`, await measure(15, () => prepare(thousand)), ''])
  const items = Array.from({ length: 12_000 }, (_, i) => ({ id: i, name: `customer ${i}`, total: i / 7, tags: ['a', 'b'], open: i % 2 === 0 }))
  const literal = `const data = ${JSON.stringify(items)}`
  const compiled = await measure(7, (i) => prepare(`${literal} // ${i}`))
  // Another text each time: V8 remembers scripts that it has compiled.
  const alone = await measure(7, (i) => new Script(`${literal} // ${i}`))
  rows.push([`compile a literal of ${(literal.length / 2 ** 20).toFixed(1)} MB`, compiled, `${(compiled / alone).toFixed(1)} x vm.Script alone`])

  const graph = await boot()
  const session = await graph.kernel.open('names')
  const loop = (i: number, kind: string) => `{ const t = performance.now(); for (let i = 0; i < 1e7; i++) ${kind}; globalThis.took${i} = performance.now() - t }; took${i}`
  await session.run('let s = 0; let u = 0')
  // A small integer on both sides: a sum that grows past 2^31 would measure boxing of doubles instead.
  const named = await hotLoopMedian(session, (i) => loop(i, 's = (s + i) & 65535'))
  await session.run('globalThis.scripted = new (require("node:vm").Script)("let w = 0; (n) => { const t = performance.now(); for (let i = 0; i < n; i++) w = (w + i) & 65535; return performance.now() - t }").runInThisContext()')
  const scripted = await hotLoopMedian(session, () => 'scripted(1e7)')
  rows.push(['10 million rounds over a session name', named, `${(named / scripted).toFixed(2)} x a script-scope let`])

  const few = await measure(300, () => session.run('1+1'))
  for (let i = 0; i < 10; i += 1) await session.run(Array.from({ length: 1_000 }, (_, n) => `const n${i}_${n} = ${n}`).join('\n'))
  const many = await measure(300, () => session.run('1+1'))
  rows.push(['`1+1` with 10,000 session names', many, `${(many / few).toFixed(2)} x with few`])
  await graph.dispose()
  return rows
}

async function hotLoopMedian(session: ReplSession, code: (i: number) => string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 7; i += 1) times.push(await hotLoop(session, code(i)))
  return times.sort((a, b) => a - b)[3]!
}

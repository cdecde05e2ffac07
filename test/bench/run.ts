// `npm run bench`: what a user waits for, as medians of one run. docs/reference/bench.md says how to read it. Not a test:
// machines differ, so nothing here passes or fails.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Script } from 'node:vm'
import type { CellResult } from '../../plugins/kernel/types.ts'
import { boot } from '../harness/graph.ts'
import { languageRows } from './language.ts'
import { measure, type Row } from './measure.ts'

const CELL = `interface Order { id: number; customer: string; total: number; paid: boolean }
type Totals = Record<string, number>
const orders$I: Order[] = [
  { id: 1, customer: 'ada', total: 10.5, paid: true },
  { id: 2, customer: 'bob', total: 20, paid: false },
  { id: 3, customer: 'ada', total: 4.25, paid: true },
]
function totals$I(rows: readonly Order[], paid?: boolean): Totals {
  const sums: Totals = {}
  for (const row of rows) {
    if (paid !== undefined && row.paid !== paid) continue
    sums[row.customer] = (sums[row.customer] ?? 0) + row.total
  }
  return sums
}
class Report$I<T extends Totals> {
  private readonly rows: T
  constructor(rows: T) { this.rows = rows }
  lines(): string[] { return Object.entries(this.rows).map(([name, sum]) => \`\${name}: \${sum.toFixed(2)}\`) }
}
new Report$I(totals$I(orders$I, true)).lines().join(', ')`

const ok = (result: CellResult) => { if (result.error !== undefined) throw new Error(result.error.message) }
const rows: Row[] = []
const twenty = (i: number) => CELL.replaceAll('$I', `${i}`)

const folder = mkdtempSync(join(tmpdir(), 'ptc-bench-'))
const owner = (graph: Awaited<ReturnType<typeof boot>>) => graph.ctx.capabilityPlan.register('bench', { echo: { replay: 'recorded-value', call: (args) => args } })

{
  const graph = await boot()
  owner(graph)
  const session = await graph.kernel.open('warm')
  for (let i = 0; i < 200; i += 1) ok(await session.run('1+1'))
  const one = await measure(1_000, () => session.run('1+1'))
  rows.push(['`1+1`, warm', one, ''])
  for (let i = 0; i < 50; i += 1) ok(await session.run(twenty(i)))
  const cell = await measure(300, (i) => session.run(twenty(100 + i)))
  const script = await measure(300, (i) => new Script(CELL.replaceAll('$I', `${i}`).replace(/interface[^\n]*|type[^\n]*|: (?:Order\[\]|readonly Order\[\]|Totals|T|string\[\])|private readonly rows|\?: boolean|<T extends Totals>/gu, '')))
  rows.push(['20-line TypeScript cell, warm', cell, `${(cell / script).toFixed(0)} x compiling its JavaScript with vm.Script`])
  const calls = await session.run('const t0 = performance.now(); for (let i = 0; i < 1000; i++) await bench.echo(i); (performance.now() - t0) / 1000')
  rows.push(['one call and its answer, of 1,000 in a row', calls.value as number, ''])
  const parallel = await session.run('const t1 = performance.now(); await Promise.all(Array.from({ length: 1000 }, (_, i) => bench.echo(i))); performance.now() - t1')
  rows.push(['1,000 calls in parallel', parallel.value as number, ''])
  await graph.dispose()
}
{
  const graph = await boot()
  rows.push(['kernel start to first result, cold', await measure(7, async (i) => { const s = await graph.kernel.open(`cold ${i}`); ok(await s.run('1+1')); await s.close() }), ''])
  await graph.dispose()
}
{
  const graph = await boot({ dir: folder })
  owner(graph)
  const session = await graph.kernel.open('disk')
  for (let i = 0; i < 50; i += 1) ok(await session.run('1+1'))
  rows.push(['`1+1`, journal on disk, synced', await measure(300, () => session.run('1+1')), ''])
  const long = await graph.kernel.open('long')
  for (let i = 0; i < 100; i += 1) ok(await long.run(`const v${i} = await bench.echo(${i})`))
  const cold = await measure(5, async () => { await long.reset(); await long.recover() })
  const empty = await graph.kernel.open('empty')
  const start = await measure(5, async () => { await empty.reset(); ok(await empty.run('1')); })
  rows.push(['recovery of 100 cells with a call each, start included', cold, `${(cold - start).toFixed(0)} ms beyond the start of an empty kernel`])
  await graph.dispose()
}
rows.push(...await languageRows(twenty))
rmSync(folder, { recursive: true, force: true })

console.log(`Node ${process.version}, ${process.platform} ${process.arch}\n`)
console.log('| what | median, ms | beside it |\n|---|---:|---|')
for (const [what, ms, compared] of rows) console.log(`| ${what} | ${ms < 10 ? ms.toFixed(3) : ms.toFixed(1)} | ${compared} |`)

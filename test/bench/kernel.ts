// What a cell, a call, a start and a recovery cost, beside the skeleton: the same processes and sockets with nothing in them.
// Rows for `npm run bench`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CellResult, ReplSession } from '../../plugins/kernel/types.ts'
import { twenty } from './cell.ts'
import { boot, type BenchGraph } from './graph.ts'
import { measure, measurePair, type Row } from './measure.ts'
import { startSkeleton } from './skeleton/host.ts'

const ok = (result: CellResult) => { if (result.error !== undefined) throw new Error(result.error.message) }
const times = (one: number, other: number) => `${(one / other).toFixed(2)} x the skeleton (${other.toFixed(3)})`
const owner = (graph: BenchGraph) => graph.ctx.capabilityPlan.register('bench', { echo: { replay: 'recorded-value', call: (args) => args } })

const IN_A_ROW = '{ const t = performance.now(); for (let i = 0; i < 1000; i++) await ECHO(i); globalThis.took = (performance.now() - t) / 1000 }\ntook'
const AT_ONCE = '{ const t = performance.now(); await Promise.all(Array.from({ length: 1000 }, (_, i) => ECHO(i))); globalThis.took = performance.now() - t }\ntook'
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!

/** What the figures of one session look like. */
export interface Warm { readonly one: number, readonly twenty: number, readonly calls: number }

async function warmRows(rows: Row[]): Promise<Warm> {
  const graph = await boot()
  owner(graph)
  const session = await graph.kernel.open('warm')
  const skeleton = await startSkeleton()
  for (let i = 0; i < 200; i += 1) { ok(await session.run('1+1')); await skeleton.run('1+1') }
  const [one, bareOne] = await measurePair(1_000, () => session.run('1+1'), () => skeleton.run('1+1'))
  rows.push(['`1+1`, warm', one, times(one, bareOne)])
  for (let i = 0; i < 50; i += 1) { ok(await session.run(twenty(i))); await skeleton.run(twenty(i)) }
  const [cell, bareCell] = await measurePair(300, (i) => session.run(twenty(100 + i)), (i) => skeleton.run(twenty(100 + i)))
  rows.push(['20-line TypeScript cell, warm', cell, times(cell, bareCell)])
  const figures: number[][] = [[], [], [], []]
  for (let i = 0; i < 7; i += 1) {
    for (const [at, code] of [IN_A_ROW, AT_ONCE].entries()) {
      figures[at * 2]!.push((await session.run(code.replace('ECHO', 'bench.echo'))).value as number)
      figures[at * 2 + 1]!.push(await skeleton.run(code.replace('ECHO', 'echo')) as number)
    }
  }
  const [calls, bareCalls, parallel, bareParallel] = figures.map(median) as [number, number, number, number]
  rows.push(['one call and its answer, of 1,000 in a row', calls, times(calls, bareCalls)])
  rows.push(['1,000 calls in parallel', parallel, times(parallel, bareParallel)])
  await skeleton.end()
  await graph.dispose()
  return { one, twenty: cell, calls }
}

async function startRows(rows: Row[]): Promise<number> {
  const graph = await boot()
  const once = async (i: number) => { const session = await graph.kernel.open(`cold ${i}`); ok(await session.run('1+1')); await session.close() }
  const [cold, bare] = await measurePair(7, once, async () => { const skeleton = await startSkeleton(); await skeleton.run('1+1'); await skeleton.end() })
  rows.push(['kernel start to first result, cold', cold, times(cold, bare)])
  await graph.dispose()
  const spare = await boot({ kernel: { spareHelper: true } })
  const first = await spare.kernel.open('first')
  ok(await first.run('1'))
  const warm: number[] = []
  for (let i = 0; i < 7; i += 1) {
    const session = await spare.kernel.open(`warm ${i}`)
    await new Promise((resolve) => { setTimeout(resolve, 1_000) })   // the spare comes up
    const begun = performance.now()
    ok(await session.run('1+1'))
    warm.push(performance.now() - begun)
    await session.close()
  }
  rows.push(['the same with the spare helper', median(warm), ''])
  await spare.dispose()
  return cold
}

async function diskRows(rows: Row[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ptc-bench-'))
  const [memory, disk] = [await boot(), await boot({ dir: folder })]
  owner(disk)
  const [kept, synced] = [await memory.kernel.open('memory'), await disk.kernel.open('disk')]
  for (let i = 0; i < 50; i += 1) { ok(await kept.run(twenty(i))); ok(await synced.run(twenty(i))) }
  const [onDisk, inMemory] = await measurePair(300, (i) => synced.run(twenty(100 + i)), (i) => kept.run(twenty(100 + i)))
  rows.push(['20-line cell, journal on disk, synced', onDisk, `${(onDisk - inMemory).toFixed(3)} ms more than in memory`])
  const recovery = async (session: ReplSession, cells: number, source: (i: number) => string) => {
    for (let i = 0; i < cells; i += 1) ok(await session.run(source(i)))
    return await measure(5, async () => { await session.reset(); await session.recover() })
  }
  const empty = await recovery(await disk.kernel.open('empty'), 1, () => '1')
  const small = await recovery(await disk.kernel.open('small'), 1_000, (i) => `const v${i} = ${i}`)
  rows.push(['recovery of 1,000 small cells', small, `${(small - empty).toFixed(0)} ms beyond the start of an empty kernel`])
  const calls = await recovery(await disk.kernel.open('calls'), 100, (i) => `const v${i} = await bench.echo(${i})`)
  rows.push(['recovery of 100 cells with a call each', calls, `${(calls - empty).toFixed(0)} ms beyond the start of an empty kernel`])
  await memory.dispose()
  await disk.dispose()
  rmSync(folder, { recursive: true, force: true })
}

async function valueRows(rows: Row[]): Promise<void> {
  const graph = await boot()
  const session = await graph.kernel.open('values')
  ok(await session.run("const text = 'x'.repeat(16 * 2 ** 20); const tree = Array.from({ length: 90_000 }, (_, i) => [i, 'y'.repeat(150)]); 0"))
  for (const [name, value] of [['one text of 16 MB', 'x'.repeat(16 * 2 ** 20)], ['90,000 rows, 14 MB', Array.from({ length: 90_000 }, (_, i) => [i, 'y'.repeat(150)])]] as const) {
    const cell = typeof value === 'string' ? 'text' : 'tree'
    const [out, json] = await measurePair(5, () => session.run(cell), () => { JSON.parse(JSON.stringify(value)) })
    rows.push([`${name} out of a cell`, out, `${(out / json).toFixed(1)} x JSON.stringify and parse`])
  }
  await graph.dispose()
}

/** Proportional set size of the helper of an idle session, megabytes; undefined where the system does not say. */
async function idleMemory(): Promise<number | undefined> {
  const graph = await boot()
  const session = await graph.kernel.open('idle')
  const pid = (await session.run('process.ppid === 0 ? 0 : process.pid')).value as number
  let size: number | undefined
  await new Promise((resolve) => { setTimeout(resolve, 1_500) })   // idle is what it has become by then
  try { size = Number(/^Pss:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024 } catch { size = undefined }
  await graph.dispose()
  return size
}

export async function kernelRows(rows: Row[]): Promise<Warm & { readonly start: number, readonly memory: number | undefined }> {
  const warm = await warmRows(rows)
  const start = await startRows(rows)
  await diskRows(rows)
  await valueRows(rows)
  return { ...warm, start, memory: await idleMemory() }
}

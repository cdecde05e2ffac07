// `npm run soak`: many cells in one session, then many short sessions beside few live kernels. Fails when a cell errs, or when the
// host's memory or descriptors grow after the first tenth. docs/reference/soak.md says how to read it. `--part 0.1` runs a tenth.
import { boot, type Graph } from '../harness/graph.ts'
import { children, descriptors } from '../harness/processes.ts'
import { temporaryFolder } from '../harness/sessions.ts'

const MAX_LIVE = 8
const MAX_GROWTH = 1.05
const SAMPLES = 20

const given = process.argv.indexOf('--part')
const part = given < 0 ? 1 : Number(process.argv[given + 1])
if (!(part > 0 && part <= 1)) throw new RangeError('--part is a number above 0 and at most 1')
if (globalThis.gc === undefined) throw new Error('start with --expose-gc, as `npm run soak` does: growth is measured after collections')
const collect = globalThis.gc

interface Sample { readonly at: number, readonly heapMb: number, readonly rssMb: number, readonly descriptors: number, readonly children: number }

/** What is left after everything that nobody needs has been given back. */
async function sample(at: number): Promise<Sample> {
  for (let times = 0; times < 3; times += 1) { await new Promise((resolve) => { setImmediate(resolve) }); collect() }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { at, heapMb: (heapUsed + external) / 1e6, rssMb: rss / 1e6, descriptors: descriptors(), children: children().length }
}

/** Runs `total` steps; answers samples from the first tenth on. */
async function measure(what: string, total: number, step: (index: number) => Promise<void>): Promise<string[]> {
  const first = Math.max(Math.ceil(total / 10), MAX_LIVE + 2)     // as many kernels live as there ever are
  const every = Math.max(1, Math.floor(total / SAMPLES))
  const samples: Sample[] = []
  const started = performance.now()
  for (let index = 0; index < total; index += 1) {
    await step(index)
    if (index + 1 === first || (index + 1 > first && (index + 1) % every === 0) || index + 1 === total) samples.push(await sample(index + 1))
  }
  const base = samples[0]!
  const last = samples.at(-1)!
  const growth = last.heapMb / base.heapMb
  const line = (s: Sample) => `${s.heapMb.toFixed(1)} MB heap, ${s.rssMb.toFixed(0)} MB resident, ${s.descriptors} descriptors, ${s.children} children`
  console.log(`${what}: ${total} in ${((performance.now() - started) / 1000).toFixed(0)} s\n  after ${base.at}: ${line(base)}\n  after ${last.at}: ${line(last)} (heap ${((growth - 1) * 100).toFixed(1)} %)`)
  const problems: string[] = []
  if (growth > MAX_GROWTH) problems.push(`${what}: the heap grew by ${((growth - 1) * 100).toFixed(1)} %`)
  if (last.descriptors > base.descriptors) problems.push(`${what}: descriptors grew from ${base.descriptors} to ${last.descriptors}`)
  return problems
}

const CELLS: readonly ((i: number) => string)[] = [
  (i) => `let n = ${i}; n + 1`,
  (i) => `interface Row { id: number }\nfunction rows(count: number): Row[] { return Array.from({ length: count }, (_, id) => ({ id })) }\nrows(${i % 50}).length`,
  (i) => `await notes.echo({ i: ${i}, text: 'x'.repeat(100) })`,
  () => 'console.log(Date.now(), Math.random())',
  () => 'await new Promise((r) => setTimeout(r, 1)); n',
]

const folder = temporaryFolder()
const graph: Graph = await boot({ dir: folder.path, kernel: { spareHelper: true, maxLiveKernels: MAX_LIVE } })
graph.ctx.capabilityPlan.register('notes', { echo: { replay: 'recorded-value', call: (args) => args } })
const problems: string[] = []

async function run(id: string, source: string): Promise<void> {
  const { error, status } = await (await graph.kernel.open(id)).run(source)
  if (error !== undefined || status !== 'durable') throw new Error(`${id}: ${status}, ${error?.kind ?? 'no error'}: ${error?.message ?? source}`)
}

try {
  await run('one', 'let n = 0')
  problems.push(...await measure('cells in one session', Math.round(10_000 * part), (i) => run('one', CELLS[i % CELLS.length]!(i))))
  await (await graph.kernel.open('one')).close()
  problems.push(...await measure('sessions of 20 cells', Math.max(20, Math.round(500 * part)), async (s) => {
    const id = `many ${s}`
    await run(id, 'let n = 0')
    for (let i = 1; i < 20; i += 1) await run(id, CELLS[i % CELLS.length]!(i))
    const live = graph.kernel.sessions().filter(({ state }) => state !== 'cold').length
    if (live > MAX_LIVE) throw new Error(`${live} kernels are live`)
    // A host that keeps every session open keeps what it knows of each; it closes those that it is done with.
    if (s >= MAX_LIVE) await (await graph.kernel.open(`many ${s - MAX_LIVE}`)).close()
  }))
} finally {
  await graph.dispose()
  folder.remove()
}
if (children().length > 0) problems.push(`${children().length} processes are left`)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1

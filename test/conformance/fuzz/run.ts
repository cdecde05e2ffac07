// `node test/conformance/fuzz/run.ts --engine realm|kernel --programs N --seed S [--from I] [--seconds T] [--print] [--whole]`: the fuzzer by hand.
// Exit code 1 when a session and the reference differ.
import { parseArgs } from 'node:util'
import { KernelEngine, RealmEngine } from './engines.ts'
import { Comparison, seedOf } from './fuzz.ts'
import { cellsOf, finalOf, generate } from './program.ts'
import { report } from './report.ts'
import { shrink } from './shrink.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'realm' }, programs: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' }, seconds: { type: 'string' }, print: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false }, differences: { type: 'string', default: '10' },
  },
})
const [programs, seed, from, most] = [Number(values.programs), Number(values.seed), Number(values.from), Number(values.differences)]
const until = values.seconds === undefined ? Infinity : performance.now() + Number(values.seconds) * 1_000
process.on('unhandledRejection', (reason) => { console.error('a promise nobody waited for:', reason) })

const comparison = new Comparison(values.engine === 'kernel' ? new KernelEngine() : new RealmEngine())
const started = performance.now()
let found = 0
for (let index = from; index < from + programs && performance.now() < until && found < most; index += 1) {
  if (values.print) {
    const program = generate(seedOf(seed, index), `_${index % 1_000}`)
    console.log(`// seed ${seed}, program ${index}\n${cellsOf(program).join('\n// ---- next cell\n')}\n// ---- probes\n${finalOf(program)}\n`)
  }
  const difference = await comparison.run(seed, index)
  if (difference === undefined) continue
  found += 1
  const title = `seed ${seed}, program ${index} (--seed ${seed} --from ${index} --programs 1)`
  if (values.whole) console.log(report(title, difference))
  // A session of the kernel costs as much as hundreds of realms.
  console.log(report(title, await shrink(difference, comparison, values.engine === 'kernel' ? 60 : 600)))
}
const seconds = (performance.now() - started) / 1_000
const { counts } = comparison
console.log(`${counts.programs} programs in ${counts.cells} cells on the ${values.engine} engine, seed ${seed}: ${found} differences; `
  + `${counts.threw} threw, ${counts.invalid} were no programs; ${Math.round(counts.programs / seconds)} programs a second`)
await comparison.engine.close()
process.exitCode = found > 0 ? 1 : 0

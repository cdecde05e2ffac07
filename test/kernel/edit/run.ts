// Compares many random edits with the reference: `node test/kernel/edit/run.ts [COUNT] [FIRST SEED]`. The suite runs a few hundred.
import { checkCase } from './reference.ts'

const [count = 100_000, first = 1] = process.argv.slice(2).map(Number)
let accepted = 0
for (let seed = first; seed < first + count; seed += 1) {
  const { accepted: isAccepted, problem } = checkCase(seed)
  if (isAccepted) accepted += 1
  if (problem !== undefined) {
    console.error(problem)
    process.exitCode = 1
    break
  }
}
console.log(`${count} edits, of which ${accepted} are accepted`)

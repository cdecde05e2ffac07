// `npm run bench`: what a user waits for, as medians of one run. docs/reference/bench.md says how to read it. Not a test:
// machines differ, so nothing here passes or fails.
import { capabilityRows } from './capabilities.ts'
import { twenty } from './cell.ts'
import { journalRows } from './journal.ts'
import { kernelRows } from './kernel.ts'
import { languageRows } from './language.ts'
import type { Row } from './measure.ts'
import { measurePeers } from './peers/index.ts'

const short = (ms: number) => ms < 10 ? ms.toFixed(3) : ms.toFixed(1)

const rows: Row[] = []
const ours = await kernelRows(rows)
rows.push(...await journalRows())
rows.push(...await languageRows(twenty))
rows.push(...await capabilityRows())

console.log(`Node ${process.version}, ${process.platform} ${process.arch}\n`)
console.log('| what | median, ms | beside it |\n|---|---:|---|')
for (const [what, ms, compared] of rows) console.log(`| ${what} | ${short(ms)} | ${compared} |`)
if (ours.memory !== undefined) console.log(`\nAn idle session takes ${ours.memory.toFixed(0)} MB (PSS) beyond the host.`)

const beside = (ms: number, own: number) => `${short(ms)} (${(own / ms).toFixed(own / ms < 10 ? 1 : 0)})`
console.log('\n| session | start to first result | `1+1` | 20-line TypeScript cell | one host call |\n|---|---:|---:|---:|---:|')
console.log(`| PTC Plus | ${short(ours.start)} | ${short(ours.one)} | ${short(ours.twenty)} | ${short(ours.calls)} |`)
for (const { name, start, measured, missing } of await measurePeers()) {
  if (measured === undefined || start === undefined) { console.log(`| ${name} | ${missing} | | | |`); continue }
  const { one, twenty: cell, calls } = measured
  console.log(`| ${name} | ${beside(start, ours.start)} | ${beside(one, ours.one)} | ${beside(cell, ours.twenty)} | ${calls === undefined ? 'none' : beside(calls, ours.calls)} |`)
}
console.log('\nMilliseconds, medians; in parentheses how many times as long ours takes. Install the packages with `npm ci --prefix test/bench`.')

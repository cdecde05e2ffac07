// Kills the app and its helpers at random moments under a random workload, and checks after every kill that nothing confirmed
// is gone, nothing is called twice and no call is passed over in silence. Run by `npm run kills`; the moments come from a
// seed, which is printed, so a failing run can be approached again (a moment is a number of turns of the loop, not exact).
//
//   node test/journal/kill.ts [--kills 500] [--seed 20261201]
//
// What a call did is read from the notes' own file, never from the journal: that is the ledger.
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { HistoryEntry } from '../../plugins/journal/types.ts'
import { FileSource } from '../../plugins/journal/file-store.ts'
import { Batch, type Answer } from '../harness/batch.ts'
import { Random } from '../harness/random.ts'
import { temporaryFolder } from '../harness/sessions.ts'

const { values: flags } = parseArgs({ options: { kills: { type: 'string', default: '500' }, seed: { type: 'string', default: '20261201' } } })
const KILLS = Number(flags.kills)
const KILLS_A_SESSION = 25
const PROGRESS_EVERY = 50

const random = new Random(Number(flags.seed))
const upTo = (most: number) => Math.floor(random.next() * (most + 1))
const turn = () => new Promise((resolve) => { setImmediate(resolve) })
const turns = async (count: number) => { for (let i = 0; i < count; i += 1) await turn() }
const pause = (ms: number) => new Promise((resolve) => { setTimeout(resolve, ms) })

const folder = temporaryFolder()
const home = join(folder.path, 'home')
const ledgerFile = join(folder.path, 'notes.ndjson')
mkdirSync(home)
const source = new FileSource({ dir: join(home, 'sessions') })
const count = { app: 0, helper: 0, cells: 0, confirmed: 0, unconfirmed: 0, kept: 0, inDoubt: 0, silent: 0 }
const faults: string[] = []

/** Texts of the calls that took effect. */
const ledger = (): string[] => existsSync(ledgerFile)
  ? readFileSync(ledgerFile, 'utf8').split('\n').filter(Boolean).map((line) => (JSON.parse(line) as { text: string }).text)
  : []

const fail = (what: string) => { faults.push(what); console.error(`FAULT ${what}`) }

/** One cell of the workload, which answers the steps that the session remembers. `calls` are the texts that it may send. */
function workload(id: string, step: number): string {
  const add = (call: number) => `notes.add({ text: '${id} step ${step} call ${call};' })`
  const slow = (call: number) => `slow.add({ text: '${id} step ${step} call ${call};', ms: ${upTo(30)} })`
  const sleep = `new Promise(r => setTimeout(r, ${upTo(6)}))`
  const bodies = [
    '', `await ${sleep};`, `await ${add(0)};`, `await ${add(0)}; await ${sleep}; await ${add(1)};`,
    `await Promise.all([${add(0)}, ${sleep}, ${add(1)}, ${add(2)}]);`,
    `for (let i = 0; i < 3; i++) { await notes.add({ text: \`${id} step ${step} call \${i};\` }); await ${sleep} }`,
    `const text${step} = await files.read({ path: 'cordis.yml' }); await ${add(0)};`,
    `await Promise.race([${add(0)}, ${sleep}]); await ${sleep};`,
    `await ${slow(0)};`, `await Promise.all([${slow(0)}, ${slow(1)}, ${add(2)}, ${slow(3)}]);`, `await ${add(0)}; await ${slow(1)}; await ${sleep};`,
    `await Promise.allSettled([${slow(0)}, notes.add({ wrong: 2 }), ${slow(1)}]);`,
    `const blob${step} = 'x'.repeat(${upTo(200_000)});`,
    `try { await notes.add({ wrong: 1 }) } catch {} await ${add(0)};`,
  ]
  return `var steps; steps ??= []; ${bodies[upTo(bodies.length - 1)]} steps.push(${step}); steps.slice()`
}

/** One session of the workload, over several apps. */
class Run {
  readonly id: string
  private batch: Batch
  private step = 0
  private readonly confirmed = new Set<number>()
  private readonly sent = new Set<number>()
  /** Texts that were spoken of in a `PTC-R003`, and those whose cell itself was answered. */
  private readonly reported = new Set<string>()
  private readonly answered = new Set<number>()
  private lostToReport = false

  constructor(id: string) { this.id = id; this.batch = this.start() }

  private start(): Batch {
    return new Batch(['--home', home, '--session', this.id, '--with', 'docs/examples/notes/notes.ts', '--with', 'test/harness/slow-notes.ts'], { PTC_NOTES_FILE: ledgerFile })
  }

  private get size(): number { return statSync(join(home, 'sessions', `${this.id}.ndjson`), { throwIfNoEntry: false })?.size ?? 0 }

  private send(): number {
    const step = this.step += 1
    this.sent.add(step)
    count.cells += 1
    this.batch.send({ source: workload(this.id, step) })
    return step
  }

  /** Waits for the answer to `step` and holds it against all that was confirmed before. */
  private async take(step: number): Promise<Answer> {
    const answer = await this.batch.next()
    if (answer === undefined) throw new Error(`the app ended by itself: ${this.batch.stderr}`)
    for (const { code, message } of answer.diagnostics ?? []) {
      if (code !== 'PTC-R003') continue
      count.inDoubt += 1
      this.reported.add(/s\d+ step \d+ call \d+;/u.exec(message)?.[0] ?? message)
    }
    this.answered.add(step)
    if (answer.status === 'durable' && answer.error === undefined) {
      this.compare(answer.value as number[], step)
      this.confirmed.add(step)
      count.confirmed += 1
    } else if (answer.error?.kind !== 'worker-exit') {
      fail(`${this.id} step ${step}: ${answer.status} ${JSON.stringify(answer.error)}`)
    }
    if (this.lostToReport && answer.status === 'durable' && !(answer.diagnostics ?? []).some(({ code }) => code === 'PTC-R002')) {
      fail(`${this.id} step ${step}: a lost cell was not reported`)
    }
    if (answer.status === 'durable') this.lostToReport = false
    return answer
  }

  private compare(remembered: readonly number[], step: number): void {
    const known = new Set(remembered)
    for (const one of this.confirmed) if (!known.has(one)) { fail(`${this.id} step ${step}: confirmed step ${one} is lost`); this.confirmed.delete(one) }
    for (const one of remembered) if (!this.sent.has(one)) fail(`${this.id} step ${step}: step ${one} was never sent`)
    if (known.size !== remembered.length) fail(`${this.id} step ${step}: a step ran twice`)
    // What was in flight when the app was killed and turned out to be on disk counts from now on.
    for (const one of remembered) if (!this.confirmed.has(one) && one !== step) { this.confirmed.add(one); count.kept += 1 }
  }

  /** A few cells that run in peace. */
  async peace(): Promise<void> { for (let cells = 1 + upTo(2); cells > 0; cells -= 1) await this.take(this.send()) }

  /** SIGKILLs a helper while a cell runs. A recovery that is interrupted so is another test's business. */
  async killHelper(): Promise<void> {
    const before = this.size
    const step = this.send()
    for (const limit = performance.now() + 60_000; this.size === before;) { if (performance.now() > limit) throw new Error('nothing is written'); await turn() }
    await turns(upTo(40) * upTo(40))
    const helpers = childrenOf(this.batch.child.pid!)
    const victim = random.next() < 0.85 ? helpers[0] : helpers[upTo(helpers.length - 1)]
    if (victim !== undefined) { try { process.kill(victim, 'SIGKILL'); count.helper += 1 } catch { /* it has ended by itself */ } }
    const answer = await this.take(step)
    if (answer.status !== 'discarded') return
    count.unconfirmed += 1
    this.lostToReport = (await this.entries()).some((entry) => entry.kind === 'cell-settled' && entry.record.volatileReason !== undefined
      && entry.record.status === 'discarded' && entry === this.newest)
  }
  private newest: HistoryEntry | undefined

  /** SIGKILLs the app: while it boots, recovers, runs a cell, or is idle. */
  async killApp(): Promise<void> {
    this.send()
    const wait = random.next()
    if (wait < 0.25) await pause(upTo(400))     // the app recovers, or is idle
    else await turns(upTo(60) * upTo(60))
    await this.batch.kill()
    count.app += 1
    count.unconfirmed += 1
    await this.audit()
    this.batch = this.start()
    const doubtful = await this.inDoubt()
    const { reported } = this
    await this.take(this.send())
    for (const text of doubtful) if (!reported.has(text)) { count.silent += 1; fail(`${this.id}: the call "${text}" is in doubt and was not reported`) }
  }

  async end(): Promise<void> { await this.take(this.send()); await this.batch.end(); await this.audit() }

  private async entries(): Promise<HistoryEntry[]> {
    const entries: HistoryEntry[] = []
    for await (const entry of source.read(this.id)) entries.push(entry)
    this.newest = entries.at(-1)
    return entries
  }

  /** Texts of calls that the history has as opened, without an answer, in a cell that never settled and is the last one. */
  private async inDoubt(): Promise<string[]> {
    const open = new Map<string, string>()
    for (const entry of await this.entries()) {
      if (entry.kind === 'cell-opened') this.lostToReport = true
      if (entry.kind === 'cell-settled') { open.clear(); this.lostToReport = entry.record.status === 'discarded' && entry.record.volatileReason !== undefined }
      else if (entry.kind === 'call-opened') open.set(`${entry.cell}.${entry.call}`, textOf(entry))
      else if (entry.kind === 'call-settled') open.delete(`${entry.cell}.${entry.call}`)
    }
    return [...open.values()].filter((text) => text !== '')
  }

  /** Every call that took effect has been opened in the history; none took effect twice. */
  private async audit(): Promise<void> {
    const texts = ledger()
    if (new Set(texts).size !== texts.length) fail(`${this.id}: a call happened twice`)
    const opened = new Set((await this.entries()).flatMap((entry) => entry.kind === 'call-opened' ? [textOf(entry)] : []))
    for (const text of texts) if (text.startsWith(`${this.id} `) && !opened.has(text)) fail(`${this.id}: the call "${text}" is not in the history`)
  }
}

const textOf = ({ args }: Extract<HistoryEntry, { kind: 'call-opened' }>) => /s\d+ step \d+ call \d+;/u.exec(JSON.stringify(args))?.[0] ?? ''

/** Oldest first: the live helper comes before the spare one. */
function childrenOf(pid: number): number[] {
  try { return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number).sort((a, b) => a - b) } catch { return [] }
}

async function main(): Promise<void> {
  const started = performance.now()
  const total = () => count.app + count.helper
  let sessions = 0
  let told = PROGRESS_EVERY
  console.log(`seed ${flags.seed}, ${KILLS} kills`)
  while (total() < KILLS) {
    const run = new Run(`s${sessions += 1}`)
    for (const until = total() + KILLS_A_SESSION; total() < Math.min(until, KILLS);) {
      if (random.next() < 0.5) await run.peace()
      if (random.next() < 0.75) await run.killHelper()
      else await run.killApp()
      if (total() >= told) { told += PROGRESS_EVERY; console.log(`${total()} kills after ${Math.round((performance.now() - started) / 1000)} s: ${JSON.stringify(count)}`) }
    }
    await run.end()
  }
  const calls = ledger().length
  console.log(`${total()} kills (${count.app} of the app, ${count.helper} of a helper) in ${Math.round((performance.now() - started) / 1000)} s over ${sessions} sessions`)
  console.log(`${count.cells} cells, ${count.confirmed} confirmed, ${count.kept} more found on disk; ${calls} calls took effect, ${count.inDoubt} reported in doubt`)
  console.log(faults.length === 0 ? 'no confirmed cell lost, no call repeated, none passed over' : `${faults.length} faults`)
}

try {
  await main()
} finally {
  await Batch.killAll()
  folder.remove()
}
process.exit(faults.length === 0 ? 0 : 1)

// `npm run test:host-cli`: the packed package in the whole host, installed by the host's own command line into a temporary home, driven
// over several processes by a scripted model. Needs the registry, and Linux. docs/reference/host.md says what it shows.
import { deepStrictEqual, ok } from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryFolder } from '../../harness/sessions.ts'
import { cell, say, startModel, type Model, type ModelRequest } from '../model.ts'
import { pack } from '../pack.ts'
import { installHost, type Installed } from './install.ts'
import { startWeb, until, type Web } from './web.ts'

const PROFILES = ['headless', 'web'] as const
/** Milliseconds after which a run has failed, whatever it waits for. */
const LIMIT = 600_000

const began = performance.now()
/** What was checked last. */
let at = ''
const report = (what: string) => { console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${what}`) }
const check = (what: string, actual: unknown, expected: unknown) => {
  at = what
  deepStrictEqual(actual, expected)
  report(`ok: ${what}`)
}

const done = say('All done.')
/** A cell that calls a real tool of the host, which leaves a line each time. */
const noting = (word: string, rest: string) =>
  cell(`await tools.bash({ command: 'echo ${word} >> notes.txt', description: 'Note ${word}' }); ${rest}`)
const notesIn = ({ workspace }: Installed) => existsSync(join(workspace, 'notes.txt')) ? readFileSync(join(workspace, 'notes.txt'), 'utf8').trim().split('\n') : []
/** What stands before a conversation: system prompt and tools. */
const prefixOf = ({ messages, tools }: ModelRequest) => JSON.stringify([messages.filter(({ role }) => role === 'system'), tools])
const resultsIn = ({ messages }: ModelRequest) => messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
const stepsOf = ({ requests }: Model) => requests.filter(({ tools }) => tools !== undefined)

/** One task in a process of its own; the requests that it made. */
async function task(host: Installed, model: Model, ...script: Parameters<typeof model.script.push>): Promise<ModelRequest[]> {
  const before = stepsOf(model).length
  model.script.push(...script)
  const printed = await host.run(['--profile', 'headless', 'Go on.'], { DEEPSEEK_BASE_URL: model.baseURL })
  check('the task\'s answer', printed.trim(), 'All done.')
  return stepsOf(model).slice(before)
}

/** What a profile is made of, before and after: the composed rows, and the files that say which there are. */
async function compositionOf(host: Installed, profile: string): Promise<object> {
  const folder = join(host.home, 'profiles', profile)
  const rows = (await host.run(['--profile', profile, '--dump-config'])).split('\n')
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  // A package manager leaves an empty list of dependencies away.
  const manifest = { dependencies: {}, ...JSON.parse(read('package.json')) as object }
  return { rows, manifest, entries: read('cordis.yml'), patches: read('cordis.patch.yml') }
}

async function headless(host: Installed, model: Model): Promise<void> {
  const requests = await task(host, model, noting('headless', 'var kept = 40'), cell('enum E { Two = 2 }; return kept + E.Two'), done)
  check('headless: cells keep their names', resultsIn(requests.at(-1)!).at(-1), '42')
  ok(prefixOf(requests[0]!).includes('## The session behind run_code'), 'headless: the model is told of cells')
}

/** Turns of one session in three processes, of which the first is killed in the middle of a cell. */
async function web(host: Installed, model: Model): Promise<void> {
  const using = async <T>(use: (app: Web) => Promise<T>, stop: 'stop' | 'kill'): Promise<T> => {
    const app = await startWeb(host, model.baseURL)
    try { return await use(app) } finally { await app[stop]() }
  }
  const turn = async (app: Web, session: string, ...script: Parameters<typeof model.script.push>) => {
    model.script.push(...script, done)
    return (await app.ask(session)).at(-1)
  }
  const session = await using(async (app) => {
    const [ofTask] = await app.sessions()
    check('web: the session of the task goes on', await turn(app, ofTask!, cell('return [kept, E.Two].join()')), '40,2')
    const created = await app.create()
    check('web, turn 1', await turn(app, created, noting('one', 'let count = 1; const plus = (n: number) => count += n; count')), '1')
    check('web, turn 2', await turn(app, created, noting('two', 'plus(4)')), '5')
    model.script.push(noting('three', 'plus(100); await new Promise(() => { setInterval(() => {}, 1000) })'))
    await app.prompt(created)
    await until('the call of the third turn', () => notesIn(host).includes('three') || undefined)
    return created
  }, 'kill')
  report('the web app was killed in turn 3')
  await using(async (app) => {
    check('web, turn 4, in another process', (await turn(app, session, cell('return [count, plus(1)].join()')))?.split('\n').at(-1), '5,6')
  }, 'stop')
  report('the web app was stopped')
  await using(async (app) => {
    check('web, turn 5, in a third process', await turn(app, session, noting('five', 'plus(10)')), '16')
  }, 'stop')
  check('tools were called once each', notesIn(host), ['headless', 'one', 'two', 'three', 'five'])
}

async function run(folder: string, model: Model): Promise<void> {
  model.answer = ({ tools }) => tools === undefined ? say('A title') : undefined
  const tarball = pack(folder)
  report(`packed ${tarball.slice(folder.length + 1)}`)
  const host = installHost(folder)
  report(`installed the host ${host.version}`)
  try {
    const [own] = await task(host, model, cell('var kept = 1'), cell('return typeof kept'), done)
    check('the host alone keeps nothing', resultsIn(stepsOf(model).at(-1)!).at(-1), 'undefined')
    const before = new Map<string, object>()
    for (const profile of PROFILES) {
      before.set(profile, await compositionOf(host, profile))
      await host.run(['plugin', '--profile', profile, 'add', tarball])
      report(`added to the profile ${profile}`)
    }
    await headless(host, model)
    await web(host, model)
    for (const profile of PROFILES) {
      await host.run(['plugin', '--profile', profile, 'remove', 'dsh-ptc-plus'])
      check(`removed from the profile ${profile}: its composition and files are as before`, await compositionOf(host, profile), before.get(profile))
      ok(!existsSync(join(host.home, 'profiles', profile, 'node_modules', 'dsh-ptc-plus')), 'the package is gone')
    }
    const [again] = await task(host, model, cell('var kept = 1'), cell('return typeof kept'), done)
    check('the model reads what it read before', prefixOf(again!), prefixOf(own!))
    check('the host alone keeps nothing again', resultsIn(stepsOf(model).at(-1)!).at(-1), 'undefined')
    // A helper ends itself when its host is gone, a moment later.
    for (let waited = 0; host.processes().length > 0 && waited < 5000; waited += 50) await pause(50)
    check('processes that are left', host.processes(), [])
  } finally {
    for (const pid of host.processes()) process.kill(pid, 'SIGKILL')
  }
}

const model = await startModel()
const folder = temporaryFolder()
const watchdog = setTimeout(() => { console.error(`not within ${LIMIT} ms`); folder.remove(); process.exit(1) }, LIMIT)
try {
  await run(folder.path, model)
  report('the package works in the whole host')
} catch (error) {
  console.error(`failed at or after: ${at}`)
  console.error(error)
  process.exitCode = 1
} finally {
  clearTimeout(watchdog)
  await model.close()
  folder.remove()
}

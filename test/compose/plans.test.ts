// What a session of `ptc` may call, from one process to the next: after an orderly end, after SIGKILL, and over a damaged document.
import { expect } from 'chai'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../harness/sessions.ts'
import { linesOf, ptc, requests, start } from './ptc.ts'

const NOTES = fileURLToPath(new URL('../../docs/examples/notes/notes.ts', import.meta.url))
const LATER = "export const name = 'later'\nexport const inject = ['capabilityPlan']\nexport const apply = (ctx) => { ctx.capabilityPlan.register('later', { come: { replay: 'recorded-value', call: () => 1 } }) }\n"

describe('plans of ptc from process to process', function () {
  this.timeout(60_000)
  let home: ReturnType<typeof temporaryFolder>
  beforeEach(() => { home = temporaryFolder() })
  afterEach(() => home.remove())

  const flags = () => ['--home', home.path, '--with', NOTES]
  const shell = (lines: string, ...more: string[]) => ptc([...flags(), ...more], lines, { cwd: home.path })
  const stored = () => join(home.path, 'sessions', 'default.capability-environment.json')

  it('/tools, /close and /open show the same after a restart', async () => {
    const first = await shell('1\n/close notes.add\n/close files\n/close mcp\n/open files\n/close repl\n/tools\n')
    expect(first.stderr).to.match(/^mcp names nothing that this session can call/)
    const tools = first.stdout.slice(first.stdout.indexOf('code.run'))
    expect(tools).to.match(/\nnotes\.list {2}/).and.match(/\nclosed in this session: notes\.add, repl\n$/).and.not.include('\nnotes.add ')
    const second = await shell('/tools\n[typeof repl, typeof notes.add, typeof notes.list]\n/close notes.add\n/open notes.add\n/tools notes\n')
    expect(second.stdout).to.equal(`${tools}[ 'undefined', 'undefined', 'function' ]\nnotes.add is closed already.\nnotes.add is open again.\n`
      + 'notes.add   Keeps a note and answers it with its number.\nnotes.list  Answers all notes, oldest first.\n')
    expect(second.stderr).to.equal('')
    expect((await shell('/open notes.add\n')).stderr).to.equal('notes.add is not closed; closed are repl\n')
  })

  it('R3 cells that noticed a closure are brought back, as often as it is closed and opened, and their history is proven', async () => {
    const first = await shell('var keys = Object.keys(notes).join(); keys\n/close notes.add\n'
      + 'var caught; try { await notes.add({}) } catch (error) { caught = error instanceof TypeError && error.message } caught\n'
      + '/close notes\nvar none = typeof notes; none\n/open notes\n/open notes.add\nvar again = Object.keys(notes).length; again\n/close notes\n')
    expect(first.stderr).to.equal('')
    const second = await shell('[keys, caught, none, again, typeof notes].join(" | ")\n')
    expect([second.stdout, second.stderr]).to.deep.equal(["'add,list | notes.add is not a function | undefined | 2 | undefined'\n", ''])
    const without = await ptc(['--home', home.path], 'keys + caught\n', { cwd: home.path })
    expect([without.stdout, without.stderr], 'by an app that has none of it').to.deep.equal(["'add,listnotes.add is not a function'\n", ''])
    const verified = await ptc(['journal', 'default', '--verify', '--home', home.path], '', { cwd: home.path })
    expect([verified.status, verified.stderr], verified.stdout).to.deep.equal([0, ''])
  })

  it('R3 a session that began without a plan sees more from one process to the next, and what it saw comes back', async () => {
    writeFileSync(join(home.path, 'later.mjs'), LATER)
    await shell('var had = typeof later; had\n')
    const second = await shell('[had, typeof later].join()\n', '--with', join(home.path, 'later.mjs'))
    expect([second.stdout, second.stderr]).to.deep.equal(["'undefined,object'\n", ''])
    expect((await shell('had\n')).stderr).to.equal('')
  })

  it('D1 a closure survives SIGKILL as soon as it is said', async () => {
    const { child, ended } = start(flags(), { cwd: home.path })
    child.stdin!.write('/close notes\n')
    await new Promise<void>((resolve) => { child.stdout!.on('data', (chunk) => { if (String(chunk).includes('\n')) resolve() }) })
    child.kill('SIGKILL')
    const killed = await ended
    expect(killed.signal).to.equal('SIGKILL')
    expect(killed.stdout).to.match(/^notes is closed in this session: 2 members less\./)
    expect((await shell('typeof notes\n')).stdout).to.equal("'undefined'\n")
    expect(linesOf((await ptc(['batch', ...flags()], requests('typeof notes', { control: 'restart' }, 'typeof notes'), { cwd: home.path })).stdout)
      .map(({ value }) => value), 'also for a program at the pipe, and across a restart of the graph').to.deep.equal(['undefined', undefined, 'undefined'])
  })

  it('D2 what a session is offered is what it began with, until /refresh', async () => {
    writeFileSync(join(home.path, 'later.mjs'), LATER)
    await shell('1\n/close files\n')
    const later = ['--with', join(home.path, 'later.mjs')]
    const { stdout } = await shell('typeof later\n/find later\n/refresh\ntypeof later\n/tools files\n', ...later)
    expect(stdout).to.equal("'undefined'\nNo name or description matches. That is no proof that there is no such tool; /tools lists all.\n"
      + "What the session may call is composed anew: 1 more (later.come).\n'object'\n")
    expect((await shell('[typeof later, typeof files]\n', ...later)).stdout).to.equal("[ 'object', 'undefined' ]\n")
  })

  it('a damaged document is kept aside and said, and the session opens', async () => {
    await shell('let n = 20\n/close notes\n')
    writeFileSync(stored(), readFileSync(stored(), 'utf8').slice(0, 50))
    const { status, stdout, stderr } = await shell('n + 1\ntypeof notes\n')
    expect([status, stdout]).to.deep.equal([0, "21\n'object'\n"])
    expect(stderr).to.match(/^\[repl-kernel\] warn: session default: what the session may call was composed anew, and what was closed in it may be open: .*; the document is kept as default\.capability-environment\.json\.damaged\nwarning\[PTC-P001\]: what the session/)
    expect(readFileSync(`${stored()}.damaged`, 'utf8')).to.have.length(50)
    expect((await shell('n\n')).stderr, 'said once').to.equal('')
    expect((await ptc(['sessions', '--json', '--home', home.path])).stdout.trim().split('\n'), 'documents are no sessions').to.have.length(1)
  })

  it('--memory keeps nothing', async () => {
    await shell('/close notes\n', '--memory')
    expect(readdirSync(home.path)).to.deep.equal([])
  })
})

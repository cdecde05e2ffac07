// The other commands of `ptc` in child processes.
import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../harness/sessions.ts'
import { bin, linesOf, ptc, requests, start } from './ptc.ts'

describe('the commands of ptc, as child processes', function () {
  this.timeout(60_000)
  let home: ReturnType<typeof temporaryFolder>
  beforeEach(() => { home = temporaryFolder() })
  afterEach(() => home.remove())

  const run = (args: string, stdin = '', env: NodeJS.ProcessEnv = {}) => ptc([...args.split(' ').filter(word => word !== ''), '--home', home.path], stdin, { cwd: home.path, env })
  const write = (name: string, text: string) => writeFileSync(join(home.path, name), text)

  describe('run', () => {
    it('runs each file as one cell of one session', async () => {
      write('a.ts', 'type N = number\nlet n: N = 20\nconsole.log("a")\n')
      write('b.ts', 'console.error("b")\n;({ n: n + 1 })\n')
      const { status, stdout, stderr } = await run('run a.ts b.ts')
      expect([status, stdout, stderr]).to.deep.equal([0, 'a\n{ n: 21 }\n', 'b\n'])
    })

    it('stops at the first cell that fails and shows where', async () => {
      write('a.ts', 'let a = 1\n  missing\n')
      write('b.ts', 'console.log("not reached")')
      const { status, stdout, stderr } = await run('run a.ts b.ts')
      expect([status, stdout]).to.deep.equal([1, ''])
      expect(stderr).to.match(/^error\[PTC-X001\]: ReferenceError: missing is not defined\n --> current:2:3\n2 \|   missing\n {2}\|   \^/)
    })

    it('prints results as JSON lines with --json, failures included', async () => {
      write('a.ts', 'console.log("x"); 1')
      write('b.ts', 'throw new RangeError("no")')
      const { status, stdout, stderr } = await run('run --json a.ts b.ts')
      expect(status).to.equal(1)
      expect(stderr).to.equal('')
      const [first, second] = linesOf(stdout)
      expect([first?.value, first?.logs?.[0]?.text, second?.error?.name]).to.deep.equal([1, 'x', 'RangeError'])
    })

    it('runs nothing when a file can not be read', async () => {
      write('a.ts', 'console.log("a")')
      const { status, stdout, stderr } = await run('run a.ts missing.ts')
      expect([status, stdout]).to.deep.equal([2, ''])
      expect(stderr).to.match(/^ptc: missing\.ts can not be read: ENOENT/)
    })

    it('reads "-" from stdin', async () => expect((await run('run -', '6 *\n\n7')).stdout).to.equal('42\n'))
  })

  describe('without a command and without a terminal', () => {
    it('edits the last cell in the editor of the environment and runs it again', async () => {
      write('editor.sh', 'echo hello from the editor\nsed -i "s/= 1/= missing/; s/= 20/= 21/" "$1"\n')
      const env = { VISUAL: '', EDITOR: `sh ${join(home.path, 'editor.sh')}` }
      const { status, stdout, stderr } = await run('', '/edit\nlet a = 1; a\n/edit\nlet b = 20; b * 2\n/edit\n/edit\n', env)
      expect([status, stdout]).to.deep.equal([0, '1\n40\n42\n'])
      expect(stderr).to.match(/^no cell of this session has run yet\nhello from the editor\nerror\[PTC-X001\]: ReferenceError: missing is not defined\n --> current:1:9\n1 \| let a = missing; a\n/)
      expect(stderr.match(/hello/g)).to.have.length(3)
    })

    it('shows and closes tools', async () => {
      const { stdout, stderr } = await run('', '/close repl\ntypeof repl\n/close nobody\n/open repl\ntypeof repl\n/find checkpoints\n')
      expect(stdout).to.match(/^repl is closed in this session: 1 member less\..*\n'undefined'\nrepl is open again\.\n'object'\nrepl\.state  /)
      expect(stderr).to.match(/^nobody names nothing/)
    })

    it('reads cells like the prompt does, and prints like it, without prompts and colours', async () => {
      const { status, stdout, stderr } = await run('', 'let a = {\n  b: [1, "x"],\n}\na\nconsole.log("out")\nmissing\n// note\na.b.length\n')
      expect([status, stdout]).to.deep.equal([0, "{ b: [ 1, 'x' ] }\nout\n2\n"])
      expect(stderr).to.match(/^error\[PTC-X001\]: ReferenceError: missing is not defined\n --> current:1:1\n/).and.not.include('\x1b')
    })

    it('takes slash commands', async () => {
      const { status, stdout, stderr } = await run('', 'let alpha = 1\nfunction beta() {}\n/names\n/policy protected\nlet alpha = 2\n/policy\n/nonsense\n/reset\nalpha\n/session other\ntypeof alpha\n/exit\nconsole.log("not reached")\n')
      expect(status).to.equal(0)
      expect(stdout).to.match(/alpha +\w+\nbeta +\w+\n/).and.include('policy: protected\npolicy: protected\nThe live state is gone').and.include('\n1\nsession other, empty')
      expect(stdout).to.match(/'undefined'\n$/)
      expect(stderr).to.include('PTC-N001').and.include('unknown command /nonsense; /help lists them')
    })

    it('runs the rest when the text ends in the middle of a cell', async () => {
      const { stdout, stderr } = await run('', '1\nfunction f() {')
      expect(stdout).to.equal('1\n')
      expect(stderr).to.include('PTC-C001')
    })

    it('prints JSON lines with --json and nothing else', async () => {
      const { stdout } = await run('--json', '1 + 1\n/names\nmissing\n')
      expect(linesOf(stdout).map(line => line.value ?? line.error?.name)).to.deep.equal([2, 'ReferenceError'])
    })

    it('ends quietly when the reader has gone', async () => {
      const { child, ended } = start(['--home', home.path])
      child.stdin!.write('1\n')
      child.stdout!.once('data', () => child.stdout!.destroy())
      child.stdin!.write('await new Promise(resolve => setTimeout(resolve, 300)); 2\n3\n')
      const { status, stderr } = await ended.catch(() => ({ status: 0, stderr: '' }))
      expect([status, stderr]).to.deep.equal([0, ''])
    })
  })

  describe('sessions and journal', () => {
    beforeEach(async () => {
      await run('batch --session one', requests('let a = 1', 'import fs from "node:fs"\nfs.existsSync("/")', 'missing'))
      await run('batch --session two', requests('1'))
    })

    it('lists sessions as a table and as JSON lines', async () => {
      const { status, stdout } = await run('sessions')
      expect(status).to.equal(0)
      expect(stdout).to.match(/^SESSION +CELLS +CHANGED +SIZE\n/).and.match(/\none +3 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +[\d.]+ K?i?B\n/).and.match(/\ntwo +1 /)
      const lines = linesOf((await run('sessions --json')).stdout) as unknown as { id: string, cells: number }[]
      expect(lines.map(({ id, cells }) => [id, cells])).to.have.deep.members([['one', 3], ['two', 1]])
    })

    it('shows a history, readable and as it is', async () => {
      const { status, stdout } = await run('journal one')
      expect(status).to.equal(0)
      expect(stdout).to.match(/#\d+ +durable +let a = 1\n/).and.match(/#\d+ +volatile +import fs from "node:fs" \(\+1 more\)\n +volatile: .*node:fs/).and.match(/missing\n[^#]*PTC-X001.*missing is not defined/)
      const entries = linesOf((await run('journal one --json')).stdout) as unknown as { kind: string, source?: string }[]
      expect(entries.filter(({ kind }) => kind === 'cell-opened').map(({ source }) => source)[0]).to.equal('let a = 1')
      expect(entries.filter(({ kind }) => kind === 'cell-settled')).to.have.length(3)
    })

    it('reads a session that another process has open', async () => {
      const { child, ended } = start(['batch', '--home', home.path, '--session', 'one'])
      child.stdin!.write(requests('1'))
      await new Promise(resolve => child.stdout!.once('data', resolve))
      expect((await run('journal one')).status).to.equal(0)
      child.stdin!.end()
      await ended
    })

    it('says that a session has no history', async () => {
      const { status, stdout, stderr } = await run('journal three')
      expect([status, stdout]).to.deep.equal([1, ''])
      expect(stderr).to.equal('ptc: session "three" has no history here; "ptc sessions" lists those that have\n')
    })
  })

  describe('the rest', () => {
    it('explains itself', async () => {
      for (const args of ['help', '--help', 'run -h']) expect((await run(args)).stdout, args).to.match(/^ptc - .*\n\nusage: ptc /)
      const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
      expect((await run('--version')).stdout).to.equal(`${manifest.version}\n`)
    })

    it('refuses bad command lines in a line, with status 2', async () => {
      for (const args of ['nonsense', '--nonsense', 'run', '--policy loose', '--cwd /nonexistent', 'sessions --memory']) {
        const { status, stdout, stderr } = await run(args)
        expect([status, stdout], args).to.deep.equal([2, ''])
        expect(stderr, args).to.match(/^ptc: .+\nTry "ptc help"\.\n$/)
      }
    })

    it('uses PTC_HOME', async () => {
      await ptc(['batch'], requests('let n = 7'), { env: { PTC_HOME: home.path } })
      expect(linesOf((await run('batch', requests('n'))).stdout)[0]?.value).to.equal(7)
    })

    it('fails when a plugin of the composition fails', async () => {
      write('bad.ts', 'export const name = "bad"\nexport async function apply() { throw new Error("no luck") }\n')
      const { status, stdout, stderr } = await run('batch --with bad.ts', requests('1'))
      expect([status, stdout]).to.deep.equal([1, ''])
      expect(stderr).to.include('[bad] error: Error: no luck').and.match(/ptc: .*cordis\.yml does not start:\n {2}with-1 /)
    })
  })

  describe('on a Node that is too old', () => {
    let old: string
    before(function () {
      const found = (process.env['PATH'] ?? '').split(':').map(folder => join(folder, 'node')).find(isOld)
      if (found === undefined) this.skip()
      old = found
    })

    it('hands over to the Node of a source checkout', () => {
      expect(execFileSync(old, [bin, 'run', '-', '--memory'], { input: 'process.version', encoding: 'utf8' })).to.match(/^'v2[24]\./)
    })

    it('says what to do without one', () => {
      mkdirSync(join(home.path, 'bin'))
      const folder = fileURLToPath(new URL('.', new URL('../../bin/ptc.js', import.meta.url)))
      cpSync(folder, join(home.path, 'bin'), { recursive: true })
      write('package.json', '{"type":"module"}')
      const child = () => execFileSync(old, [join(home.path, 'bin/ptc.js')], { encoding: 'utf8', stdio: 'pipe' })
      expect(child).to.throw(/PTC Plus needs Node 22\.19, or 24 and later; this is v/)
    })
  })

  it('runs when it is reached through a link, as npm installs it', async () => {
    symlinkSync(bin, join(home.path, 'ptc'))
    expect(execFileSync(process.execPath, [join(home.path, 'ptc'), '--version'], { encoding: 'utf8' })).to.match(/^\d/)
  })
})

function isOld(file: string): boolean {
  try {
    return Number(/^v(\d+)/.exec(execFileSync(file, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))?.[1]) < 22
  } catch {
    return false
  }
}

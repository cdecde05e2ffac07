// The interactive session at a real pseudo terminal, which `script` of util-linux supplies.
import { expect } from 'chai'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VirtualTerminal } from '../client/terminal/editor/virtual-terminal.ts'
import { temporaryFolder } from '../harness/sessions.ts'
import { bin, linesOf, ptc, requests } from './ptc.ts'

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

class Person {
  readonly terminal = new VirtualTerminal(80, 24)
  raw = ''
  private readonly child: ChildProcess
  private readonly gone: Promise<unknown>

  constructor(home: string, flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const command = [process.execPath, bin, '--home', home, ...flags].map(quoted).join(' ')
    this.child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...process.env, NO_COLOR: '1', TERM: 'xterm', ...env }, stdio: 'pipe' })
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.raw += text
      this.terminal.write(text)
    })
    this.gone = once(this.child, 'exit')
  }

  get screen(): string {
    return this.terminal.screen.join('\n').trim()
  }

  /** Before the prompt the terminal itself still echoes what is typed. */
  async sees(expected: RegExp): Promise<void> {
    await this.types('', expected)
  }

  /** Types and waits until the end of the screen looks like this. */
  async types(keys: string, expected: RegExp): Promise<void> {
    this.child.stdin!.write(keys)
    for (const end = Date.now() + 15_000; !expected.test(this.screen);) {
      if (Date.now() > end) throw new Error(`waited for ${String(expected)}, the screen is:\n${this.screen}`)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }

  async leaves(keys: string): Promise<number | null> {
    this.child.stdin!.write(keys)
    await this.gone
    return this.child.exitCode
  }

  end(): void {
    this.child.kill()
  }
}

describe('ptc at a terminal', function () {
  this.timeout(60_000)
  let home: ReturnType<typeof temporaryFolder>
  let person: Person

  before(function () {
    const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' })
    if (!/util-linux/.test(stdout ?? '')) this.skip()
  })
  beforeEach(() => {
    home = temporaryFolder()
    person = new Person(home.path, [])
  })
  afterEach(() => {
    person.end()
    home.remove()
  })

  it('greets, runs cells of one and many lines, and leaves', async () => {
    await person.sees(/^session default, empty - \/help tells more\n> \|$/)
    await person.types('1 + 1\r', /\n> 1 \+ 1\n2\n> \|$/)
    await person.types('let a = {\rb: 1\r}\r', /\n> let a = {\n\.\.\. b: 1\n\.\.\. }\n> \|$/)
    await person.types('console.log("x"); a\r', /\nx\n{ b: 1 }\n> \|$/)
    await person.types('missing\r', /\nerror\[PTC-X001\]: ReferenceError: missing is not defined\n --> current:1:1\n1 \| missing\n {2}\| \^\nphase: execute\nstate: partially-applied\n> \|$/)
    expect(await person.leaves('/exit\r')).to.equal(0)
    expect(person.raw).to.match(/\x1b\[\?2004l[^\x1b]*$/)
  })

  it('shows output while the cell runs, and Ctrl-C ends it and keeps the session', async () => {
    await person.sees(/> \|$/)
    await person.types('let n = 41\r', /\n> \|$/)
    await person.types('for (let i = 0; ; i++) { if (i === 0) console.log("begun"); await null }\r', /\nbegun\n\|$/)
    await person.types('\x03', /PTC-X002.*\n[^]*\n> \|$/)
    await person.types('n + 1\r', /\n42\n> \|$/)
    await person.types('for (;;);\r', /\n> for \(;;\);\n\|$/)
    await person.types('\x03', /PTC-X002.*\n[^]*\n> \|$/)
    expect(await person.leaves('\x04')).to.equal(0)
  })

  it('clears a line at Ctrl-C and leaves at the second on an empty one', async () => {
    await person.sees(/> \|$/)
    await person.types('nonsense\x03', /\n> nonsense\^C\n> \|$/)
    await person.types('\x03', /\n> \^C\n\(Ctrl-C again, Ctrl-D or \/exit leaves\)\n> \|$/)
    expect(await person.leaves('\x03')).to.equal(0)
  })

  it('takes a pasted cell as one and keeps it as one entry of its history', async () => {
    await person.sees(/> \|$/)
    await person.types('\x1b[200~function f() {\r  return 42\r}\rf()\x1b[201~', /\n> function f\(\) {\n\.\.\.   return 42\n\.\.\. }\n\.\.\. f\(\)\|$/)
    await person.types('\r', /\n42\n> \|$/)
    expect(await person.leaves('\x04')).to.equal(0)
    const file = join(home.path, 'history')
    expect(JSON.parse(readFileSync(file, 'utf8'))).to.equal('function f() {\n  return 42\n}\nf()')
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    person = new Person(home.path, [])
    await person.sees(/^session default, 1 cell to bring back - .*\n> \|$/)
    await person.types('\x1b[A', /\n> function f\(\) {\n\.\.\.   return 42\n\.\.\. }\n\.\.\. f\(\)\|$/)
  })

  it('completes session names and members', async () => {
    await person.sees(/> \|$/)
    await person.types('let alphabet = { gamma: 1, garden: 2 }\r', /\n> \|$/)
    await person.types('alp\t', /\n> alphabet\|$/)
    await person.types('.g\t', /\n> alphabet\.ga\|$/)
    await person.types('\t', /\n> alphabet\.ga\ngamma +garden\n> alphabet\.ga\|$/)
    await person.types('m\t\r', /\n1\n> \|$/)
  })

  it('lends the terminal to the editor of the environment', async () => {
    person.end()
    const script = join(home.path, 'editor.sh')
    writeFileSync(script, 'printf "what? "; read answer; sed -i "s/1/$answer/" "$1"\n')
    person = new Person(home.path, [], { VISUAL: '', EDITOR: `sh ${script}` })
    await person.sees(/> \|$/)
    await person.types('let a = 1; a + 1\r', /\n2\n> \|$/)
    await person.types('/edit\r', /\nwhat\? \|$/)
    await person.types('41\r', /\nwhat\? 41\n42\n> \|$/)
    await person.types('a\r', /\n> a\n41\n> \|$/)
    await person.types('/edit\r', /> \/edit\nwhat\? \|$/)
    await person.types('\x03', /\^C\n?the editor ended with status \d+, so nothing was run\n> \|$/)
    await person.types('a\r', /\n> a\n41\n> \|$/)
  })

  it('shows, finds, closes and opens tools, and shows the same in the next process', async () => {
    await person.sees(/> \|$/)
    await person.types('/tools repl\r', /\nrepl\.state {2}Lists, [^]*\n> \|$/)
    await person.types('/find checkpoint\r', /\/find checkpoint\nrepl\.state {2}[^]*\n> \|$/)
    await person.types('/close rep\t', /\n> \/close repl\|$/)
    await person.types('\r', /\nrepl is closed in this session: 1 member less\.[^]*\n> \|$/)
    await person.types('/find checkpoint\r', /\/find checkpoint\nNo name or description matches[^]*\n> \|$/)
    expect(await person.leaves('\x04')).to.equal(0)
    person = new Person(home.path, [])
    await person.sees(/> \|$/)
    await person.types('/tools\r', /\/tools\ncode\.run [^]*\nclosed in this session: repl\n> \|$/)
    expect(person.screen).to.not.include('repl.state')
    await person.types('typeof repl\r', /\n'undefined'\n> \|$/)
    await person.types('/open repl\r', /\nrepl is open again\.\n> \|$/)
    await person.types('typeof repl\r', /typeof repl\n'object'\n> \|$/)
    await person.types('/refresh\r', /\nWhat the session may call is composed anew: nothing has changed\.\n> \|$/)
  })

  it('brings the session back with its first cell', async () => {
    await ptc(['batch', '--home', home.path, '--session', 'other'], requests('let n = 20', 'import fs from "node:fs"'))
    await person.sees(/> \|$/)
    await person.types('/session other\r', /\nsession other, 1 cell to bring back, 1 cell lost \(.*node:fs.*\)\n> \|$/)
    await person.types('n + 1\r', /\n21\n[^]*warning\[PTC-R002\][^]*\n> \|$/)
  })

  it('keeps what is typed while a cell runs for the next prompt', async () => {
    await person.sees(/> \|$/)
    await person.types('await new Promise(r => setTimeout(r, 300))\r', /\)\)\n\|$/)
    await person.types('6 * 7\r', /\n> 6 \* 7\n42\n> \|$/)
  })

  it('gives the terminal back when a signal ends it', async () => {
    await person.sees(/> \|$/)
    await person.types('process.ppid\r', /\n\d+\n> \|$/)
    process.kill(Number(/\n(\d+)\n> \|$/.exec(person.screen)?.[1]), 'SIGTERM')
    expect(await person.leaves('')).to.equal(143)
    expect(person.raw).to.match(/\x1b\[\?2004l[^\x1b]*$/)
  })

  it('leaves no history and no session with --memory', async () => {
    person.end()
    person = new Person(home.path, ['--memory'])
    await person.sees(/> \|$/)
    await person.types('1\r', /\n1\n> \|$/)
    expect(await person.leaves('\x04')).to.equal(0)
    expect(linesOf((await ptc(['sessions', '--json', '--home', home.path])).stdout)).to.deep.equal([])
  })
})

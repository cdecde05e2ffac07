// `ptc journal` with --verify, --export and --import in child processes: what a person sees, and that no session is harmed.
import { expect } from 'chai'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodeLine } from '../../plugins/journal/line.ts'
import { temporaryFolder } from '../harness/sessions.ts'
import { linesOf, ptc, requests, start } from './ptc.ts'

const NOTES = fileURLToPath(new URL('../harness/slow-notes.ts', import.meta.url))

describe('a history as a whole, on the command line', function () {
  this.timeout(60_000)
  let home: ReturnType<typeof temporaryFolder>
  let other: ReturnType<typeof temporaryFolder>
  beforeEach(async () => {
    home = temporaryFolder()
    other = temporaryFolder()
    await run('batch --session one', requests('let a = 1', 'const r = Date.now(); r', 'import fs from "node:fs"', 'missing'))
  })
  afterEach(() => { home.remove(); other.remove() })

  const at = (folder: string, args: string, stdin = '') => ptc([...args.split(' '), '--home', folder], stdin, { cwd: home.path })
  const run = (args: string, stdin = '') => at(home.path, args, stdin)
  const there = (args: string, stdin = '') => at(other.path, args, stdin)
  const file = () => join(home.path, 'sessions', 'one.ndjson')
  const change = (from: string | RegExp, to: string) => writeFileSync(file(), readFileSync(file(), 'utf8').replace(from, to))
  /** Changes what an entry says and makes its checksum right again. */
  const forge = (line: number, from: string, to: string) => {
    const lines = readFileSync(file(), 'utf8').split('\n')
    const entry = /"entry":(.*)\}$/u.exec(lines[line - 1]!)![1]!
    expect(entry).to.include(from)
    lines[line - 1] = encodeLine(entry.replace(from, to)).toString().trimEnd()
    writeFileSync(file(), lines.join('\n'))
  }

  describe('--verify', () => {
    it('finds nothing in a good history, and changes nothing', async () => {
      const before = readFileSync(file())
      const { status, stdout, stderr } = await run('journal one --verify')
      expect([status, stdout, stderr]).to.deep.equal([0, 'session "one": 8 lines, 4 cells, 2 of 2 durable replayed, 2 cells that no replay brings back; nothing is wrong\n', ''])
      expect(readFileSync(file()).equals(before)).to.equal(true)
      expect(readdirSync(join(home.path, 'sessions'))).to.deep.equal(['one.ndjson'])
    })

    const faults: readonly (readonly [title: string, spoil: () => void, line: number, check: string, message: RegExp])[] = [
      ['a changed byte', () => change('let a = 1', 'let a = 2'), 1, 'checksum', /the checksum does not match/],
      ['a changed byte in the last line', () => change(/missing is not defined(?=[^]{0,80}$)/u, 'missing is now defined'), 8, 'checksum', /the checksum/],
      ['a torn tail', () => writeFileSync(file(), readFileSync(file()).subarray(0, -9)), 8, 'checksum', /no end: the write was interrupted/],
      ['a line that is not in its place', () => writeFileSync(file(), readFileSync(file(), 'utf8').replace(/^(.*\n)(.*\n)(.*\n)/u, '$1$3$2')), 3, 'order', /out of order/],
      ['a record that says more than it may', () => forge(2, '"calls":[]', '"calls":[],"extra":1'), 2, 'schema', /unknown field "extra"/],
      ['a cell that settles without having been opened', () => forge(2, '"cell":1', '"cell":77'), 2, 'fold', /without having been opened/],
      ['a value that a replay does not come to', () => forge(4, '"Date.now",1', '"Date.now",2'), 3, 'replay', /another value/],
      ['a source that was changed', () => forge(1, 'let a = 1', 'let b ='), 1, 'replay', /refused now/],
    ]
    for (const [title, spoil, line, check, message] of faults) it(`names ${title} by its line, and says so in its exit status`, async () => {
      spoil()
      const before = readFileSync(file())
      const { status, stdout, stderr } = await run('journal one --verify --json')
      expect([status, stderr]).to.deep.equal([1, ''])
      const [first, ...rest] = linesOf(stdout) as unknown as { line: number, check: string, message: string, ok?: boolean }[]
      expect([first!.line, first!.check]).to.deep.equal([line, check])
      expect(first!.message).to.match(message)
      expect(rest.at(-1)!.ok).to.equal(false)
      const text = await run('journal one --verify')
      expect([text.status, text.stdout.split('\n')[0]!.startsWith(`line ${line}: ${check}: `)]).to.deep.equal([1, true])
      expect(readFileSync(file()).equals(before), 'the file is left as it is').to.equal(true)
    })

    it('calls nobody, and does not wait for the writer', async () => {
      await run(`batch --session calls --with ${NOTES}`, requests('const n = await slow.add({ text: "x", ms: 2 })'))
      const { child, ended } = start(['batch', '--home', home.path, '--session', 'calls'])
      child.stdin!.write(requests('1'))
      await new Promise(resolve => child.stdout!.once('data', resolve))
      const { status, stdout } = await run(`journal calls --verify --with ${NOTES}`)
      expect([status, stdout]).to.deep.equal([0, 'session "calls": 6 lines, 2 cells, 2 of 2 durable replayed; nothing is wrong\n'])
      expect(readFileSync(join(home.path, 'notes.ndjson'), 'utf8')).to.equal('{"text":"x"}\n')
      child.stdin!.end()
      await ended
    })

    it('of an unknown session fails', async () => {
      const { status, stdout, stderr } = await run('journal none --verify')
      expect([status, stdout]).to.deep.equal([1, ''])
      expect(stderr).to.include('session "none" has no history here')
    })
  })

  describe('--export and --import', () => {
    const exported = () => join(home.path, 'one.ptc')
    const exportOne = () => run(`journal one --export ${exported()}`)

    it('move a session through a file, byte for byte, and it goes on there', async () => {
      const { status, stdout, stderr } = await exportOne()
      expect([status, stdout, stderr]).to.deep.equal([0, `session "one": 4 cells, 8 entries in ${exported()}\n`, ''])
      expect(statSync(exported()).mode & 0o777).to.equal(0o600)
      const imported = await there(`journal --import ${exported()}`)
      expect([imported.status, imported.stdout]).to.deep.equal([0, 'session "one": 4 cells, 8 entries; it goes on from cell #3\n'])
      expect(readFileSync(join(other.path, 'sessions', 'one.ndjson')).equals(readFileSync(file()))).to.equal(true)
      const [live] = linesOf((await run('batch --session one', requests('[a, r]'))).stdout)
      const [moved] = linesOf((await there('batch --session one', requests('[a, r]'))).stdout)
      expect(moved!.value).to.deep.equal(live!.value)
    })

    it('move it through pipes, under another name, with --json', async () => {
      const { stdout, stderr } = await run('journal one --export - --json')
      expect(JSON.parse(stderr)).to.deep.equal({ session: 'one', file: '-', entries: 8, cells: 4, omitted: [] })
      const imported = await there('journal two --import - --json', stdout)
      expect(imported.status).to.equal(0)
      expect(JSON.parse(imported.stdout)).to.deep.include({ session: 'two', entries: 8, cells: 4, durable: 2, head: 3, notes: [] })
      expect((await there('journal two --verify')).status).to.equal(0)
    })

    it('do not write over anything', async () => {
      await exportOne()
      const document = readFileSync(exported())
      const again = await exportOne()
      expect([again.status, again.stderr]).to.deep.equal([1, `ptc: ${exported()} exists already, and is not overwritten\n`])
      expect(readFileSync(exported()).equals(document)).to.equal(true)
      const before = readFileSync(file())
      const back = await run(`journal --import ${exported()}`)
      expect([back.status, back.stderr]).to.deep.equal([1, 'ptc: session "one" has a history already, which is never overwritten; import it under another name\n'])
      expect(readFileSync(file()).equals(before)).to.equal(true)
    })

    it('leave nothing of a document that is not whole', async () => {
      await exportOne()
      const document = readFileSync(exported(), 'utf8')
      for (const [stdin, message] of [
        [document.slice(0, -30), /it was cut off/], [document.replace('let a = 1', 'let a = 9'), /line 2: the checksum/],
        [document.replace('"session":"one"', '"session":"two"'), /its checksum does not match/], ['', /it is empty/], ['hello\n', /not the header/],
      ] as const) {
        const { status, stdout, stderr } = await there('journal --import -', stdin)
        expect([status, stdout]).to.deep.equal([1, ''])
        expect(stderr).to.match(message).and.match(/Nothing was changed\n$/)
      }
      expect(readdirSync(join(other.path, 'sessions'))).to.deep.equal([])
      expect((await there('journal --import missing')).status).to.equal(2)
    })

    it('say what a torn tail cost, and refuse damage in the middle', async () => {
      writeFileSync(file(), readFileSync(file()).subarray(0, -9))
      const torn = await exportOne()
      expect([torn.status, torn.stderr]).to.deep.equal([0, 'ptc: the history ends in an incomplete entry (line 8), which is left out\n'])
      expect((await there(`journal --import ${exported()}`)).status).to.equal(0)
      change('let a = 1', 'let a = 2')
      const damaged = await run(`journal one --export ${exported()}.2`)
      expect(damaged.status).to.equal(1)
      expect(damaged.stderr).to.match(/session one, line 1: the checksum does not match, but intact lines follow/)
      expect(existsSync(`${exported()}.2`)).to.equal(false)
    })

    it('export a session that runs elsewhere up to its last finished cell, and do not import over it', async () => {
      const { child, ended } = start(['batch', '--home', home.path, '--session', 'one', '--with', NOTES])
      child.stdin!.write(requests('let b = 2', 'await new Promise(() => setInterval(() => {}, 1000))'))
      await new Promise(resolve => child.stdout!.once('data', resolve))
      // The second cell is in the history as soon as it runs.
      while (!readFileSync(file(), 'utf8').includes('setInterval')) await new Promise(resolve => setTimeout(resolve, 5))
      const { status, stderr } = await exportOne()
      expect([status, stderr]).to.deep.equal([0, `ptc: the session is open (pid ${child.pid}), and the cell that it is running is left out\n`])
      expect((await there(`journal --import ${exported()}`)).stdout).to.match(/5 cells, 10 entries/)
      expect(linesOf((await there('batch --session one', requests('a + b'))).stdout)[0]!.value).to.equal(3)
      const locked = await run(`journal one --import ${exported()}`)
      expect(locked.stderr).to.match(/session one is open in another writer \(pid \d+\)/)
      child.kill()
      await ended
    })
  })
})

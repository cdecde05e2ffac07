// Would catch: two writers for one history, and a dead writer that keeps a session closed. Uses real processes: what a
// killed process leaves behind can not be imitated in the same one.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { JournalError } from '../../plugins/journal/errors.ts'
import { acquire } from '../../plugins/journal/lock.ts'
import { Child, endChildren } from './child.ts'

const tokenOf = (letter: string): string => letter.repeat(32)

describe('lock', () => {
  let dir: string
  let file: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'ptc-lock-'))
    file = join(dir, 'one.ndjson')
  })
  afterEach(async () => {
    await endChildren()
    rmSync(dir, { recursive: true })
  })

  const holderText = (pid: number, token: string, start = 'gone'): string => `${pid}\n${start}\n${token}\n`

  it('L1: refuses a second writer in the same process and names it', () => {
    const lock = acquire(file, 'one')
    expect(() => acquire(file, 'one')).to.throw(JournalError, `pid ${process.pid}`).with.property('code', 'locked')
    lock.release()
  })

  it('L1: refuses a second writer in another process and names it', async () => {
    const child = await Child.start()
    expect(await child.ask(`lock ${file}`)).to.equal('won')
    expect(() => acquire(file, 'one')).to.throw(JournalError, `pid ${child.process.pid}`).with.property('code', 'locked')
    expect(await child.ask('release')).to.equal('released')
    acquire(file, 'one').release()
  })

  it('L3: leaves nothing behind, and releasing twice is releasing once', () => {
    const first = acquire(file, 'one')
    first.release()
    const second = acquire(file, 'one')
    first.release()
    expect(() => acquire(file, 'one')).to.throw(JournalError)
    second.release()
    expect(readdirSync(dir)).to.deep.equal([])
  })

  it('L3: leaves nothing behind when it is refused', () => {
    const lock = acquire(file, 'one')
    expect(() => acquire(file, 'one')).to.throw(JournalError)
    expect(readdirSync(dir)).to.deep.equal(['one.ndjson.lock'])
    lock.release()
  })

  it('L2: is taken over at once from a holder that was killed', async () => {
    const child = await Child.start()
    expect(await child.ask(`lock ${file}`)).to.equal('won')
    await child.end('SIGKILL')
    expect(readdirSync(dir)).to.deep.equal(['one.ndjson.lock'])
    acquire(file, 'one').release()
    expect(readdirSync(dir)).to.deep.equal([])
  })

  it('L2: is taken over from a holder whose pid is somebody else\'s now', function () {
    if (process.platform !== 'linux') return this.skip()
    writeFileSync(`${file}.lock`, holderText(process.pid, tokenOf('a'), 'another-boot/12'))
    acquire(file, 'one').release()
    expect(readdirSync(dir)).to.deep.equal([])
  })

  it('L2: respects a living holder of which no start time is known', () => {
    writeFileSync(`${file}.lock`, holderText(process.pid, tokenOf('a'), ''))
    expect(() => acquire(file, 'one')).to.throw(JournalError).with.property('code', 'locked')
  })

  it('L2: is taken over when a power cut left the lock file empty', () => {
    writeFileSync(`${file}.lock`, '')
    acquire(file, 'one').release()
    expect(readdirSync(dir)).to.deep.equal([])
  })

  describe('with a dead holder', () => {
    let dead: number
    beforeEach(async () => {
      const child = await Child.start()
      dead = child.process.pid!
      await child.end()
      writeFileSync(`${file}.lock`, holderText(dead, tokenOf('a')))
    })

    it('L2: takes over from a taker that died half-way, and sweeps up what it left', () => {
      writeFileSync(`${file}.lock.${tokenOf('a')}`, holderText(dead, tokenOf('b')))
      writeFileSync(`${file}.lock.draft-${tokenOf('c')}`, holderText(dead, tokenOf('c')))
      acquire(file, 'one').release()
      expect(readdirSync(dir)).to.deep.equal([])
    })

    it('L2: takes over from a taker of whose claim only the name was left', () => {
      writeFileSync(`${file}.lock`, '')
      writeFileSync(`${file}.lock.damaged`, '')
      acquire(file, 'one').release()
      expect(readdirSync(dir)).to.deep.equal([])
    })

    it('L1: leaves the lock to a living taker that is half-way', () => {
      writeFileSync(`${file}.lock.${tokenOf('a')}`, holderText(process.pid, tokenOf('b'), ''))
      expect(() => acquire(file, 'one')).to.throw(JournalError, `pid ${process.pid}`)
    })

    it('L1: a claim on a lock that was replaced meanwhile counts for nothing', () => {
      acquire(file, 'one')
      const taken = readFileSync(`${file}.lock`, 'utf8')
      writeFileSync(`${file}.lock.${tokenOf('a')}`, holderText(dead, tokenOf('b')))
      expect(() => acquire(file, 'one')).to.throw(JournalError).with.property('code', 'locked')
      expect(readFileSync(`${file}.lock`, 'utf8')).to.equal(taken)
    })

    it('L1: of several takers that start together exactly one wins, and the others know its pid', async function () {
      this.timeout(60_000)
      const takers = await Promise.all(Array.from({ length: 4 }, () => Child.start()))
      for (let round = 0; round < 50; round++) {
        const raced = join(dir, `${round}.ndjson`)
        writeFileSync(`${raced}.lock`, holderText(dead, tokenOf('a')))
        // Every third round also has a taker that died half-way.
        if (round % 3 === 0) writeFileSync(`${raced}.lock.${tokenOf('a')}`, holderText(dead, tokenOf('b')))
        const answers = await Promise.all(takers.map((taker) => taker.ask(`lock ${raced}`)))
        const winners = takers.filter((_, index) => answers[index] === 'won')
        expect(winners, answers.join('\n')).to.have.length(1)
        const lost = answers.filter((answer) => answer !== 'won')
        for (const answer of lost) expect(answer).to.contain(`pid ${winners[0]?.process.pid})`)
        expect(readdirSync(dir).filter((name) => name.startsWith(`${round}.`))).to.deep.equal([`${round}.ndjson.lock`])
        await winners[0]?.ask('release')
      }
    })
  })
})

// The suite that every history source passes. A source says how to make a place for its histories; what can not happen to
// it (a memory has no torn tails) it switches off by name, as a gap.
//
//   sourceContract('mine', async () => ({ source, again: () => source, end: async () => {} }), { gaps: ['torn-tail'] })
import { expect } from 'chai'
import { JournalError } from '../../plugins/journal/errors.ts'
import type { JournalErrorCode } from '../../plugins/journal/errors.ts'
import type { History, HistoryEntry, HistorySource, NewEntry } from '../../plugins/journal/types.ts'
import { durable, envelope } from './history.ts'

/** `reopen`: histories survive the source object. The others are named after what is done to the place. */
export type Gap = 'reopen' | 'torn-tail' | 'damage' | 'read-only' | 'other-process' | 'disk-full'

/** One way in which the storage can fail an append. */
export type Fault = 'write' | 'short-write' | 'sync'

export interface Place {
  /** A source over an empty place. */
  readonly source: HistorySource
  /** Another source over the same place, as the next process would have it. */
  again(): HistorySource
  /** The stored bytes of a session that nobody has open. For `torn-tail` and `damage`. */
  readonly bytes?: { read(id: string): Buffer, write(id: string, bytes: Buffer): void }
  /** A source over the same place whose next append fails, and after it `also` everything that would repair. */
  failing?(fault: Fault, also?: boolean): HistorySource
  /** Runs `during` while nothing can be written to the place. */
  readOnly?(during: () => Promise<void>): Promise<void>
  /** Opens the session in another process; answers that process's pid and how to end it by force. */
  elsewhere?(id: string): Promise<{ readonly pid: number, kill(): Promise<void> }>
  end(): Promise<void>
}

const opened = (source = 'let x = 1'): NewEntry => ({ kind: 'cell-opened', source, cwd: '/home/me' })
const settled = (cell: number): NewEntry => ({ kind: 'cell-settled', cell, record: durable })

async function all(entries: AsyncIterable<HistoryEntry>): Promise<HistoryEntry[]> {
  const found: HistoryEntry[] = []
  for await (const entry of entries) found.push(entry)
  return found
}

const sourcesOf = (entries: readonly HistoryEntry[]) => entries.map((entry) => entry.kind === 'cell-opened' ? entry.source : entry.kind)

async function failure(work: () => unknown): Promise<JournalError> {
  try {
    await work()
  } catch (error) {
    expect(error).to.be.instanceOf(JournalError)
    return error as JournalError
  }
  throw new Error('nothing was thrown')
}

async function expectCode(code: JournalErrorCode, work: () => unknown): Promise<JournalError> {
  const error = await failure(work)
  expect(error.code).to.equal(code)
  return error
}

export function sourceContract(name: string, make: () => Promise<Place>, { gaps }: { readonly gaps: readonly Gap[] }): void {
  describe(`history source ${name}${gaps.length > 0 ? ` (without ${gaps.join(', ')})` : ''}`, () => {
    let place: Place
    const handed: History[] = []
    const open = async (id: string, source = place.source): Promise<History> => {
      const history = await source.open(id)
      handed.push(history)
      return history
    }
    /** A session with three cells, closed. */
    const three = async (id = 'one'): Promise<HistoryEntry[]> => {
      const history = await open(id)
      for (const source of ['a', 'b', 'c']) history.append(opened(source))
      await history.close()
      return all(place.source.read(id))
    }
    beforeEach(async () => { place = await make() })
    afterEach(async () => {
      for (const history of handed.splice(0)) await history.close()
      await place.end()
    })

    describe('entries', () => {
      it('S3: come back in order, as they were, under the numbers that append answered', async () => {
        const history = await open('one')
        const cell = history.append(opened())
        const call = history.append({ kind: 'call-opened', cell, call: 0, global: 'tools', member: 'x', args: envelope({ a: ['é\u2028\n', 1] }) })
        const answer = history.append({ kind: 'call-settled', cell, call: 0, ok: true })
        const end = history.append(settled(cell), { sync: true })
        const boundary = history.append({ kind: 'boundary', failed: cell, frontier: null })
        const entries = await all(history.entries())
        expect(entries.map(({ seq }) => seq)).to.deep.equal([cell, call, answer, end, boundary])
        expect([...entries].sort((a, b) => a.seq - b.seq)).to.deep.equal(entries)
        for (const { at } of entries) expect(at).to.satisfy(Number.isSafeInteger)
        expect(entries[1]).to.deep.include({ args: envelope({ a: ['é\u2028\n', 1] }) })
        expect(entries[3]).to.deep.include({ kind: 'cell-settled', cell, record: durable })
      })

      it('S3: number entries themselves, also when one is appended that had a number', async () => {
        const history = await open('one')
        const first = history.append(opened('a'))
        const again = history.append({ ...opened('b'), seq: 900, at: 1 } as unknown as NewEntry)
        expect(again).to.be.greaterThan(first).and.not.equal(900)
        expect((await all(history.entries())).map(({ seq }) => seq)).to.deep.equal([first, again])
      })

      it('can not be changed after they were appended', async () => {
        const history = await open('one')
        const record = { ...durable, namespaces: ['a'] }
        history.append({ kind: 'cell-settled', cell: 1, record })
        record.namespaces.push('b')
        expect((await all(history.entries()))[0]).to.have.nested.property('record.namespaces').that.deep.equals(['a'])
      })

      it('are read as a prefix while more are appended', async () => {
        const history = await open('one')
        history.append(opened('a'))
        history.append(opened('b'))
        const read: HistoryEntry[] = []
        for await (const entry of history.entries()) {
          if (read.push(entry) < 50) history.append(opened('more'))
        }
        expect(sourcesOf(read).slice(0, 2)).to.deep.equal(['a', 'b'])
        expect((await all(history.entries())).slice(0, read.length)).to.deep.equal(read)
      })

      it('are read without the lock, while a writer has it', async () => {
        const history = await open('one')
        history.append(opened('a'))
        expect(sourcesOf(await all(place.source.read('one')))).to.deep.equal(['a'])
        history.append(opened('b'))
        expect(sourcesOf(await all(place.source.read('one')))).to.deep.equal(['a', 'b'])
      })

      it('may be large', async () => {
        const history = await open('one')
        const large = 'é'.repeat(3_000_000)
        history.append(opened('small'))
        history.append(opened(large))
        history.append(opened('after'))
        expect(sourcesOf(await all(history.entries()))).to.deep.equal(['small', large, 'after'])
      })

      it('that are not JSON are refused, and nothing is appended', async () => {
        const history = await open('one')
        await expectCode('bad-entry', () => history.append({ ...opened(), args: 1n } as unknown as NewEntry))
        history.append(opened('b'))
        expect(sourcesOf(await all(history.entries()))).to.deep.equal(['b'])
      })

      it('of sessions do not mix, and an unknown session has none', async () => {
        const [one, two] = [await open('one'), await open('two')]
        one.append(opened('1'))
        two.append(opened('2'))
        expect(sourcesOf(await all(one.entries()))).to.deep.equal(['1'])
        expect(sourcesOf(await all(place.source.read('two')))).to.deep.equal(['2'])
        expect(await all(place.source.read('three'))).to.deep.equal([])
      })
    })

    describe('opening', () => {
      it('S3: continues where the last writer stopped', async () => {
        const before = await three()
        const history = await open('one')
        expect(history.repairs).to.deep.equal([])
        expect(await all(history.entries())).to.deep.equal(before)
        expect(history.append(opened('d'))).to.be.greaterThan(before.at(-1)!.seq)
        expect(sourcesOf(await all(history.entries()))).to.deep.equal(['a', 'b', 'c', 'd'])
      })

      if (!gaps.includes('reopen')) {
        it('S3: continues in the next process', async () => {
          const before = await three()
          const history = await open('one', place.again())
          expect(history.append(opened('d'))).to.be.greaterThan(before.at(-1)!.seq)
          expect(sourcesOf(await all(history.entries()))).to.deep.equal(['a', 'b', 'c', 'd'])
        })
      }

      it('L1: is refused while another writer has the session, and names it', async () => {
        const history = await open('one')
        const error = await expectCode('locked', () => place.again().open('one'))
        expect(error.message).to.contain(String(process.pid))
        await expectCode('locked', () => place.source.open('one'))
        await history.close()
        await open('one', place.again())
      })

      if (!gaps.includes('other-process')) {
        it('L1 L2: is refused while another process has the session, and at once possible when that was killed', async () => {
          const other = await place.elsewhere!('one')
          const error = await expectCode('locked', () => place.source.open('one'))
          expect(error.message).to.contain(String(other.pid))
          expect(await all(place.source.read('one'))).to.deep.equal([])
          await other.kill()
          await open('one')
        })
      }

      for (const id of ['a', 'A', '.', '..', '../up', '/etc', 'a/b', 'a\\b', '%41', 'con', ' ', '\0', 'x'.repeat(200), 'é'.repeat(200), '\u{1F600}'.repeat(100)]) {
        it(`takes ${JSON.stringify(id).slice(0, 16)} (${id.length}) as an id of its own`, async () => {
          const [history, other] = [await open(id), await open('%')]
          history.append(opened('mine'))
          other.append(opened('other'))
          await history.close()
          expect(sourcesOf(await all(place.again().read(id)))).to.deep.equal(['mine'])
          expect((await place.source.list()).map((summary) => summary.id)).to.have.members([id, '%'])
        })
      }

      it('refuses what is no id', async () => {
        for (const id of ['', 'x'.repeat(201), '\ud800', undefined as unknown as string]) {
          await expectCode('bad-id', () => place.source.open(id))
          await expectCode('bad-id', () => all(place.source.read(id)))
        }
      })

      if (!gaps.includes('read-only')) {
        it('fails with io when nothing can be written, and reading still works', async () => {
          await three()
          await place.readOnly!(async () => {
            await expectCode('io', () => place.again().open('one'))
            await expectCode('io', () => place.again().open('new'))
            expect(sourcesOf(await all(place.again().read('one')))).to.deep.equal(['a', 'b', 'c'])
          })
        })
      }
    })

    describe('closing', () => {
      it('ends the history, once', async () => {
        const history = await open('one')
        history.append(opened())
        await history.close()
        await history.close()
        await expectCode('closed', () => history.append(opened()))
        await expectCode('closed', () => all(history.entries()))
        expect(await all(place.source.read('one'))).to.have.length(1)
      })

      it('of an old writer does not touch a new one', async () => {
        const old = await open('one')
        await old.close()
        const current = await open('one')
        await old.close()
        await expectCode('closed', () => old.append(opened()))
        current.append(opened())
        await expectCode('locked', () => place.again().open('one'))
      })
    })

    describe('list', () => {
      it('is empty at first', async () => {
        expect(await place.source.list()).to.deep.equal([])
      })

      it('counts the cells of every session, open ones too', async () => {
        await three('b')
        const history = await open('a')
        history.append(settled(history.append(opened())))
        const list = await place.source.list()
        expect(list.map(({ id, cells }) => [id, cells])).to.deep.equal([['a', 1], ['b', 3]])
        for (const { bytes, updatedAt } of list) {
          expect(bytes).to.be.greaterThan(0)
          expect(updatedAt).to.satisfy(Number.isSafeInteger)
        }
      })
    })

    if (!gaps.includes('torn-tail')) {
      describe('torn tail', () => {
        const cutTo = async (bytes: Buffer): Promise<void> => {
          place.bytes!.write('one', bytes)
          const before = sourcesOf(await all(place.again().read('one')))
          const history = await open('one', place.again())
          expect(sourcesOf(await all(history.entries()))).to.deep.equal(before).and.deep.equal(['a', 'b'])
          history.append(opened('again'))
          await history.close()
          expect(sourcesOf(await all(place.again().read('one')))).to.deep.equal(['a', 'b', 'again'])
          expect((await open('one', place.again())).repairs).to.deep.equal([])
          await handed.at(-1)!.close()
        }

        it('S4: is cut at whichever byte the last line ends', async () => {
          await three()
          const whole = place.bytes!.read('one')
          const start = whole.lastIndexOf(10, whole.length - 2) + 1
          for (let length = start; length < whole.length; length++) await cutTo(whole.subarray(0, length))
        })

        it('S4: is cut when the last line is damaged, and when what follows is no line at all', async () => {
          await three()
          const whole = place.bytes!.read('one')
          const start = whole.lastIndexOf(10, whole.length - 2) + 1
          const damaged = Buffer.from(whole)
          damaged[whole.length - 5]! ^= 1
          await cutTo(damaged)
          await cutTo(Buffer.concat([whole.subarray(0, start), Buffer.alloc(5000)]))
          await cutTo(Buffer.concat([whole.subarray(0, start), Buffer.from('\n\n{"crc":1}\n')]))
        })

        it('S4: is reported with the number of bytes', async () => {
          await three()
          const whole = place.bytes!.read('one')
          place.bytes!.write('one', whole.subarray(0, -7))
          const { repairs } = await open('one', place.again())
          const cut = whole.length - 7 - (whole.lastIndexOf(10, whole.length - 2) + 1)
          expect(repairs).to.have.length(1)
          expect(repairs[0]).to.include({ code: 'PTC-J001', severity: 'warning', phase: 'recover', stateEffect: 'rolled-back' })
          expect(repairs[0]?.message).to.contain(`${cut} bytes`).and.contain('line 2')
        })

        it('S4: of the only line leaves an empty history', async () => {
          const history = await open('one')
          history.append(opened())
          await history.close()
          place.bytes!.write('one', place.bytes!.read('one').subarray(0, -1))
          expect(await all((await open('one', place.again())).entries())).to.deep.equal([])
        })
      })
    }

    if (!gaps.includes('damage')) {
      describe('damage before an intact line', () => {
        const expectRefusal = async (bytes: Buffer, line: number): Promise<void> => {
          place.bytes!.write('one', bytes)
          const error = await expectCode('corrupt', () => place.again().open('one'))
          expect(error.message).to.contain(`line ${line}:`)
          await expectCode('corrupt', () => all(place.again().read('one')))
          expect(place.bytes!.read('one').equals(bytes), 'the bytes are left as they are').to.equal(true)
        }

        it('S5: is refused, named by its line, and left alone', async () => {
          await three()
          const whole = place.bytes!.read('one')
          const second = whole.indexOf(10) + 1
          const third = whole.indexOf(10, second) + 1
          const flipped = Buffer.from(whole)
          flipped[second + 40]! ^= 1
          await expectRefusal(flipped, 2)
          await expectRefusal(Buffer.concat([Buffer.from('\n'), whole]), 1)
          await expectRefusal(Buffer.concat([whole.subarray(0, third), whole.subarray(second)]), 3)
          place.bytes!.write('one', whole)
          await open('one', place.again())
        })

        it('S5: does not keep the other sessions from being listed and opened', async () => {
          await three('one')
          await three('two')
          const whole = place.bytes!.read('one')
          whole[40]! ^= 1
          place.bytes!.write('one', whole)
          expect((await place.again().list()).map(({ id }) => id)).to.deep.equal(['one', 'two'])
          await open('two', place.again())
        })
      })
    }

    if (!gaps.includes('disk-full')) {
      for (const fault of ['write', 'short-write', 'sync'] as const) {
        it(`S1 S2: an append that fails (${fault}) leaves nothing, and the next one goes on`, async () => {
          const before = await three()
          const history = await open('one', place.failing!(fault))
          const error = await expectCode('io', () => history.append(opened('lost'), { sync: true }))
          expect(error.cause, 'the reason').to.be.instanceOf(Error)
          expect(await all(place.again().read('one'))).to.deep.equal(before)
          history.append(opened('d'), { sync: true })
          expect(sourcesOf(await all(history.entries()))).to.deep.equal(['a', 'b', 'c', 'd'])
          await history.close()
          expect((await open('one', place.again())).repairs).to.deep.equal([])
        })

        it(`S1 S2: also when it can not be taken back at first (${fault})`, async () => {
          await three()
          const history = await open('one', place.failing!(fault, true))
          await expectCode('io', () => history.append(opened('lost'), { sync: true }))
          await expectCode('io', () => history.append(opened('lost too'), { sync: true }))
          expect(sourcesOf(await all(history.entries()))).to.deep.equal(['a', 'b', 'c'])
          history.append(opened('d'), { sync: true })
          await history.close()
          expect(sourcesOf(await all(place.again().read('one')))).to.deep.equal(['a', 'b', 'c', 'd'])
        })
      }
    }
  })
}

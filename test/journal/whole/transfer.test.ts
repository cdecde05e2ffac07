// A session that goes from one store to another as a document: nothing of it is lost or changed, and a document that was cut
// off or changed anywhere is refused whole.
import { expect } from 'chai'
import { JournalError } from '../../../plugins/journal/errors.ts'
import { MemorySource } from '../../../plugins/journal/memory-store.ts'
import type { ExportedSession, HistoryEntry, HistorySource, NewEntry, StoredEntry } from '../../../plugins/journal/types.ts'
import { exportSession } from '../../../plugins/journal/whole/export.ts'
import { importSession } from '../../../plugins/journal/whole/import.ts'
import { durable, Script, volatile } from '../history.ts'

const story = () => {
  const script = new Script()
  script.cell(durable, 'a')
  script.boundary(script.cell(durable, 'b'), 1)
  script.cell(volatile, 'é\u2028\n')
  const last = script.open('c')
  script.call(last, 0)
  return script.entries
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> { yield* items }

async function sourceWith(entries: readonly HistoryEntry[], id = 'one'): Promise<MemorySource> {
  const source = new MemorySource()
  await source.adopt(id, each(entries))
  return source
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

const bytesOf = async (exported: ExportedSession): Promise<Buffer> => Buffer.concat(await all(exported.lines()))

async function refusal(work: Promise<unknown>): Promise<JournalError> {
  try {
    await work
  } catch (error) {
    expect(error).to.be.instanceOf(JournalError)
    return error as JournalError
  }
  throw new Error('it was taken')
}

describe('a session as a document', () => {
  it('arrives as it was: numbers, times, notes of others, and cells that never ended', async () => {
    const entries = [...story(), { seq: 900, at: 12, kind: 'cell-opened', source: 'd', cwd: '/', note: { by: 'somebody' } } as unknown as HistoryEntry]
    const exported = await exportSession(await sourceWith(entries), 'one')
    const target = new MemorySource()
    const { session, frontier } = await importSession(target, each([await bytesOf(exported)]))
    expect(session).to.equal('one')
    expect(await all(target.read('one'))).to.deep.equal(entries)
    expect(frontier.inDoubt).to.have.length(1)
    expect((await target.open('one')).append({ kind: 'boundary', failed: 1, frontier: null })).to.equal(901)
  })

  it('has a header that says what it is', async () => {
    const exported = await exportSession(await sourceWith(story()), 'one')
    const [first] = (await bytesOf(exported)).toString().split('\n')
    expect(JSON.parse(first!)).to.deep.equal({
      format: 'ptc-plus-session', version: 1, session: 'one', node: process.version, recordVersion: 11,
      languageSemantics: ['stateful-v1'], moduleTransforms: ['native-root-v1+amaro@1.2.1'], cells: 4,
    })
    expect([exported.header.cells, exported.entries, exported.omitted]).to.deep.equal([4, story().length, []])
  })

  it('can be read in pieces of any size, and take another name', async () => {
    const bytes = await bytesOf(await exportSession(await sourceWith(story()), 'one'))
    for (const size of [1, 7, 1000]) {
      const target = new MemorySource()
      await importSession(target, each(Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))), 'other')
      expect(await all(target.read('other'))).to.deep.equal(story())
    }
  })

  it('is refused when a byte of it is changed, or it ends early; nothing is left of it', async () => {
    const bytes = await bytesOf(await exportSession(await sourceWith(story().slice(0, 3)), 'one'))
    const target = new MemorySource()
    for (let at = 0; at < bytes.length - 1; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect((await refusal(importSession(target, each([changed]), 'x'))).code, `byte ${at} changed`).to.equal('bad-document')
      // Without its last line feed it is still whole.
      expect((await refusal(importSession(target, each([bytes.subarray(0, at)]), 'x'))).code, `cut at ${at}`).to.equal('bad-document')
    }
    expect(await target.list()).to.deep.equal([])
  })

  it('is refused when lines are taken out, said twice, exchanged or added', async () => {
    const lines = await all((await exportSession(await sourceWith(story()), 'one')).lines())
    const [head, first, second, ...rest] = lines as [Buffer, Buffer, Buffer, ...Buffer[]]
    const target = new MemorySource()
    for (const [title, changed] of Object.entries({
      taken: [head, second, ...rest], twice: [head, first, first, second, ...rest], exchanged: [head, second, first, ...rest],
      added: [...lines, first], 'two documents': [...lines, ...lines], headless: lines.slice(1), empty: [], 'a header alone': [head],
    })) expect((await refusal(importSession(target, each(changed), 'x'))).code, title).to.equal('bad-document')
    expect(await target.list()).to.deep.equal([])
  })

  for (const [title, change, message] of [
    ['another version', { version: 2 }, /version 2.*newer/], ['newer records', { recordVersion: 12 }, /records are of version 12.*newer/],
    ['another format', { format: 'x' }, /not the header/], ['an unknown field', { extra: 1 }, /header is damaged: has the unknown field "extra"/],
  ] as const) it(`is refused with ${title} in its header, in words`, async () => {
    const lines = await all((await exportSession(await sourceWith(story()), 'one')).lines())
    const header = { ...JSON.parse(lines[0]!.toString()) as object, ...change }
    const error = await refusal(importSession(new MemorySource(), each([Buffer.from(`${JSON.stringify(header)}\n`), ...lines.slice(1)])))
    expect(error.code).to.equal('bad-document')
    expect(error.message).to.match(message)
  })

  it('does not take the place of a session, open or not', async () => {
    const target = await sourceWith(story().slice(0, 2))
    const bytes = await bytesOf(await exportSession(await sourceWith(story()), 'one'))
    expect((await refusal(importSession(target, each([bytes])))).code).to.equal('exists')
    const writer = await target.open('two')
    expect((await refusal(importSession(target, each([bytes]), 'two'))).code).to.equal('locked')
    await writer.close()
    await importSession(target, each([bytes]), 'two')
    expect(await all(target.read('one'))).to.deep.equal(story().slice(0, 2))
  })

  it('needs a source that can adopt', async () => {
    const source: HistorySource = { kind: 'mine', open: () => Promise.reject(new Error()), read: () => each([]), list: async () => [] }
    const error = await refusal(importSession(source, each([])))
    expect([error.code, error.message]).to.deep.equal(['unsupported', 'histories in the source "mine" can not be imported'])
  })
})

describe('exporting', () => {
  /** A source of which only these lines are known. */
  const showing = (stored: readonly StoredEntry[], writer: string | null = null): HistorySource => ({
    kind: 'shown', open: () => Promise.reject(new Error()), list: async () => [], writer: () => writer,
    read: () => each(stored.flatMap((one) => 'entry' in one ? [one.entry] : [])), inspect: () => each(stored),
  })
  const intact = story().map((entry, index): StoredEntry => ({ line: index + 1, entry }))
  const damaged = (line: number, damage: 'torn' | 'checksum' | 'order'): StoredEntry => ({ line, damage, message: 'it is broken' })

  it('says that a torn tail is left out', async () => {
    const exported = await exportSession(showing([...intact, damaged(9, 'torn')]), 'one')
    expect(exported.omitted).to.deep.equal(['the history ends in an incomplete entry (line 9), which is left out'])
    expect(await all(exported.lines())).to.have.length(intact.length + 2)
  })

  it('refuses damage before an intact line, and what is out of order', async () => {
    for (const stored of [[damaged(1, 'checksum'), ...intact], [...intact, damaged(9, 'order')]]) {
      const error = await refusal(exportSession(showing(stored), 'one'))
      expect(error.code).to.equal('corrupt')
      expect(error.message).to.match(/session one, line \d: it is broken/)
    }
  })

  it('leaves out the cell that a living writer runs, and keeps the one of a dead writer', async () => {
    const running = await exportSession(showing(intact, 'pid 7'), 'one')
    expect([running.entries, running.header.cells, running.omitted]).to.deep.equal(
      [7, 3, ['the session is open (pid 7), and the cell that it is running is left out']])
    expect((await exportSession(showing(intact), 'one')).entries).to.equal(9)
    const idle = await exportSession(showing(intact.slice(0, 7), 'pid 7'), 'one')
    expect([idle.entries, idle.omitted]).to.deep.equal([7, []])
  })

  it('is a prefix: what is appended between the looks is not in it', async () => {
    const source = await sourceWith(story())
    const exported = await exportSession(source, 'one')
    const writer = await source.open('one')
    writer.append({ kind: 'cell-opened', source: 'later', cwd: '/' } satisfies NewEntry)
    const target = new MemorySource()
    await importSession(target, each([await bytesOf(exported)]))
    expect(await all(target.read('one'))).to.deep.equal(story())
  })

  it('of an unknown session is refused', async () => {
    expect((await refusal(exportSession(new MemorySource(), 'none'))).code).to.equal('unknown-session')
  })
})

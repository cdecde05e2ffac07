// One writer a session: opening, closing, and the list of what there is.
import assert from 'node:assert/strict'
import { all, opened, refused, settled, sourcesOf, type Case } from '../trial.ts'

const IDS = ['a', 'A', '.', '..', '../up', '/etc', 'a/b', 'a\\b', '%41', 'con', ' ', '\0', 'x'.repeat(200), 'é'.repeat(200), '\u{1F600}'.repeat(100)]

export const OPENING: readonly Case[] = [
  {
    title: 'S3: a history goes on where the last writer stopped',
    async test(trial) {
      const before = await trial.three()
      const history = await trial.open('one')
      assert.deepEqual(history.repairs, [])
      assert.deepEqual(await all(history.entries()), before)
      assert.ok(history.append(opened('d')) > before.at(-1)!.seq)
      assert.deepEqual(sourcesOf(await all(history.entries())), ['a', 'b', 'c', 'd'])
    },
  },
  {
    title: 'S3: a history goes on with the next source object',
    needs: 'reopen',
    async test(trial) {
      const before = await trial.three()
      const history = await trial.open('one', trial.place.again())
      assert.ok(history.append(opened('d')) > before.at(-1)!.seq)
      assert.deepEqual(sourcesOf(await all(history.entries())), ['a', 'b', 'c', 'd'])
    },
  },
  {
    title: 'L1: opening is refused while another writer has the session, and names it',
    async test(trial) {
      const history = await trial.open('one')
      const error = await refused('locked', () => trial.place.again().open('one'))
      assert.ok(error.message.includes(String(process.pid)), error.message)
      await refused('locked', () => trial.place.source.open('one'))
      await history.close()
      await trial.open('one', trial.place.again())
    },
  },
  {
    title: 'L1 L2: opening is refused while another process has the session, and at once possible when that was killed',
    needs: 'other-process',
    async test(trial) {
      const other = await trial.other()
      await other.ask({ do: 'open', id: 'one' })
      const error = await refused('locked', () => trial.place.source.open('one'))
      assert.ok(error.message.includes(String(other.pid)), error.message)
      assert.deepEqual(await trial.read(), [])
      await other.kill()
      await trial.open('one')
    },
  },
  {
    title: 'L1: another process is refused while this one has the session',
    needs: 'other-process',
    async test(trial) {
      await trial.open('one')
      const other = await trial.other()
      await refused('locked', () => other.ask({ do: 'open', id: 'one' }))
    },
  },
  ...IDS.map((id): Case => ({
    title: `${JSON.stringify(id).slice(0, 16)} (${id.length}) is an id of its own`,
    async test(trial) {
      const [history, other] = [await trial.open(id), await trial.open('%')]
      history.append(opened('mine'))
      other.append(opened('other'))
      await history.close()
      assert.deepEqual(sourcesOf(await trial.read(id, trial.place.again())), ['mine'])
      assert.deepEqual((await trial.place.source.list()).map((summary) => summary.id).sort(), [id, '%'].sort())
    },
  })),
  {
    title: 'what is no id is refused',
    async test(trial) {
      for (const id of ['', 'x'.repeat(201), '\ud800', undefined as unknown as string]) {
        await refused('bad-id', () => trial.place.source.open(id))
        await refused('bad-id', () => all(trial.place.source.read(id)))
      }
    },
  },
  {
    title: 'closing ends the history, once',
    async test(trial) {
      const history = await trial.open('one')
      history.append(opened())
      await history.close()
      await history.close()
      await refused('closed', () => history.append(opened()))
      await refused('closed', () => all(history.entries()))
      assert.equal((await trial.read()).length, 1)
    },
  },
  {
    title: 'closing an old writer does not touch a new one',
    async test(trial) {
      const old = await trial.open('one')
      await old.close()
      const current = await trial.open('one')
      await old.close()
      await refused('closed', () => old.append(opened()))
      current.append(opened())
      await refused('locked', () => trial.place.again().open('one'))
    },
  },
  {
    title: 'the list is empty at first',
    async test(trial) {
      assert.deepEqual(await trial.place.source.list(), [])
    },
  },
  {
    title: 'the list counts the cells of every session, open ones too',
    async test(trial) {
      await trial.three('b')
      const history = await trial.open('a')
      history.append(settled(history.append(opened())))
      const list = await trial.place.source.list()
      assert.deepEqual(list.map(({ id, cells }) => [id, cells]), [['a', 1], ['b', 3]])
      for (const { bytes, updatedAt } of list) assert.ok(bytes > 0 && Number.isSafeInteger(updatedAt))
    },
  },
]

// The optional members, with which a history is checked, exported and imported as a whole.
import assert from 'node:assert/strict'
import type { HistoryEntry } from '../../types.ts'
import { all, opened, refused, type Case } from '../trial.ts'

async function* each<T>(items: readonly T[], end: () => void = () => {}): AsyncGenerator<T> {
  yield* items
  end()
}

/** As another machine wrote them: with gaps between the numbers, times long past, and a field that nobody here knows. */
const CARRIED = [
  { seq: 3, at: 1_000, kind: 'cell-opened', source: 'é\u2028', cwd: '/', note: { by: 'somebody' } },
  { seq: 900, at: 2_000, kind: 'cell-opened', source: 'b', cwd: 'C:\\' },
] as unknown as readonly HistoryEntry[]

export const WHOLE: readonly Case[] = [
  {
    title: 'adopt: a session gets the entries as they are, and goes on after them',
    needs: 'adopt',
    async test(trial) {
      const { place } = trial
      await place.source.adopt!('one', each(CARRIED))
      assert.deepEqual(await trial.read('one', place.again()), CARRIED)
      assert.deepEqual((await place.source.list()).map(({ id, cells }) => [id, cells]), [['one', 2]])
      const history = await trial.open('one', place.again())
      assert.deepEqual(history.repairs, [])
      assert.ok(history.append(opened()) > 900)
    },
  },
  {
    title: 'adopt: nothing is there when the entries end in an error',
    needs: 'adopt',
    async test(trial) {
      const { place } = trial
      const torn = each(CARRIED, () => { throw Object.assign(new Error('torn'), { code: 'bad-document' }) })
      await refused('bad-document', () => place.source.adopt!('one', torn))
      assert.deepEqual(await place.source.list(), [])
      assert.deepEqual(await trial.read('one', place.again()), [])
      await place.source.adopt!('one', each(CARRIED))
    },
  },
  {
    title: 'adopt: a session that has an entry is left alone; an empty one is taken',
    needs: 'adopt',
    async test(trial) {
      const { source } = trial.place
      const before = await trial.three()
      await refused('exists', () => source.adopt!('one', each(CARRIED)))
      assert.deepEqual(await trial.read(), before)
      await (await trial.open('empty')).close()
      await source.adopt!('empty', each(CARRIED))
      assert.deepEqual(await trial.read('empty'), CARRIED)
    },
  },
  {
    title: 'L1 adopt: a session that is open is left alone',
    needs: 'adopt',
    async test(trial) {
      const history = await trial.open('one')
      await refused('locked', () => trial.place.source.adopt!('one', each(CARRIED)))
      history.append(opened())
      await refused('bad-id', () => trial.place.source.adopt!('', each(CARRIED)))
    },
  },
  {
    title: 'inspect: shows every entry, without a lock',
    needs: 'inspect',
    async test(trial) {
      const before = await trial.three()
      await trial.open('one')
      assert.deepEqual(await all(trial.place.again().inspect!('one')), before.map((entry, index) => ({ line: index + 1, entry })))
      assert.deepEqual(await all(trial.place.source.inspect!('none')), [])
    },
  },
  {
    title: 'writer: names who has a session open, and nobody afterwards',
    needs: 'writer',
    async test(trial) {
      const { source } = trial.place
      assert.equal(source.writer!('one'), null)
      const history = await trial.open('one')
      assert.ok(trial.place.again().writer!('one')?.includes(String(process.pid)))
      await history.close()
      assert.equal(source.writer!('one'), null)
    },
  },
]

// Storage that fails: a full disk, a folder without rights, a power cut.
import assert from 'node:assert/strict'
import type { Fault, Remains } from '../index.ts'
import { all, opened, refused, sourcesOf, type Case } from '../trial.ts'

const FAULTS: readonly Fault[] = ['write', 'short-write', 'sync']
const REMAINS: readonly Remains[] = ['nothing', 'half', 'zeros']

export const DISK: readonly Case[] = [
  {
    title: 'opening fails with io when nothing can be written, and reading still works',
    needs: 'read-only',
    async test(trial) {
      const { place } = trial
      await trial.three()
      await place.readOnly!(async () => {
        await refused('io', () => place.again().open('one'))
        await refused('io', () => place.again().open('new'))
        assert.deepEqual(sourcesOf(await trial.read('one', place.again())), ['a', 'b', 'c'])
      })
    },
  },
  ...FAULTS.flatMap((fault): Case[] => [
    {
      title: `S1 S2: an append that fails (${fault}) leaves nothing, and the next one goes on`,
      needs: 'disk-full',
      async test(trial) {
        const before = await trial.three()
        const history = await trial.open('one', trial.place.failing!(fault))
        const error = await refused('io', () => history.append(opened('lost'), { sync: true }))
        assert.ok(error.cause instanceof Error, 'the reason is its cause')
        assert.deepEqual(await trial.read('one', trial.place.again()), before)
        history.append(opened('d'), { sync: true })
        assert.deepEqual(sourcesOf(await all(history.entries())), ['a', 'b', 'c', 'd'])
        await history.close()
        assert.deepEqual((await trial.open('one', trial.place.again())).repairs, [])
      },
    },
    {
      title: `S1 S2: an append that fails (${fault}) leaves nothing, also when it can not be taken back at first`,
      needs: 'disk-full',
      async test(trial) {
        await trial.three()
        const history = await trial.open('one', trial.place.failing!(fault, true))
        await refused('io', () => history.append(opened('lost'), { sync: true }))
        await refused('io', () => history.append(opened('lost too'), { sync: true }))
        assert.deepEqual(sourcesOf(await all(history.entries())), ['a', 'b', 'c'])
        history.append(opened('d'), { sync: true })
        await history.close()
        assert.deepEqual(sourcesOf(await trial.read('one', trial.place.again())), ['a', 'b', 'c', 'd'])
      },
    },
  ]),
  ...REMAINS.map((remains): Case => ({
    title: `a power cut takes nothing that was synced, whatever it leaves of the rest (${remains})`,
    needs: 'power-cut',
    async test(trial) {
      const { source, cut } = trial.place.unplugged!()
      const history = await trial.open('one', source)
      history.append(opened('not synced itself'))
      history.append(opened('synced'), { sync: true })
      history.append(opened('lost'))
      history.append(opened('lost, too'))
      await history.close()
      cut('one', remains)
      const again = await trial.open('one', trial.place.again())
      const left = sourcesOf(await all(again.entries()))
      // What was not synced may be there, but only from the front.
      assert.deepEqual(left, ['not synced itself', 'synced', 'lost', 'lost, too'].slice(0, Math.max(2, left.length)))
      again.append(opened('next'), { sync: true })
      await again.close()
      assert.deepEqual(sourcesOf(await trial.read('one', trial.place.again())), [...left, 'next'])
    },
  })),
]

// What is appended comes back: in order, unchanged, under the numbers that were answered.
import assert from 'node:assert/strict'
import type { HistoryEntry, NewEntry, Surface } from '../../types.ts'
import { all, durable, envelope, opened, refused, settled, sourcesOf, type Case } from '../trial.ts'

export const ENTRIES: readonly Case[] = [
  {
    title: 'S3: entries come back in order, as they were, under the numbers that append answered',
    async test(trial) {
      const history = await trial.open('one')
      const surface: Surface = [{ name: 'tools', members: ['a-b', 'x\u2028'], soft: true }]
      const cell = history.append({ ...opened(), surface } as NewEntry)
      const args = envelope({ a: ['é\u2028\n\ud800', 1, -0.5, null] })
      const call = history.append({ kind: 'call-opened', cell, call: 0, global: 'tools', member: 'x', args })
      const answer = history.append({ kind: 'call-settled', cell, call: 0, ok: true })
      const end = history.append(settled(cell), { sync: true })
      const boundary = history.append({ kind: 'boundary', failed: cell, frontier: null })
      const entries = await all(history.entries())
      assert.deepEqual(entries.map(({ seq }) => seq), [cell, call, answer, end, boundary])
      assert.deepEqual([...entries].sort((a, b) => a.seq - b.seq), entries, 'numbers ascend')
      for (const { at } of entries) assert.ok(Number.isSafeInteger(at))
      assert.deepEqual((entries[0] as { surface?: unknown }).surface, surface)
      assert.deepEqual((entries[1] as { args?: unknown }).args, args)
      assert.deepEqual((entries[3] as { record?: unknown }).record, durable)
    },
  },
  {
    title: 'S3: the source numbers entries, also when one is appended that had a number',
    async test(trial) {
      const history = await trial.open('one')
      const first = history.append(opened('a'))
      const again = history.append({ ...opened('b'), seq: 900, at: 1 } as unknown as NewEntry)
      assert.ok(again > first && again !== 900)
      assert.deepEqual((await all(history.entries())).map(({ seq }) => seq), [first, again])
    },
  },
  {
    title: 'entries can not be changed after they were appended',
    async test(trial) {
      const history = await trial.open('one')
      const record = { ...durable, namespaces: ['a'] }
      history.append({ kind: 'cell-settled', cell: 1, record })
      record.namespaces.push('b')
      const [entry] = await all(history.entries()) as { record?: typeof record }[]
      assert.deepEqual(entry?.record?.namespaces, ['a'])
    },
  },
  {
    title: 'entries are read as a prefix while more are appended',
    async test(trial) {
      const history = await trial.open('one')
      history.append(opened('a'))
      history.append(opened('b'))
      const read: HistoryEntry[] = []
      for await (const entry of history.entries()) if (read.push(entry) < 50) history.append(opened('more'))
      assert.deepEqual(sourcesOf(read).slice(0, 2), ['a', 'b'])
      assert.deepEqual((await all(history.entries())).slice(0, read.length), read)
    },
  },
  {
    title: 'entries are read without the lock, while a writer has it',
    async test(trial) {
      const history = await trial.open('one')
      history.append(opened('a'))
      assert.deepEqual(sourcesOf(await trial.read()), ['a'])
      history.append(opened('b'))
      assert.deepEqual(sourcesOf(await trial.read()), ['a', 'b'])
    },
  },
  {
    title: 'one entry may be large',
    async test(trial) {
      const history = await trial.open('one')
      const large = 'é'.repeat(3_000_000)
      for (const source of ['small', large, 'after']) history.append(opened(source))
      assert.deepEqual(sourcesOf(await all(history.entries())), ['small', large, 'after'])
    },
  },
  {
    title: 'an entry that is not JSON is refused, and nothing is appended',
    async test(trial) {
      const history = await trial.open('one')
      await refused('bad-entry', () => history.append({ ...opened(), args: 1n } as unknown as NewEntry))
      history.append(opened('b'))
      assert.deepEqual(sourcesOf(await all(history.entries())), ['b'])
    },
  },
  {
    title: 'sessions do not mix, and an unknown session has no entries',
    async test(trial) {
      const [one, two] = [await trial.open('one'), await trial.open('two')]
      one.append(opened('1'))
      two.append(opened('2'))
      assert.deepEqual(sourcesOf(await all(one.entries())), ['1'])
      assert.deepEqual(sourcesOf(await trial.read('two')), ['2'])
      assert.deepEqual(await trial.read('three'), [])
    },
  },
]

// Documents beside histories: replaced as a whole, of one session or of all, and kept when they are no good.
import assert from 'node:assert/strict'
import { refused, sourcesOf, type Case } from '../trial.ts'

const NAME = 'some-document'
const TEXTS = ['', '{}', 'not JSON', 'é\u{1F600}\0\n', 'x'.repeat(1_000_000)]

export const DOCUMENTS: readonly Case[] = [
  {
    title: 'documents are written, read and replaced, by name, of a session and of all',
    needs: 'documents',
    async test(trial) {
      const [one, other] = [await trial.open('one'), await trial.open('other')]
      const places = [one.documents!, other.documents!, trial.place.source.documents!]
      for (const place of places) assert.equal(place.read(NAME), undefined)
      for (const text of TEXTS) {
        places.forEach((place, index) => { place.write(NAME, `${index}${text}`) })
        assert.deepEqual(places.map((place) => place.read(NAME)), places.map((_, index) => `${index}${text}`))
      }
      assert.equal(one.documents!.read('another'), undefined)
    },
  },
  {
    title: 'documents are no part of the history, and no session',
    needs: 'documents',
    async test(trial) {
      await trial.three('one')
      const history = await trial.open('one')
      history.documents!.write(NAME, '{}')
      trial.place.source.documents!.write(NAME, '{}')
      await history.close()
      assert.deepEqual(sourcesOf(await trial.read('one')), ['a', 'b', 'c'])
      assert.deepEqual((await trial.place.source.list()).map(({ id }) => id), ['one'])
    },
  },
  {
    title: 'documents are there for the next source object',
    needs: 'documents',
    async test(trial) {
      const history = await trial.open('one')
      history.documents!.write(NAME, 'of one')
      trial.place.source.documents!.write(NAME, 'of all')
      await history.close()
      const again = trial.place.again()
      assert.deepEqual([(await trial.open('one', again)).documents!.read(NAME), again.documents!.read(NAME)], ['of one', 'of all'])
    },
  },
  {
    title: 'documents that are set aside are gone, kept under another name, and as often as it takes',
    needs: 'documents',
    async test(trial) {
      const { documents } = await trial.open('one')
      const names = ['first', 'second', 'third'].map((text) => {
        documents!.write(NAME, text)
        const name = documents!.setAside(NAME)
        assert.equal(documents!.read(NAME), undefined)
        return name
      })
      assert.equal(new Set(names).size, 3)
    },
  },
  {
    title: 'S1: a document that can not be written leaves the one before',
    needs: 'documents',
    async test(trial) {
      const first = await trial.open('one')
      first.documents!.write(NAME, 'before')
      await first.close()
      for (const fault of ['write', 'short-write', 'sync'] as const) {
        const source = trial.place.failing?.(fault)
        if (source === undefined) return // a place that can not be made to fail
        const history = await trial.open('one', source)
        await refused('io', () => history.documents!.write(NAME, 'after'))
        assert.equal(history.documents!.read(NAME), 'before')
        await history.close()
      }
    },
  },
  {
    title: 'documents are closed with their history',
    needs: 'documents',
    async test(trial) {
      const { documents, close } = await trial.open('one').then((history) => ({ documents: history.documents!, close: () => history.close() }))
      documents.write(NAME, 'text')
      await close()
      for (const work of [() => documents.read(NAME), () => documents.write(NAME, ''), () => documents.setAside(NAME)]) await refused('closed', work)
    },
  },
]

// The surface of cells in a history: told by an entry, in effect until the next one tells another, never trusted.
import { expect } from 'chai'
import { createFold, createIndex, fold, withContents } from '../../plugins/journal/fold.ts'
import { surfaceAfter } from '../../plugins/journal/schema/surface.ts'
import type { HistoryEntry, NewEntry, Surface } from '../../plugins/journal/types.ts'
import { doing, durable, noop, Script, volatile } from './history.ts'

const ONE: Surface = [{ name: 'notes', members: ['add', 'list'], errorClass: { name: 'NotesError', memberNameProperty: 'which' } }, { name: 'tools', members: ['edit_run_code'], soft: true }]
const TWO: Surface = [{ name: 'notes', members: [] }]

class Told extends Script {
  tell(surface: unknown, record: unknown = durable): number {
    const cell = this.add({ kind: 'cell-opened', source: 'x', cwd: '/home/me', ...surface === undefined ? {} : { surface } } as NewEntry)
    this.settle(cell, record)
    return cell
  }
}

async function* each(entries: readonly HistoryEntry[]) { yield* entries }

/** The surfaces of the path: the fold with contents and the one that reads them again agree. */
async function surfacesOf({ entries }: Script): Promise<(Surface | undefined)[]> {
  const index = createIndex()
  for (const entry of entries) index.add(entry)
  const again = (await withContents(index.frontier(), each(entries))).path
  const path = fold(entries).path
  expect(again).to.deep.equal(path)
  return path.map(({ surface }) => surface)
}

describe('the surface of cells in a history', () => {
  it('is that of the last entry that told one, whatever became of its cell', async () => {
    const script = new Told()
    script.tell(undefined)
    script.tell(ONE)
    script.tell(undefined)
    script.tell(TWO, noop)
    script.tell(undefined)
    script.tell(ONE, volatile)
    script.tell(undefined)
    expect(await surfacesOf(script)).to.deep.equal([undefined, ONE, ONE, TWO, ONE])
  })

  it('goes by the order of the history, across branches and contractions', async () => {
    const script = new Told()
    script.tell(ONE, doing({ action: 'save', name: 'a' }))
    const failed = script.tell(TWO)
    script.boundary(failed, 1)
    script.tell(undefined)
    script.tell(ONE)
    script.tell(undefined, doing({ action: 'restore', name: 'a' }))
    script.tell(undefined)
    expect(await surfacesOf(script)).to.deep.equal([ONE, ONE])
    expect(await surfacesOf(Object.assign(new Told(), { entries: script.entries.slice(0, 7) }))).to.deep.equal([ONE, TWO])
  })

  it('is one object for all cells that had it', () => {
    const script = new Told()
    script.tell(ONE)
    for (let cell = 0; cell < 3; cell += 1) script.tell(undefined)
    expect(new Set(fold(script.entries).path.map(({ surface }) => surface)).size).to.equal(1)
  })

  it('of the cell opened last is known to a fold in progress, with contents or without', () => {
    for (const folding of [createFold(), createIndex()]) {
      expect(folding.surface).to.equal(undefined)
      folding.add({ seq: 1, at: 0, kind: 'cell-opened', source: 'x', cwd: '/', surface: ONE })
      folding.add({ seq: 2, at: 0, kind: 'cell-opened', source: 'y', cwd: '/' })
      expect(folding.surface).to.deep.equal(ONE)
      folding.add({ seq: 2, at: 0, kind: 'cell-opened', source: 'z', cwd: '/', surface: TWO })
      expect(folding.surface, 'an entry out of order').to.deep.equal(ONE)
    }
  })

  const BAD: Readonly<Record<string, unknown>> = {
    'null': null, 'a text': 'notes', 'an object': { 0: TWO[0], length: 1 }, 'holes': [, TWO[0]],
    'an unknown field': [{ ...TWO[0], mood: 'good' }], 'no members': [{ name: 'notes' }], 'members that are no list': [{ name: 'notes', members: { length: 0 } }],
    'a member that is no text': [{ name: 'notes', members: [1] }], 'an empty member': [{ name: 'notes', members: [''] }],
    'a member twice': [{ name: 'notes', members: ['a', 'a'] }], 'members out of order': [{ name: 'notes', members: ['b', 'a'] }],
    'a namespace twice': [TWO[0], TWO[0]], 'namespaces out of order': [{ name: 'b', members: [] }, { name: 'a', members: [] }],
    'no name of a global': [{ name: 'a.b', members: [] }], 'a name that is too long': [{ name: 'a'.repeat(513), members: [] }],
    'a member that is too long': [{ name: 'a', members: ['a'.repeat(513)] }],
    'more names than anybody offers': [{ name: 'a', members: Array.from({ length: 200_000 }, (_, index) => String(index).padStart(6, '0')) }],
    'soft that is not true': [{ name: 'a', members: [], soft: false }], 'an error class without a property': [{ name: 'a', members: [], errorClass: { name: 'E' } }],
    'another base class': [{ name: 'a', members: [], errorClass: { name: 'E', memberNameProperty: 'm', extends: 'Array' } }],
    'a class of no name': [{ name: 'a', members: [], errorClass: { name: '', memberNameProperty: 'm' } }],
  }
  for (const [title, bad] of Object.entries(BAD)) {
    it(`J3 ${title}: the cell counts, and nothing is known until the next that can be read`, async () => {
      const script = new Told()
      script.tell(ONE)
      script.tell(bad)
      script.tell(undefined)
      script.tell(TWO)
      expect(await surfacesOf(script)).to.deep.equal([ONE, undefined, undefined, TWO])
    })
  }

  it('is a copy: who wrote the entry can not change it', () => {
    const written = structuredClone(ONE) as unknown as { members: string[] }[]
    const read = surfaceAfter(undefined, { surface: written })
    written[0]!.members.push('z')
    expect(read).to.deep.equal(ONE)
  })
})

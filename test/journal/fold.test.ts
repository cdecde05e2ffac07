// Would catch: a frontier that claims more than the history proves, a loss that is not reported, and an entry that makes
// the fold throw. Rows that start with a section number are the examples of that section of the contract.
import { expect } from 'chai'
import { createFold, createIndex, fold, withContents } from '../../plugins/journal/fold.ts'
import type { Frontier, HistoryEntry } from '../../plugins/journal/types.ts'
import { callOf, cutOff, discarded, doing, durable, envelope, noop, Script, version10, volatile } from './history.ts'

interface Expected {
  readonly path: readonly number[]
  readonly checkpoints?: { readonly [name: string]: number | null }
  readonly lost?: readonly string[]
  readonly inDoubt?: readonly string[]
}

const summary = ({ head, path, checkpoints, lost, inDoubt }: Frontier) => {
  expect(head, 'the head is the end of the path').to.equal(path.at(-1)?.cell ?? null)
  return {
    path: path.map(({ cell }) => cell),
    checkpoints: Object.fromEntries(checkpoints),
    lost: lost.map(({ cell, reason }) => `${cell} ${reason}`),
    inDoubt: inDoubt.map(({ cell, call }) => `${cell}.${call}`),
  }
}

const save = { action: 'save', name: 's' } as const
const restore = { action: 'restore', name: 's' } as const
const back = { action: 'restore' } as const
const remove = { action: 'delete', name: 's' } as const

// `cell()` writes two entries, so plain cells are 1, 3, 5, ...
const rows: { readonly [title: string]: (script: Script) => Expected } = {
  'an empty history': () => ({ path: [] }),
  '3.8 a durable cell is the path': (s) => (s.cell(durable), { path: [1] }),
  '3.8 a volatile cell is lost': (s) => (s.cell(volatile), { path: [], lost: ['1 volatile'] }),
  '3.8 a volatile suffix, then a restart': (s) => (s.cell(durable), s.cell(volatile), s.cell(volatile), { path: [1], lost: ['3 volatile', '5 volatile'] }),
  '3.8 a call that was cut off': (s) => {
    s.cell(durable)
    const cell = s.open()
    s.call(cell, 0)
    s.settle(cell, cutOff)
    return { path: [1], lost: ['3 discarded'] }
  },
  '3.8 a checkpoint stands for the end of its cell': (s) => (s.cell(durable), s.cell(doing(save)), s.cell(durable), s.cell(doing(restore)), { path: [1, 3], checkpoints: { s: 3 } }),
  '3.8 an old cell that never settled, then a durable one': (s) => (s.cell(doing(save)), s.open(), s.cell(durable), { path: [1, 4], checkpoints: { s: 1 } }),
  '3.8 a record with settle [0,2]': (s) => (s.cell(durable), s.cell({ ...durable, calls: [callOf(0), callOf(2)] }), { path: [1], lost: ['3 invalid'] }),
  '3.8 a noop record with a call': (s) => (s.cell({ ...noop, calls: [callOf(0)] }), { path: [], lost: ['1 invalid'] }),
  '3.8 version 999 and its boundary': (s) => (s.cell(durable), s.cell({ ...durable, version: 999 }), s.boundary(3, 1), { path: [1], lost: ['3 invalid'] }),

  '3.1 a record of version 10': (s) => (s.cell(version10), { path: [1] }),
  '3.2 noop and discarded without reason leave no trace': (s) => (s.cell(durable), s.cell(noop), s.cell(discarded), s.cell(durable), { path: [1, 7] }),

  '3.4 a later durable record re-establishes trust': (s) => (s.cell(durable), s.cell(volatile), s.cell(cutOff), s.cell({}), s.cell(durable), { path: [1, 9] }),
  '3.4 the last cell never settled': (s) => (s.cell(durable), s.open(), { path: [1], lost: ['3 unsettled'] }),
  '3.4 its calls without an answer are in doubt': (s) => {
    const cell = s.open()
    s.call(cell, 0)
    s.call(cell, 1)
    s.answer(cell, 0)
    return { path: [], lost: ['1 unsettled'], inDoubt: ['1.1'] }
  },
  '3.4 a noop does not clear what never settled': (s) => (s.call(s.open(), 0), s.cell(noop), { path: [], lost: ['1 unsettled'], inDoubt: ['1.0'] }),
  '3.4 a discarded cell clears it': (s) => (s.call(s.open(), 0), s.cell(discarded), { path: [] }),
  '3.4 a cell that waits for the running one stays open': (s) => {
    const [first] = [s.open(), s.open()]
    s.settle(first, durable)
    return { path: [1], lost: ['2 unsettled'] }
  },
  '3.3 a record confirms that a cell never ran': (s) => {
    const never = s.open()
    s.cell({ ...noop, confirms: [never] })
    return { path: [] }
  },
  '3.3 a cell with a call has run, whatever another record says': (s) => {
    const ran = s.open()
    s.call(ran, 0)
    s.cell({ ...noop, confirms: [ran] })
    return { path: [], lost: ['1 unsettled'], inDoubt: ['1.0'] }
  },

  '3.5 delete': (s) => (s.cell(doing(save)), s.cell(doing(remove)), { path: [1, 3] }),
  '3.5 delete of an unknown name': (s) => (s.cell(doing(remove)), { path: [1] }),
  '3.5 unnamed restore of a durable cell: its parent': (s) => (s.cell(durable), s.cell(doing(back)), { path: [1] }),
  '3.5 unnamed restore of the first cell: empty': (s) => (s.cell(doing(back)), { path: [] }),
  '3.5 unnamed restore of a volatile cell: the head': (s) => (s.cell(durable), s.cell({ ...volatile, operations: [back] }), { path: [1] }),
  '3.5 in call order': (s) => (s.cell(durable), s.cell(doing(save, back, { action: 'save', name: 't' }, remove)), { path: [1], checkpoints: { t: 3 } }),
  '3.5 a volatile cell does not save': (s) => (s.cell({ ...volatile, operations: [save] }), { path: [], lost: ['1 volatile'] }),
  '3.5 a volatile cell deletes and restores': (s) => (s.cell(doing(save)), s.cell(durable), s.cell({ ...volatile, operations: [restore, remove] }), { path: [1] }),
  '3.5 a branch grows from what was restored': (s) => (s.cell(doing(save)), s.cell(durable), s.cell(doing(restore)), s.cell(durable), { path: [1, 7], checkpoints: { s: 1 } }),
  '3.5 J3: restore of a name that nobody saved': (s) => (s.cell(durable), s.cell(doing(restore)), { path: [1], lost: ['3 invalid'] }),
  '3.5 J3: restore of a name deleted before in the same cell': (s) => (s.cell(doing(save)), s.cell(doing(remove, restore)), { path: [1], checkpoints: { s: 1 }, lost: ['3 invalid'] }),

  '3.4 boundary: the cell and all that follow from it': (s) => (s.cell(durable), s.cell(doing(save)), s.cell(durable), s.boundary(3, 1), { path: [1], lost: ['3 contracted', '5 contracted'] }),
  '3.4 boundary at the first cell: empty': (s) => (s.cell(durable), s.cell(durable), s.boundary(1, null), { path: [], lost: ['1 contracted', '3 contracted'] }),
  '3.4 boundary: a checkpoint before it stays': (s) => (s.cell(doing(save)), s.cell(durable), s.boundary(3, 1), { path: [1], checkpoints: { s: 1 }, lost: ['3 contracted'] }),
  '3.4 boundary on a branch that is not the head\'s': (s) => (s.cell(doing(save)), s.cell(durable), s.cell(doing(restore)), s.cell(durable), s.boundary(3, 1), { path: [1, 7], checkpoints: { s: 1 }, lost: ['3 contracted', '5 contracted'] }),
  '3.4 boundary, then on from there': (s) => (s.cell(durable), s.cell(durable), s.boundary(3, 1), s.cell(durable), { path: [1, 6] }),
  '3.4 boundary down twice': (s) => (s.cell(durable), s.cell(durable), s.boundary(3, 1), s.boundary(1, null), { path: [], lost: ['1 contracted', '3 contracted'] }),
  '3.4 boundary said twice': (s) => (s.cell(durable), s.cell(durable), s.boundary(3, 1), s.boundary(3, 1), { path: [1], lost: ['3 contracted'] }),
  '3.4 boundary of a cell that is no node': (s) => (s.cell(durable), s.cell(volatile), s.boundary(3, 1), { path: [1], lost: ['3 volatile'] }),
  '3.4 boundary with a wrong frontier drops its node': (s) => (s.cell(durable), s.cell(durable), s.boundary(3, null), { path: [1], lost: ['3 contracted'] }),
  '3.4 boundary with a wrong frontier and no node: empty': (s) => (s.cell(doing(save)), s.cell(volatile), s.boundary(3, null), { path: [], lost: ['1 contracted', '3 volatile'] }),
  '3.4 boundary of an unknown cell: empty': (s) => (s.cell(durable), s.boundary(99, 1), { path: [], lost: ['1 contracted', '99 contracted'] }),

  'J3: a cell that settles twice': (s) => (s.cell(durable), s.cell(durable), s.settle(3, durable), { path: [1], lost: ['3 invalid'] }),
  'J3: a cell that settles twice, with cells after it': (s) => (s.cell(durable), s.cell(durable), s.settle(1, durable), { path: [], lost: ['1 invalid', '3 contracted'] }),
  'J3: a cell that was never opened': (s) => (s.cell(durable), s.settle(99, durable), { path: [1], lost: ['99 invalid'] }),
  'J3: a cell that settles after a later one': (s) => {
    const early = s.open()
    s.cell(durable)
    s.settle(early, durable)
    return { path: [2], lost: ['1 invalid'] }
  },
  'J3: a call opened twice': (s) => {
    const cell = s.open()
    s.call(cell, 0)
    s.call(cell, 0)
    s.settle(cell, durable)
    return { path: [], lost: ['1 invalid'] }
  },
  'J3: a call answered twice': (s) => {
    const cell = s.open()
    s.call(cell, 0)
    s.answer(cell, 0)
    s.answer(cell, 0)
    s.settle(cell, durable)
    return { path: [], lost: ['1 invalid'] }
  },
  'J3: an answer to nothing': (s) => (s.answer(s.open(), 0), { path: [], lost: ['1 invalid'] }),
  'J3: a call of a settled cell': (s) => (s.call(s.cell(durable), 0), { path: [], lost: ['1 invalid'] }),
  'a call that was refused before its dispatch fails without having been opened': (s) => {
    const cell = s.open()
    s.answer(cell, 0, false)
    s.settle(cell, { ...durable, calls: [callOf(0)] })
    return { path: [1] }
  },
  'the late answer of a discarded cell changes nothing': (s) => {
    const cell = s.open()
    s.call(cell, 0)
    s.settle(cell, cutOff)
    s.answer(cell, 0)
    return { path: [], lost: ['1 discarded'] }
  },
}

const damage: { readonly [title: string]: unknown } = {
  'nothing': null, 'text': 'cell-settled', 'no kind': { seq: 9, at: 0 }, 'no number': { kind: 'boundary' },
  'an unknown kind': { seq: 9, at: 0, kind: 'cell-forgotten', cell: 3 }, 'a kind of every object': { seq: 9, at: 0, kind: 'toString' },
  'a cell that is no number': { seq: 9, at: 0, kind: 'cell-settled', cell: '3', record: durable },
  'a boundary without frontier': { seq: 9, at: 0, kind: 'boundary', failed: 3 },
  'arguments that are no envelope': { seq: 9, at: 0, kind: 'call-opened', cell: 3, call: 0, global: 'a', member: 'b', args: 1 },
  'a getter that throws': { seq: 9, at: 0, get kind() { throw new Error('no') } },
  'a revoked proxy': (() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })(),
}

describe('fold', () => {
  for (const [title, build] of Object.entries(rows)) {
    it(title, () => {
      const script = new Script()
      const expected = build(script)
      expect(summary(fold(script.entries))).to.deep.equal({ checkpoints: {}, lost: [], inDoubt: [], ...expected })
    })
  }

  for (const [title, value] of Object.entries(damage)) {
    it(`J3: an entry that is damaged (${title}) is reported and takes no more than its cell`, () => {
      const script = new Script()
      script.cell(durable)
      const before = fold(script.entries).path
      const frontier = fold([...script.entries, value as HistoryEntry])
      expect(frontier.path).to.deep.equal(before)
      expect(frontier.lost.map(({ reason }) => reason)).to.deep.equal(['invalid'])
    })
  }

  it('J3: an entry out of order takes the cell that it speaks of', () => {
    const script = new Script()
    script.cell(durable)
    script.cell(durable)
    const frontier = fold([...script.entries, ...script.entries.slice(2, 3)])
    expect(summary(frontier)).to.include.keys('path').and.deep.include({ path: [1], lost: ['3 invalid'] })
    expect(frontier.lost[0]?.detail).to.match(/out of order/)
  })

  it('J2: only durable records, restores and contractions move the head', () => {
    const script = new Script()
    const folding = createFold()
    const heads: (number | null)[] = []
    for (const record of [durable, noop, volatile, discarded, cutOff, {}, durable]) script.cell(record)
    for (const entry of script.entries) {
      folding.add(entry)
      heads.push(folding.frontier().head)
    }
    expect(heads).to.deep.equal([null, ...Array<number>(12).fill(1), 13])
  })

  it('keeps source, parent and record of every cell of the path', () => {
    const script = new Script()
    script.cell(durable, 'a')
    script.cell({ ...durable, calls: [callOf(0)] }, 'b')
    expect(fold(script.entries).path).to.deep.equal([
      { cell: 1, parent: null, source: 'a', record: durable },
      { cell: 3, parent: 1, source: 'b', record: { ...durable, calls: [callOf(0)] } },
    ])
  })

  it('tells what was lost and why', () => {
    const script = new Script()
    script.cell(volatile)
    script.cell({ ...durable, version: 999 })
    const [first, second] = fold(script.entries).lost
    expect(first).to.deep.equal({ cell: 1, reason: 'volatile', detail: 'import node:fs' })
    expect(second?.detail).to.match(/version 999/)
  })

  it('names target and arguments of a call in doubt', () => {
    const script = new Script()
    script.call(script.open(), 0)
    expect(fold(script.entries).inDoubt).to.deep.equal([{ cell: 1, call: 0, global: 'tools', member: 'never', args: envelope(0) }])
  })

  it('F1: a frontier does not change when entries are added', () => {
    const script = new Script()
    const folding = createFold()
    script.cell(doing(save))
    script.cell(durable)
    for (const entry of script.entries.splice(0)) folding.add(entry)
    const early = folding.frontier()
    for (const entry of [
      { seq: 5, at: 0, kind: 'boundary', failed: 1, frontier: null } as const,
      { seq: 6, at: 0, kind: 'cell-opened', source: 'y', cwd: '/' } as const,
    ]) folding.add(entry)
    expect(summary(early)).to.deep.equal({ path: [1, 3], checkpoints: { s: 1 }, lost: [], inDoubt: [] })
    expect(summary(folding.frontier())).to.deep.include({ path: [], lost: ['1 contracted', '3 contracted', '6 unsettled'] })
  })

  it('an index proves the same, and what its cells said is read again', async () => {
    for (const build of Object.values(rows)) {
      const script = new Script()
      build(script)
      const index = createIndex()
      for (const entry of script.entries) index.add(entry)
      const stored = async function* () { yield* script.entries }
      expect(await withContents(index.frontier(), stored())).to.deep.equal({ ...fold(script.entries) })
    }
  })

  it('an index whose entries are gone says so', async () => {
    const script = new Script()
    script.cell(durable)
    const index = createIndex()
    for (const entry of script.entries) index.add(entry)
    const error = await withContents(index.frontier(), (async function* () {})()).then(() => undefined, (thrown: unknown) => thrown)
    expect(error).to.have.property('code', 'io')
  })

  it('F2: entry by entry proves what the whole proves, after every prefix', () => {
    for (const build of Object.values(rows)) {
      const script = new Script()
      build(script)
      const folding = createFold()
      for (const [index, entry] of script.entries.entries()) {
        folding.add(entry)
        expect(summary(folding.frontier())).to.deep.equal(summary(fold(script.entries.slice(0, index + 1))))
      }
    }
  })

  it('F2: folds a history of 100,000 entries, asked for its head after every cell', () => {
    const script = new Script()
    const folding = createFold()
    let asked = 0
    for (let cell = 0; cell < 50_000; cell++) script.cell(durable)
    for (const entry of script.entries) {
      folding.add(entry)
      if (entry.kind === 'cell-settled' && folding.frontier().head === entry.cell) asked++
    }
    expect(asked).to.equal(50_000)
    expect(folding.frontier().path).to.have.length(50_000)
  })
})

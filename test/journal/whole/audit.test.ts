// What an audit says of histories that are damaged, wrong in themselves, or at odds with themselves; and that it stays quiet
// about cells that were lost as the session itself said.
import { expect } from 'chai'
import { audit } from '../../../plugins/journal/whole/audit.ts'
import type { HistoryEntry, Problem, StoredEntry } from '../../../plugins/journal/types.ts'
import { cutOff, doing, durable, noop, Script, volatile } from '../history.ts'

async function audited(entries: readonly (HistoryEntry | Extract<StoredEntry, { damage: string }>)[]) {
  async function* lines(): AsyncGenerator<StoredEntry> {
    for (const [index, one] of entries.entries()) yield 'damage' in one ? { ...one, line: index + 1 } : { line: index + 1, entry: one }
  }
  return audit(lines())
}

const damage = (kind: 'torn' | 'checksum' | 'order' | 'json') => ({ line: 0, damage: kind, message: kind })

/** Each builds a history; the row says which line has which problem of which cell. */
const wrong: Readonly<Record<string, readonly [(s: Script) => void, ...(readonly [line: number, check: Problem['check'], cell: number, message: RegExp])[]]>> = {
  'a record with an unknown field': [(s) => s.cell({ ...durable, extra: 1 }), [2, 'schema', 1, /unknown field "extra"/]],
  'a record of a generation to come': [(s) => s.cell({ ...durable, version: 12 }), [2, 'schema', 1, /version 12/]],
  'an entry of an unknown kind': [(s) => { s.cell(durable); s.entries.push({ seq: 3, at: 0, kind: 'what' } as never) }, [3, 'schema', 3, /unknown kind/]],
  'a cell that settles twice': [(s) => { const cell = s.cell(durable); s.settle(cell, durable) }, [3, 'fold', 1, /settled twice/]],
  'an answer without a call': [(s) => { const cell = s.open(); s.answer(cell, 0); s.settle(cell, durable) }, [2, 'fold', 1, /without being open/]],
  'a checkpoint that nobody saved': [(s) => s.cell(doing({ action: 'restore', name: 'x' })), [2, 'fold', 1, /unknown checkpoint x/]],
  'a boundary of another history': [(s) => { s.cell(durable); s.boundary(99, 50) }, [3, 'fold', 99, /another history/]],
  'what a later durable record would hide': [(s) => { s.cell({ ...durable, calls: 3 }); s.cell(durable) }, [2, 'schema', 1, /calls is not a list/]],
}

const fine: Readonly<Record<string, (s: Script) => void>> = {
  'a history of every fate': (s) => { s.cell(durable); s.cell(noop); s.cell(volatile); s.cell(cutOff); s.cell(durable) },
  'a cell that never settled': (s) => { s.call(s.open(), 0) },
  'a boundary at its own cell': (s) => { s.boundary(s.cell(durable), null) },
}

describe('audit of a stored history', () => {
  for (const [title, [build, ...expected]] of Object.entries(wrong)) it(`names ${title}`, async () => {
    const script = new Script()
    build(script)
    const { problems, corrupt } = await audited(script.entries)
    expect(problems.map(({ line, check, cell }) => [line, check, cell])).to.deep.equal(expected.map(([line, check, cell]) => [line, check, cell]))
    for (const [index, [, , , message]] of expected.entries()) expect(problems[index]!.message).to.match(message)
    expect(corrupt).to.equal(false)
  })

  for (const [title, build] of Object.entries(fine)) it(`has nothing to say about ${title}`, async () => {
    const script = new Script()
    build(script)
    expect((await audited(script.entries)).problems).to.deep.equal([])
  })

  it('goes on after damage, but does not believe what follows', async () => {
    const script = new Script()
    script.cell(durable)
    script.cell(durable)
    const [first, second, third, fourth] = script.entries as [HistoryEntry, HistoryEntry, HistoryEntry, HistoryEntry]
    const { problems, corrupt, frontier, lines, cells } = await audited([first, second, damage('checksum'), third, damage('json'), fourth])
    expect(problems.map(({ line, check }) => [line, check])).to.deep.equal([[3, 'checksum'], [5, 'schema']])
    expect([corrupt, frontier.head, lines, cells]).to.deep.equal([true, 1, 6, 2])
  })

  it('calls damage at the end no reason not to open the session', async () => {
    const script = new Script()
    script.cell(durable)
    for (const kind of ['torn', 'checksum'] as const) {
      const { problems, corrupt, frontier } = await audited([...script.entries, damage(kind)])
      expect([problems.length, corrupt, frontier.head]).to.deep.equal([1, false, 1])
    }
    expect((await audited([...script.entries, damage('order')])).corrupt).to.equal(true)
  })

  it('counts nothing where nothing is', async () => {
    expect(await audited([])).to.deep.include({ lines: 0, cells: 0, problems: [], corrupt: false })
  })
})

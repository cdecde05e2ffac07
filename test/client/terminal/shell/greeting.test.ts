// The one line at the start of a session.
import { expect } from 'chai'
import type { App } from '../../../../client/terminal/compose.ts'
import { greeting } from '../../../../client/terminal/shell/greeting.ts'
import type { FoldedCell, Frontier, LostCell } from '../../../../plugins/journal/types.ts'

function journal(path: number, lost: readonly LostCell[], inDoubt = 0): Pick<App, 'journal'> {
  const frontier = { head: null, path: Array.from({ length: path }, () => ({}) as FoldedCell), checkpoints: new Map(), lost, inDoubt: Array(inDoubt).fill({}) } as Frontier
  return { journal: { read: async function* () {}, newFold: () => ({ add() {}, frontier: () => frontier }) } as unknown as App['journal'] }
}

const session = { id: 'default', policy: 'stateful' } as const

describe('the line at the start', () => {
  it('says that a session is empty', async () => expect(await greeting(journal(0, []), session)).to.equal('session default, empty'))
  it('counts what comes back and what is lost, with reasons', async () => {
    const lost: LostCell[] = [
      { cell: 1, reason: 'discarded' }, { cell: 2, reason: 'volatile', detail: 'import node:fs' }, { cell: 3, reason: 'volatile', detail: 'import node:fs' },
    ]
    expect(await greeting(journal(1, lost), session)).to.equal('session default, 1 cell to bring back, 3 cells lost (volatile: import node:fs; discarded)')
  })
  it('names calls in doubt and a policy that is not the usual one', async () => {
    expect(await greeting(journal(2, [], 1), { id: 'x', policy: 'protected' })).to.equal('session x, 2 cells to bring back, 1 call in doubt, protected')
  })
})

// Would catch: a cell that is named by another number than the one under which people saw it run.
import { expect } from 'chai'
import { CellNumbers } from '../../../../plugins/kernel/host/past/numbers.ts'

describe('numbers of cells', () => {
  it('count what was opened, whatever lies between', () => {
    const numbers = new CellNumbers()
    expect(numbers.next).to.equal(1)
    for (const seq of [3, 4, 9, 40]) numbers.add(seq)
    expect([3, 4, 9, 40].map((seq) => numbers.of(seq))).to.deep.equal([1, 2, 3, 4])
    expect([0, 5, 41].map((seq) => numbers.of(seq))).to.deep.equal([0, 0, 0])
    expect(numbers.next).to.equal(5)
  })
})

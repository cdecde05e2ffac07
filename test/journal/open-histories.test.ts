// Would catch: a history that stays open behind the journal's back, above all one that was just being opened.
import { expect } from 'chai'
import { MemorySource } from '../../plugins/journal/memory-store.ts'
import { OpenHistories } from '../../plugins/journal/open-histories.ts'
import type { History, HistorySource, NewEntry } from '../../plugins/journal/types.ts'

const cell: NewEntry = { kind: 'cell-opened', source: 'x', cwd: '/' }

/** Opens when `go` is called, and keeps what it opened. */
function slowSource() {
  const inner = new MemorySource()
  const { promise: gate, resolve: go } = Promise.withResolvers<void>()
  const opened: History[] = []
  const source: HistorySource = {
    kind: 'slow', list: () => inner.list(), read: (id) => inner.read(id),
    async open(id) {
      await gate
      const history = await inner.open(id)
      opened.push(history)
      return history
    },
  }
  return { source, go, opened }
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
  return 'nothing was thrown'
}

describe('open histories', () => {
  it('H1: closes one whose opening is under way, and refuses it', async () => {
    const histories = new OpenHistories()
    const { source, go, opened } = slowSource()
    const opening = codeOf(histories.open(source, 'one'))
    const closing = histories.close()
    go()
    await closing
    expect(opened).to.have.length(1)
    expect(() => opened[0]?.append(cell)).to.throw().with.property('code', 'closed')
    expect(await opening).to.equal('closed')
  })

  it('H1: opens nothing once closed', async () => {
    const histories = new OpenHistories()
    await histories.close()
    expect(await codeOf(histories.open(new MemorySource(), 'one'))).to.equal('closed')
  })

  it('H1: closes the others when one can not be closed, and says so', async () => {
    const histories = new OpenHistories()
    const inner = new MemorySource()
    const stuck = await inner.open('stuck')
    await histories.open({
      kind: 'stuck', list: () => inner.list(), read: (id) => inner.read(id),
      open: async () => Object.assign(Object.create(stuck) as History, { close: () => Promise.reject(new Error('stuck')) }),
    }, 'stuck')
    const other = await histories.open(inner, 'other')
    expect(await codeOf(histories.close())).to.be.instanceOf(AggregateError)
    expect(() => other.append(cell)).to.throw().with.property('code', 'closed')
  })

  it('a history that was closed by its owner can be opened again', async () => {
    const histories = new OpenHistories()
    const source = new MemorySource()
    await (await histories.open(source, 'one')).close()
    expect((await histories.open(source, 'one')).append(cell)).to.be.a('number')
    await histories.close()
  })
})

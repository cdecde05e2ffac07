// Orders on a channel: whatever is left out of them, the other end has the order that was given.
import { expect } from 'chai'
import { completeOrders, shortenOrders } from '../../../plugins/kernel/protocol/repeated.ts'
import type { RunOrder, SentOrder } from '../../../plugins/kernel/protocol/messages.ts'
import { DEFAULT_LIMITS } from '../../../plugins/kernel/wire/limits.ts'

const tools = { name: 'tools', members: ['read'] }
const more = { name: 'more', members: ['one'] }
const order = (cell: number, rest: Partial<RunOrder> = {}): RunOrder => ({ cell, cwd: '/', isProtected: false, namespaces: [tools], limits: DEFAULT_LIMITS, ...rest })

/** As on a channel: what arrives shares nothing with what was sent. */
const carried = (sent: SentOrder) => JSON.parse(JSON.stringify(sent)) as SentOrder

describe('orders on a channel', () => {
  it('arrive as they were given, and say again only what is another than before', () => {
    const [shorten, complete] = [shortenOrders(), completeOrders()]
    const limits = { ...DEFAULT_LIMITS, maxNodes: 7 }
    const rows: [RunOrder, readonly string[]][] = [
      [order(1), ['namespaces', 'limits']],
      [order(2), []],
      [order(3, { namespaces: [tools], limits: { ...DEFAULT_LIMITS } }), []],
      [order(4, { namespaces: [tools, more] }), ['namespaces']],
      [order(5, { limits }), ['namespaces', 'limits']],
      [order(6, { limits, namespaces: [{ ...tools }], dropsTimers: true }), ['namespaces']],
      [order(7, { namespaces: [] }), ['namespaces', 'limits']],
      [order(8, { namespaces: [] }), []],
    ]
    for (const [given, said] of rows) {
      const sent = carried(shorten(given))
      expect(Object.keys(sent).filter((key) => key === 'namespaces' || key === 'limits'), `cell ${given.cell}`).to.deep.equal(said)
      expect(complete(sent)).to.deep.equal(given)
    }
  })

  it('arrive over a channel that carries only some of them', () => {
    const [shorten, complete] = [shortenOrders(), completeOrders()]
    const [shortenOn, completeOn] = [shortenOrders(), completeOrders()]
    const passed: RunOrder[] = []
    for (const given of [order(1), order(2, { namespaces: [more] }), order(3, { namespaces: [more] }), order(4)]) {
      const received = complete(carried(shorten(given)))
      if (given.cell !== 2) passed.push(completeOn(carried(shortenOn(received))))     // a cell that was refused goes no further
    }
    expect(passed).to.deep.equal([order(1), order(3, { namespaces: [more] }), order(4)])
  })

  it('have to begin with a complete one', () => {
    const shorten = shortenOrders()
    shorten(order(1))
    expect(() => completeOrders()(shorten(order(2)))).to.throw(TypeError, 'not complete')
  })
})

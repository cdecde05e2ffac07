// The host as it is published, without the bundle: what the rest of these tests builds on.
import { expect } from 'chai'
import { endOf, resultsIn, withHost } from './host.ts'
import { cell, say } from './model.ts'

describe('the host without the bundle', () => {
  it('runs a cell in its own runtime, which keeps nothing', () => withHost(async (host) => {
    const conversation = await host.open()
    const events = await conversation.ask(cell('var x = 20; console.log("seen"); return x + 1'), say('It is 21.'))
    expect(resultsIn(events)).to.deep.equal(['seen\n21'])
    expect(endOf(events)).to.equal('completed')
    expect(resultsIn(await conversation.ask(cell('return typeof x'), say('Gone.')))).to.deep.equal(['undefined'])
    expect(host.model.requests.map(({ tools }) => tools?.map((tool) => tool.function.name))).to.deep.equal(Array(4).fill(['run_code']))
  }, { bridge: null }))
})

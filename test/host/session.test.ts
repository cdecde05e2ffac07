// Cells of a host's session in their kernel: what persists, what the model reads of failures, and what is left in the host's log.
import { expect } from 'chai'
import { endOf, resultsIn, withHost } from './host.ts'
import { cell, say } from './model.ts'

const done = say('Done.')

describe('a session of the host', () => {
  it('keeps its names over turns', () => withHost(async (host) => {
    const conversation = await host.open()
    expect(resultsIn(await conversation.ask(cell('const x: number = 20; console.log("seen"); x + 1'), done))).to.deep.equal(['seen\n21'])
    expect(resultsIn(await conversation.ask(cell('return x * 2'), done))).to.deep.equal(['40'])
    expect(endOf(conversation.session.events)).to.equal('completed')
  }))
})

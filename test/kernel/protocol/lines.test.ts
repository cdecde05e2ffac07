// Frames on a byte stream: however the bytes are cut, the messages are the same; and what is too long never becomes one (V2).
import { expect } from 'chai'
import { EventEmitter } from 'node:events'
import { receiveLines, sendLines } from '../../../plugins/kernel/protocol/lines.ts'

class Wire extends EventEmitter {
  readonly written: string[] = []
  write(text: string): void { this.written.push(text) }
}

function receiver(maxLineBytes = 1_000) {
  const wire = new Wire()
  const messages: unknown[] = []
  const faults: string[] = []
  receiveLines(wire, maxLineBytes, (message) => { messages.push(message) }, (fault) => { faults.push(fault) })
  return { feed: (bytes: Buffer | string) => wire.emit('data', Buffer.from(bytes)), messages, faults }
}

describe('lines', () => {
  it('messages of one microtask leave in one write', async () => {
    const wire = new Wire()
    const send = sendLines(wire)
    send('1'); send('{"a":2}')
    await null
    send('3')
    await null
    expect(wire.written).to.deep.equal(['1\n{"a":2}\n', '3\n'])
  })

  it('many messages of one microtask leave in pieces, in their order and each once', async () => {
    const wire = new Wire()
    const send = sendLines(wire)
    const lines = Array.from({ length: 1_000 }, (_, i) => JSON.stringify({ i, text: 'x'.repeat(20) }))
    lines.forEach(send)
    expect(wire.written, 'before the microtask ends').to.have.length.above(2)
    await null
    expect(wire.written.join('')).to.equal(lines.map((line) => `${line}\n`).join(''))
    const pieces = wire.written.length
    await null
    expect(wire.written, 'nothing is left to write').to.have.length(pieces)
  })

  it('a stream cut at every byte reads the same', () => {
    const bytes = Buffer.from('{"a":"ä🙂"}\n[1,2]\n"x"\n')
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const { feed, messages } = receiver()
      feed(bytes.subarray(0, cut)); feed(bytes.subarray(cut))
      expect(messages, `cut at ${cut}`).to.deep.equal([{ a: 'ä🙂' }, [1, 2], 'x'])
    }
  })

  it('a stream of single bytes reads the same', () => {
    const { feed, messages } = receiver()
    for (const byte of Buffer.from('{"a":1}\n{"b":2}\n')) feed(Buffer.of(byte))
    expect(messages).to.deep.equal([{ a: 1 }, { b: 2 }])
  })

  it('V2 a line at the limit is taken, one past it is refused before it is complete, once, and ends the stream', () => {
    const { feed, messages, faults } = receiver(5)
    feed('12345\n')
    expect(messages).to.deep.equal([12345])
    feed('1234'); feed('56')
    expect(faults).to.have.length(1)
    feed('\n7\n')
    expect([messages, faults.length]).to.deep.equal([[12345], 1])
  })

  it('what is not JSON is refused', () => {
    const { feed, messages, faults } = receiver()
    feed('1\n{oops\n2\n')
    expect([messages, faults.length]).to.deep.equal([[1], 1])
  })
})

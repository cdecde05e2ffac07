// Would catch: a line whose damage is not noticed, and one that is not read back as it was written.
import { expect } from 'chai'
import { decodeLine, encodeLine } from '../../plugins/journal/line.ts'

const texts = ['{}', '{"a":"é\u{1F600}\\ud800"}', JSON.stringify({ a: 'line\nfeed\u2028' }), JSON.stringify({ a: 'x'.repeat(5_000_000) })]

describe('line', () => {
  it('has the documented form', () => {
    expect(encodeLine('{"seq":1}').toString()).to.equal('{"crc":"a589bc6d","entry":{"seq":1}}\n')
  })

  for (const text of texts) {
    it(`reads back ${text.slice(0, 24)} (${text.length} characters), written as one line of JSON`, () => {
      const line = encodeLine(text)
      expect(line.indexOf(10)).to.equal(line.length - 1)
      expect(JSON.parse(line.toString())).to.deep.include({ entry: JSON.parse(text) })
      expect(decodeLine(line.subarray(0, -1))?.toString()).to.equal(text)
    })
  }

  it('notices every changed bit, and every missing byte at either end', () => {
    const line = encodeLine('{"seq":1,"at":0}').subarray(0, -1)
    for (let bit = 0; bit < line.length * 8; bit++) {
      const damaged = Buffer.from(line)
      damaged[bit >> 3]! ^= 1 << (bit & 7)
      expect(decodeLine(damaged), `bit ${bit}`).to.equal(null)
    }
    for (let length = 0; length < line.length; length++) {
      expect(decodeLine(line.subarray(0, length))).to.equal(null)
      expect(decodeLine(line.subarray(line.length - length))).to.equal(null)
    }
  })
})

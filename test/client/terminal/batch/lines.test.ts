// Requests arrive as bytes: lines of any size, cut anywhere.
import { expect } from 'chai'
import { readLines, type Line } from '../../../../client/terminal/batch/lines.ts'

async function lines(chunks: readonly (Buffer | string)[], maxBytes?: number): Promise<Line[]> {
  async function* input() { yield* chunks }
  const found: Line[] = []
  for await (const line of readLines(input(), maxBytes)) found.push(line)
  return found
}

const texts = async (...chunks: (Buffer | string)[]) => (await lines(chunks)).map(({ text }) => text)

describe('lines of a byte stream', () => {
  it('cuts at newlines and nowhere else', async () => expect(await texts('a\nb\n\nc\n')).to.deep.equal(['a', 'b', '', 'c']))
  it('takes a last line without a newline', async () => expect(await texts('a\nb')).to.deep.equal(['a', 'b']))
  it('joins a line that comes in pieces', async () => expect(await texts('a', 'b', 'c\nd', '\n')).to.deep.equal(['abc', 'd']))
  it('has nothing to say about nothing', async () => expect(await texts('', '')).to.deep.equal([]))
  it('accepts the line ends of Windows', async () => expect(await texts('a\r\nb\r', '\nc')).to.deep.equal(['a', 'b', 'c']))

  it('keeps characters whole that chunks cut in two', async () => {
    const bytes = Buffer.from('"é世😀"\n"x"')
    const pieces = [...bytes].map(byte => Buffer.from([byte]))
    expect(await texts(...pieces)).to.deep.equal(['"é世😀"', '"x"'])
  })

  it('takes a line of 16 MB in small chunks in linear time', async () => {
    const chunk = Buffer.alloc(65_536, 'x')
    const found = await texts(...Array<Buffer>(256).fill(chunk), '\nend\n')
    expect(found.map(text => text.length)).to.deep.equal([16 * 1024 * 1024, 3])
  })

  it('reports a line beyond the limit and goes on after it', async () => {
    expect(await lines(['aaaa', 'aaaa\nok\nbbbbbb'], 5)).to.deep.equal([{ text: '', tooLong: true }, { text: 'ok' }, { text: '', tooLong: true }])
  })
})

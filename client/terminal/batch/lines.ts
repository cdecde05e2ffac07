// Cuts a byte stream into lines. A line arrives whole however large it is and however it was cut into chunks; one that
// is larger than the limit is reported instead of collected. The last line counts without its newline, too.

export interface Line {
  readonly text: string
  /** The line was longer than the limit; `text` is empty. */
  readonly tooLong?: true
}

export async function* readLines(input: AsyncIterable<Buffer | string>, maxBytes = 256 * 1024 * 1024): AsyncGenerator<Line> {
  let pieces: Buffer[] = []
  let size = 0
  const take = (): Line => {
    const line: Line = size > maxBytes ? { text: '', tooLong: true } : { text: decode(pieces) }
    pieces = []
    size = 0
    return line
  }
  const keep = (piece: Buffer) => {
    size += piece.length
    if (size <= maxBytes) pieces.push(piece)
    else pieces = []
  }
  for await (const data of input) {
    const chunk = typeof data === 'string' ? Buffer.from(data) : data
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      keep(chunk.subarray(start, end))
      start = end + 1
      yield take()
    }
    if (start < chunk.length) keep(chunk.subarray(start))
  }
  if (size > 0) yield take()
}

/** Decodes whole lines only, so that a character is never cut in two. */
function decode(pieces: readonly Buffer[]): string {
  const text = Buffer.concat(pieces).toString('utf8')
  return text.endsWith('\r') ? text.slice(0, -1) : text
}

// Cuts a stream of bytes into lines without holding more of it than the line that is being read, and nothing at all of a
// line that does not begin like one of ours: a file that a power cut filled with a gigabyte of zeros has no line feed.

export interface RawLine {
  /** From 1 on. */
  readonly number: number
  /** Without the line feed. Null when the line does not begin as `begins` wants: such a line is passed over unread. */
  readonly bytes: Buffer | null
  /** Offset just past the line and its line feed. */
  readonly end: number
  /** False for what follows the last line feed. */
  readonly whole: boolean
}

/** Bytes by which a line is told from junk. */
export const BEGINNING_BYTES = 8

const LINE_FEED = 10

/** The pieces of one line, joined once, at its end: joining as they come is quadratic. */
class Pending {
  length = 0
  private pieces: Buffer[] = []
  private isJunk = false
  private isKnown = false
  private readonly begins: (beginning: Buffer) => boolean

  constructor(begins: (beginning: Buffer) => boolean) { this.begins = begins }

  add(piece: Buffer): void {
    this.length += piece.length
    if (this.isJunk) return
    this.pieces.push(piece)
    if (this.isKnown || this.length < BEGINNING_BYTES) return
    this.isKnown = true
    if (this.begins(this.joined().subarray(0, BEGINNING_BYTES))) return
    this.isJunk = true
    this.pieces = []
  }

  take(): Buffer | null {
    const bytes = this.isJunk ? null : this.joined()
    this.pieces = []
    this.length = 0
    this.isJunk = this.isKnown = false
    return bytes
  }

  private joined(): Buffer {
    return this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces)
  }
}

/** Lines may share the memory of their chunk. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, begins: (beginning: Buffer) => boolean): AsyncGenerator<RawLine> {
  const pending = new Pending(begins)
  let number = 0
  let end = 0
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let from = 0
    for (let feed = chunk.indexOf(LINE_FEED); feed >= 0; feed = chunk.indexOf(LINE_FEED, from)) {
      pending.add(chunk.subarray(from, feed))
      end += feed + 1 - from
      from = feed + 1
      yield { number: ++number, bytes: pending.take(), end, whole: true }
    }
    if (from < chunk.length) pending.add(chunk.subarray(from))
    end += chunk.length - from
  }
  if (pending.length > 0) yield { number: ++number, bytes: pending.take(), end, whole: false }
}

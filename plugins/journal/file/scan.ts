// Reads a history file front to back in bounded memory and tells intact lines from a torn tail and from real damage.
import { open } from 'node:fs/promises'
import type { HistoryEntry } from '../types.ts'
import { ioError, journalError } from '../errors.ts'
import { decodeLine } from '../line.ts'

const CHUNK_BYTES = 256 * 1024

export interface Line {
  readonly number: number
  readonly seq: number
  /** Offset just past the line feed. */
  readonly end: number
  readonly body: Buffer
}

/** Lines between line feeds, each with the offset past its own. What follows the last line feed is not a line. */
async function* rawLines(file: string, limit: number): AsyncGenerator<{ line: Buffer, end: number }> {
  const handle = await open(file, 'r')
  try {
    let pieces: Buffer[] = []
    for (let offset = 0; offset < limit;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, limit - offset))
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, offset)
      if (bytesRead === 0) return
      const read = chunk.subarray(0, bytesRead)
      let from = 0
      for (let feed = read.indexOf(10); feed >= 0; feed = read.indexOf(10, from)) {
        const rest = read.subarray(from, feed)
        // Pieces of one long line are joined once, at its end: joining as they come is quadratic.
        const line = pieces.length > 0 ? Buffer.concat([...pieces, rest]) : rest
        pieces = []
        from = feed + 1
        yield { line, end: offset + from }
      }
      if (from < read.length) pieces.push(read.subarray(from))
      offset += bytesRead
    }
  } finally {
    await handle.close()
  }
}

/** Our own lines start with the sequence number, so most are placed without parsing the whole of them. */
function seqOf(body: Buffer): number | null {
  const head = /^\{"seq":(\d{1,15}),/.exec(body.toString('latin1', 0, 32))
  if (head) return Number(head[1])
  const entry = parse(body)
  return Number.isSafeInteger(entry?.seq) && (entry?.seq ?? -1) >= 0 ? entry?.seq ?? null : null
}

function parse(body: Buffer): HistoryEntry | null {
  try {
    return JSON.parse(body.toString('utf8')) as HistoryEntry
  } catch {
    return null
  }
}

/**
 * The intact lines of the file, in order. Damage after the last of them is a torn tail and ends the reading (the offset
 * of the last line's end says where); damage before an intact line throws `JournalError` `corrupt`. An absent file has
 * no lines. Other failures are `io`.
 */
export async function* lines(file: string, limit = Infinity): AsyncGenerator<Line> {
  let number = 0
  let last = -1
  let damaged: number | undefined
  try {
    for await (const { line, end } of rawLines(file, limit)) {
      number++
      const body = decodeLine(line)
      if (body === null) {
        damaged ??= number
        continue
      }
      if (damaged !== undefined) throw journalError('corrupt', file, String(damaged), 'the checksum does not match')
      const seq = seqOf(body)
      if (seq === null || seq <= last) throw journalError('corrupt', file, String(number), 'it is out of order')
      last = seq
      yield { number, seq, end, body }
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw ioError(`reading ${file}`, error)
  }
}

/** The entries of the file, under the same rules. Their shape is the fold's business. */
export async function* entries(file: string, limit?: number): AsyncGenerator<HistoryEntry> {
  for await (const { number, body } of lines(file, limit)) {
    const entry = parse(body)
    if (entry === null) throw journalError('corrupt', file, String(number), 'its entry is not JSON')
    yield entry
  }
}

// Reads a history file front to back in bounded memory and tells intact lines from a torn tail and from real damage.
import { open } from 'node:fs/promises'
import type { HistoryEntry, StoredEntry } from '../types.ts'
import { ioError, journalError } from '../errors.ts'
import { beginsLikeLine, decodeLine } from '../line.ts'
import { splitLines } from './split.ts'

const CHUNK_BYTES = 256 * 1024

export interface Line {
  readonly number: number
  readonly seq: number
  /** Offset just past the line feed. */
  readonly end: number
  readonly body: Buffer
}

/** A line that is none: cut off, changed, or not in its place. */
interface Damage { readonly number: number, readonly damage: Exclude<Extract<StoredEntry, { damage: string }>['damage'], 'json'> }

const WHY = {
  torn: 'it has no end',
  checksum: 'the checksum does not match',
  order: 'it is out of order',
  json: 'its entry is not JSON',
} as const

async function* chunksOf(file: string, limit: number): AsyncGenerator<Buffer> {
  const handle = await open(file, 'r')
  try {
    for (let offset = 0; offset < limit;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, limit - offset))
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, offset)
      if (bytesRead === 0) return
      yield chunk.subarray(0, bytesRead)
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

/** Every line of the file, the damaged ones too. An absent file has no lines. Throws `JournalError` `io`. */
async function* scan(file: string, limit: number): AsyncGenerator<Line | Damage> {
  let last = -1
  try {
    for await (const { number, bytes, end, whole } of splitLines(chunksOf(file, limit), beginsLikeLine)) {
      const body = whole && bytes !== null ? decodeLine(bytes) : null
      if (body === null) {
        yield { number, damage: whole ? 'checksum' : 'torn' }
        continue
      }
      const seq = seqOf(body)
      if (seq === null || seq <= last) {
        yield { number, damage: 'order' }
        continue
      }
      last = seq
      yield { number, seq, end, body }
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw ioError(`reading ${file}`, error)
  }
}

/**
 * The intact lines of the file, in order. Damage after the last of them is a torn tail and ends the reading (the offset
 * of the last line's end says where); damage before an intact line throws `JournalError` `corrupt`. An absent file has
 * no lines. Other failures are `io`.
 */
export async function* lines(file: string, limit = Infinity): AsyncGenerator<Line> {
  let damaged: Damage | undefined
  const refuse = ({ number, damage }: Damage) => journalError('corrupt', file, String(number), WHY[damage])
  for await (const line of scan(file, limit)) {
    if ('damage' in line && line.damage !== 'order') damaged ??= line
    // What is out of order is intact in itself, so it also proves that damage before it was no torn tail.
    else if (damaged !== undefined) throw refuse(damaged)
    else if ('damage' in line) throw refuse(line)
    else yield line
  }
}

/** The entries of the file, under the same rules. Their shape is the fold's business. */
export async function* entries(file: string, limit?: number): AsyncGenerator<HistoryEntry> {
  for await (const { number, body } of lines(file, limit)) {
    const entry = parse(body)
    if (entry === null) throw journalError('corrupt', file, String(number), WHY.json)
    yield entry
  }
}

/** Each line of the file as what it holds, or what is wrong with it. Goes on after damage. */
export async function* inspect(file: string): AsyncGenerator<StoredEntry> {
  for await (const line of scan(file, Infinity)) {
    const entry = 'damage' in line ? null : parse(line.body)
    if (entry !== null) yield { line: line.number, entry }
    else {
      const damage = 'damage' in line ? line.damage : 'json'
      yield { line: line.number, damage, message: WHY[damage] }
    }
  }
}

// A session as one readable document: NDJSON with a header, one line an entry, and an end that closes it. Format since 0.1:
//
//   {"format":"ptc-plus-session","version":1,"session":"notes","node":"v24.21.0", ...}
//   {"crc":"<8 hex digits>","entry":{"seq":1,"at":1764544000000,"kind":"cell-opened", ...}}
//   {"crc":"<8 hex digits>","end":{"entries":1}}
//
// The lines of entries are those of the file store (`line.ts`), so a damaged one is named. The checksum of the end covers
// every byte before it, the header's too: a document that was cut off or changed anywhere is refused.
import { crc32 } from 'node:zlib'
import type { DocumentHeader, HistoryEntry } from '../types.ts'
import { adoptedText } from '../entry.ts'
import { journalError } from '../errors.ts'
import { splitLines } from '../file/split.ts'
import type { RawLine } from '../file/split.ts'
import { beginsLikeLine, decodeLine, encodeLine } from '../line.ts'
import { closed, integer, label, list, literal, refusalText, text } from '../schema/closed.ts'

/** The newest record that this build writes and reads. */
export const RECORD_VERSION = 11

const FORMAT = 'ptc-plus-session'
const HEADER_BEGINS = '{"format'
const END = /^\{"crc":"([0-9a-f]{8})","end":\{"entries":(\d{1,15})\}\}$/u

const header = closed<DocumentHeader>({
  format: literal(FORMAT), version: literal(1), session: text, node: label, recordVersion: integer(1),
  languageSemantics: list(label), moduleTransforms: list(label), cells: integer(0),
}, {})

const refuse = (why: string): never => { throw journalError('bad-document', why) }

/** Writes the document's lines, line feeds included. */
export async function* writeDocument(head: DocumentHeader, entries: AsyncIterable<HistoryEntry>): AsyncGenerator<Buffer> {
  let sum = 0
  let count = 0
  const add = (line: Buffer): Buffer => { sum = crc32(line, sum); return line }
  yield add(Buffer.from(`${JSON.stringify(head)}\n`))
  for await (const entry of entries) {
    count += 1
    yield add(encodeLine(adoptedText(entry)))
  }
  yield Buffer.from(`{"crc":"${sum.toString(16).padStart(8, '0')}","end":{"entries":${count}}}\n`)
}

export interface ReadDocument {
  readonly header: DocumentHeader
  /** Throws `bad-document` at the first thing that is wrong, also after the last entry. Can be read once. */
  entries(): AsyncGenerator<HistoryEntry>
}

/** Reads the header. Throws `JournalError` `bad-document`. */
export async function readDocument(chunks: AsyncIterable<Uint8Array>): Promise<ReadDocument> {
  const lines = splitLines(chunks, (beginning) => beginsLikeLine(beginning) || beginning.toString('latin1') === HEADER_BEGINS)
  const { value: first } = await lines.next() as { value: RawLine | undefined }
  const head = parseHeader(first)
  return { header: head, entries: () => readEntries(lines, crc32(Buffer.concat([first!.bytes!, Buffer.from('\n')]))) }
}

function parseHeader(line: RawLine | undefined): DocumentHeader {
  if (line === undefined) return refuse('it is empty')
  const value = jsonOf(line.bytes) as { readonly format?: unknown, readonly version?: unknown } | null
  if (value?.format !== FORMAT) return refuse('its first line is not the header of an exported session')
  if (value.version !== 1) return refuse(`it has version ${String(value.version)}, and this build reads version 1; use a newer one`)
  let parsed: DocumentHeader
  try {
    parsed = header(value)
  } catch (error) {
    return refuse(`its header is damaged: ${refusalText(error)}`)
  }
  if (parsed.recordVersion > RECORD_VERSION) {
    refuse(`its records are of version ${parsed.recordVersion}, and this build reads up to ${RECORD_VERSION}; use a newer one`)
  }
  return parsed
}

async function* readEntries(lines: AsyncIterable<RawLine>, headSum: number): AsyncGenerator<HistoryEntry> {
  let sum = headSum
  let count = 0
  let last = -1
  let ended = false
  for await (const { number, bytes, whole } of lines) {
    if (ended) refuse(`line ${number}: something follows its end`)
    const end = bytes === null ? null : END.exec(bytes.toString('latin1'))
    if (bytes !== null && end !== null) {
      if (Number(end[2]) !== count) refuse(`its end speaks of ${end[2]} entries, and it has ${count}`)
      if (Number.parseInt(end[1]!, 16) !== sum) refuse('its checksum does not match: a line was changed, added or taken away')
      ended = true
      continue
    }
    const body = bytes !== null && whole ? decodeLine(bytes) : null
    if (bytes === null || body === null) return refuse(whole ? `line ${number}: the checksum does not match` : `line ${number} has no end: it was cut off`)
    sum = crc32(Buffer.concat([bytes, Buffer.from('\n')]), sum)
    const entry = parseEntryOf(body, number)
    if (!Number.isSafeInteger(entry.seq) || entry.seq <= last) refuse(`line ${number}: it is out of order`)
    last = entry.seq
    count += 1
    yield entry
  }
  if (!ended) refuse(`it ends after ${count} entries without an end: it was cut off`)
}

function parseEntryOf(body: Buffer, line: number): HistoryEntry {
  const entry = jsonOf(body)
  return typeof entry === 'object' && entry !== null ? entry as HistoryEntry : refuse(`line ${line}: its entry is not JSON`)
}

/** Null for what is no JSON; whoever asks says so. */
function jsonOf(bytes: Buffer | null): unknown {
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '')
  } catch {
    return null
  }
}

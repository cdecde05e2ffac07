// One line of a history file: `{"crc":"<8 hex digits>","entry":<JSON>}` and a line feed. The checksum covers the exact
// bytes of the entry's text, so a line is checked without being parsed. Format since 0.1.
import { crc32 } from 'node:zlib'

const HEAD = '{"crc":"'
const MIDDLE = '","entry":'
const BODY = HEAD.length + 8 + MIDDLE.length
const SHORTEST = BODY + '{}}'.length

const checksum = (bytes: Uint8Array): string => crc32(bytes).toString(16).padStart(8, '0')

/** The line with its line feed. `entry` is JSON text, which can not contain a line feed of its own. */
export function encodeLine(entry: string): Buffer {
  const body = Buffer.from(entry, 'utf8')
  return Buffer.concat([Buffer.from(`${HEAD}${checksum(body)}${MIDDLE}`, 'latin1'), body, Buffer.from('}\n', 'latin1')])
}

/** Whether these first bytes (`BEGINNING_BYTES` of them) can begin a line. */
export const beginsLikeLine = (beginning: Buffer): boolean => beginning.toString('latin1') === HEAD

/** The bytes of the entry's text, or null when the line (without its line feed) is damaged. Shares the line's memory. */
export function decodeLine(line: Buffer): Buffer | null {
  if (line.length < SHORTEST || line.at(-1) !== 0x7d) return null
  if (line.toString('latin1', 0, HEAD.length) !== HEAD) return null
  if (line.toString('latin1', BODY - MIDDLE.length, BODY) !== MIDDLE) return null
  const body = line.subarray(BODY, -1)
  return line.toString('latin1', HEAD.length, HEAD.length + 8) === checksum(body) ? body : null
}

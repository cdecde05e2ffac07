// How a session id becomes a file name and back. Lower-case letters, digits, `-` and `_` stand for themselves, every other
// byte of the id's UTF-8 is `%xx`: no two ids share a name, also where the file system ignores case. A name too long for
// one path component continues in a directory whose name ends in `+`. Format since 0.1.
import { join } from 'node:path'
import { journalError } from '../errors.ts'

export const SUFFIX = '.ndjson'
const LONGEST_ID = 200
/** Leaves room for the suffixes of the file, its lock and the lock's temporaries within the usual 255 bytes. */
const LONGEST_PART = 150

/** Refuses what no source accepts as a session id. */
export function checkId(id: string): void {
  if (typeof id !== 'string' || id.length < 1 || id.length > LONGEST_ID || !id.isWellFormed()) {
    throw journalError('bad-id', JSON.stringify(id)?.slice(0, LONGEST_ID + 20) ?? String(id))
  }
}

/** The path of the session's file below the store's folder. Throws `JournalError` `bad-id`. */
export function fileOf(id: string): string {
  checkId(id)
  const name = id.replaceAll(/[^a-z0-9_-]/gu, (one) => (
    [...Buffer.from(one, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  ))
  const parts: string[] = []
  for (let from = 0; from < name.length; from += LONGEST_PART) parts.push(name.slice(from, from + LONGEST_PART))
  return join(...parts.map((part, index) => part + (index < parts.length - 1 ? '+' : SUFFIX)))
}

/** The session id of a path below the store's folder, or null when `fileOf` gives that path to no session. */
export function idOf(path: string): string | null {
  const name = path.slice(0, -SUFFIX.length).replaceAll(/\+[\\/]/g, '')
  try {
    const id = Buffer.from(name.replaceAll(/%([0-9a-f]{2})|[^]/g, (one, hex?: string) => (
      hex ?? one.charCodeAt(0).toString(16).padStart(2, '0')
    )), 'hex').toString('utf8')
    return fileOf(id) === path ? id : null
  } catch {
    return null
  }
}

// One entry of a history: how every source writes it as text, and how the fold reads it from untrusted input. The record
// inside a settled cell is read by `record.ts`.
import type { HistoryEntry, NewEntry } from './types.ts'
import { journalError } from './errors.ts'
import { envelope } from './schema/calls.ts'
import { refusalText } from './schema/closed.ts'

/** The text that a source stores. The store's `seq` and `at` come first and win, also over an entry that was read before. */
export function entryText(seq: number, entry: NewEntry): string {
  const stamp = { seq, at: Date.now() }
  try {
    if ('seq' in entry || 'at' in entry || 'toJSON' in entry) return JSON.stringify({ ...stamp, ...entry, ...stamp })
    // The same text, without a copy of the entry: there are two for each call of a program.
    const text = JSON.stringify(entry)
    return text === '{}' ? JSON.stringify(stamp) : `{"seq":${seq},"at":${stamp.at},${text.slice(1)}`
  } catch (error) {
    throw journalError('bad-entry', error instanceof Error ? error.message : String(error))
  }
}

/** The text of an entry that keeps its number and time, in the order of fields in which a source writes its own. */
export function adoptedText({ seq, at, kind, ...rest }: HistoryEntry): string {
  return JSON.stringify({ seq, at, kind, ...rest })
}

type Unread<E> = E extends { readonly record: unknown } ? Omit<E, 'record'> & { readonly record: unknown } : E

/** An entry whose own fields are what the contract says, and whose record is still unread. */
export type ReadEntry = Unread<HistoryEntry>

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isText = (value: unknown): value is string => typeof value === 'string'

type Checks = readonly (readonly [field: string, check: (value: unknown) => boolean])[]

/** The fields that the fold relies on. Others are somebody's notes: they change nothing, so they are let be. */
const FIELDS: { readonly [K in HistoryEntry['kind']]: Checks } = {
  'cell-opened': [['source', isText], ['cwd', isText]],
  'call-opened': [['cell', isIndex], ['call', isIndex], ['global', isText], ['member', isText]],
  'call-settled': [['cell', isIndex], ['call', isIndex], ['ok', (value) => typeof value === 'boolean']],
  'cell-settled': [['cell', isIndex]],
  'boundary': [['failed', isIndex], ['frontier', (value) => value === null || isIndex(value)]],
}

/** `cell` is the cell that an unreadable entry seems to speak of, `seq` its own number, where known. */
interface Unreadable { readonly invalid: string, readonly cell?: number, readonly seq?: number }

function invalid(what: string, { seq, cell }: Readonly<Record<string, unknown>>): Unreadable {
  return { invalid: what, ...isIndex(seq) && { seq }, ...isIndex(cell) && { cell } }
}

/** Never throws. */
export function parseEntry(value: unknown): ReadEntry | Unreadable {
  try {
    if (typeof value !== 'object' || value === null) return { invalid: 'an entry is not an object' }
    const fields = { ...value } as Record<string, unknown>
    const { seq, cell, kind } = fields
    if (!isIndex(seq)) return { invalid: 'an entry has no sequence number', ...isIndex(cell) && { cell } }
    if (!isText(kind) || !Object.hasOwn(FIELDS, kind)) return invalid('an entry is of an unknown kind', fields)
    for (const [field, check] of FIELDS[kind as HistoryEntry['kind']]) {
      if (!check(fields[field])) return invalid(`${field} of a ${kind} entry is not what it must be`, fields)
    }
    if (kind === 'call-opened') fields.args = envelope(fields.args)
    return fields as unknown as ReadEntry
  } catch (error) {
    return { invalid: `an entry ${refusalText(error)}` }
  }
}

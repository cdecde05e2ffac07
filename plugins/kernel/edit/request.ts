// Reads the argument of `edit_run_code` (contract 6.1), in two steps, because whether there is a cell to edit is asked in between
// (contract 6.4). Answers fresh objects; throws an `EditRefusal`.
import { EDIT_LIMITS } from './limits.ts'
import { excerpt, refuse } from './refusal.ts'
import type { ExactEdit, Operation, RegexEdit } from './types.ts'

export interface EditRequest {
  readonly kind: Operation['kind']
  /** Unread. */
  readonly items: readonly unknown[]
  /** The call that the caller believes to edit. */
  readonly expectedTarget: number | undefined
}

type Fields = Readonly<Record<string, unknown>>

const FIELDS = { exact: 'edits', regex: 'regex_edits' } as const
const GUARD = 'expected_target_call_seq'

export function parseRequest(args: unknown): EditRequest {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) refuse('the argument is not an object')
  const given = args as Fields
  const unknown = Object.keys(given).filter((name) => name !== FIELDS.exact && name !== FIELDS.regex && name !== GUARD)
  if (unknown.length > 0) refuse(`unknown field ${excerpt(unknown[0]!)}`)
  const present = (['exact', 'regex'] as const).filter((kind) => given[FIELDS[kind]] !== undefined)
  const [kind] = present
  if (kind === undefined || present.length > 1) refuse('give exactly one of edits and regex_edits')
  const items = given[FIELDS[kind]]
  if (!Array.isArray(items)) refuse(`${FIELDS[kind]} is not an array`)
  if (items.length < 1 || items.length > EDIT_LIMITS.edits) refuse(`${FIELDS[kind]} has ${items.length} entries; 1 to ${EDIT_LIMITS.edits} are allowed`)
  const guard = given[GUARD]
  if (guard !== undefined && (!Number.isSafeInteger(guard) || (guard as number) < 0)) refuse(`${GUARD} is not a non-negative integer`)
  return { kind, items, expectedTarget: guard as number | undefined }
}

export function parseOperation({ kind, items }: EditRequest): Operation {
  const read = <T>(parse: (item: unknown, place: string) => T): T[] =>
    Array.from(items, (item, index) => parse(item, `${FIELDS[kind]}[${index}]`))
  return kind === 'exact' ? { kind, edits: read(exactEdit) } : { kind, edits: read(regexEdit) }
}

function exactEdit(item: unknown, place: string): ExactEdit {
  const fields = closed(item, place, ['old_string', 'new_string'])
  const old = text(fields, place, 'old_string')
  const replacement = text(fields, place, 'new_string')
  if (old === '') refuse(`${place}.old_string is empty`)
  if (old === replacement) refuse(`${place} changes nothing: old_string and new_string are the same`)
  return { old_string: old, new_string: replacement }
}

function regexEdit(item: unknown, place: string): RegexEdit {
  const fields = closed(item, place, ['pattern', 'flags', 'replacement', 'expected_matches'])
  const pattern = text(fields, place, 'pattern')
  const flags = text(fields, place, 'flags')
  const replacement = text(fields, place, 'replacement')
  const { expected_matches: expected } = fields
  if (pattern === '') refuse(`${place}.pattern is empty`)
  if (!/^[gimsu]*$/.test(flags) || new Set(flags).size !== flags.length) refuse(`${place}.flags are not some of g, i, m, s, u, each at most once`)
  if (!Number.isSafeInteger(expected) || (expected as number) < 1 || (expected as number) > EDIT_LIMITS.matches) {
    refuse(`${place}.expected_matches is not an integer from 1 to ${EDIT_LIMITS.matches}`)
  }
  return { pattern, flags, replacement, expected_matches: expected as number }
}

function closed(item: unknown, place: string, names: readonly string[]): Fields {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) refuse(`${place} is not an object`)
  const unknown = Object.keys(item).find((name) => !names.includes(name))
  if (unknown !== undefined) refuse(`${place} has the unknown field ${excerpt(unknown)}`)
  return item as Fields
}

function text(fields: Fields, place: string, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : refuse(`${place}.${name} is not a text`)
}


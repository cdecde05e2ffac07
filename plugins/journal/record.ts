// The record of one cell, read from untrusted input: a fresh object of exactly the documented fields, or what was wrong.
// Invariants: J1 (closed), J4 (settle order), and the rules that tie fields to the cell's status.
import { posix, win32 } from 'node:path'
import type { CellRecord, CellStatus, UserBindingName } from './types.ts'
import { ambient, calls, checkSettleOrder, completion, operations, wakes } from './schema/calls.ts'
import {
  ascending, closed, integer, label, list, literal, matching, nullable, oneOf, refusalText, refuse, text,
} from './schema/closed.ts'
import type { Parse } from './schema/closed.ts'
import { diagnostic } from './schema/diagnostic.ts'
import { checkTransform, upgrade } from './schema/generation.ts'

const absolute: Parse<string> = (value) => {
  // Either platform's spelling: a history may have been carried over from another machine.
  const path = text(value)
  return posix.isAbsolute(path) || win32.isAbsolute(path) ? path : refuse('is not an absolute path')
}

const identifier: Parse<string> = (value) => {
  const name = matching(/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u, 'an identifier')(value)
  return name.length <= 128 ? name : refuse('is longer than 128 characters')
}

const bindingName: Parse<UserBindingName> = (value) => {
  const parsed = closed<UserBindingName>({
    name: identifier, state: oneOf('provider', 'local', 'absent', 'unknown'),
  }, { entryId: label })(value)
  const provided = parsed.state === 'provider'
  return provided === (parsed.entryId !== undefined) ? parsed : refuse('has an entryId exactly when it is a provider')
}

const confirms: Parse<number[]> = (value) => {
  const seqs = list(integer(0))(value)
  return new Set(seqs).size === seqs.length ? seqs : refuse('holds a cell twice')
}

const record = closed<CellRecord>({
  version: literal(11),
  languageSemantics: oneOf('stateful-v1', 'protected-v1'),
  moduleTransform: label,
  cwd: absolute,
  namespaces: (value) => ascending(list(label)(value), (name) => name),
  userBindingsFingerprint: nullable(matching(/^[0-9a-f]{64}$/, 'a SHA-256 in lower-case hex')),
  userBindingNames: nullable((value) => ascending(list(bindingName)(value), ({ name }) => name)),
  status: oneOf('durable', 'volatile', 'discarded', 'noop'),
  calls, wakes, ambient, operations, confirms,
  diagnostics: list(diagnostic),
}, { completion, volatileReason: label })

/** What each fate demands of the rest of the record. */
const FATES: { readonly [K in CellStatus]: { readonly settles: boolean, readonly mayHaveReason: boolean } } = {
  durable: { settles: true, mayHaveReason: false },
  volatile: { settles: true, mayHaveReason: true },
  discarded: { settles: false, mayHaveReason: true },
  noop: { settles: false, mayHaveReason: false },
}

function checkFate(made: CellRecord): void {
  const { settles, mayHaveReason } = FATES[made.status]
  if (settles !== (made.completion !== undefined)) {
    refuse(`completion ${settles ? 'is missing' : 'must be absent'} in a ${made.status} record`)
  }
  if (!mayHaveReason && made.volatileReason !== undefined) refuse(`volatileReason must be absent in a ${made.status} record`)
  if (settles) return
  for (const field of ['calls', 'wakes', 'operations'] as const) {
    if (made[field].length > 0) refuse(`${field} must be empty in a ${made.status} record`)
  }
  if (made.userBindingNames !== null) refuse(`userBindingNames must be null in a ${made.status} record`)
}

/**
 * Reads one record. Never throws; the answer shares nothing with the input but the inside of value envelopes.
 * `cwd` is the directory of the cell's history entry, which stands in for the one that version 10 did not record.
 */
export function parseRecord(value: unknown, cwd = '/'): CellRecord | { readonly invalid: string } {
  try {
    const made = record(upgrade(value, cwd))
    checkTransform(made.languageSemantics, made.moduleTransform)
    checkSettleOrder(made.calls, made.wakes)
    checkFate(made)
    return made
  } catch (error) {
    return { invalid: refusalText(error) }
  }
}

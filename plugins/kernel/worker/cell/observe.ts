// Previews of session values for somebody who looks on (contract 11). Reads data properties and primitive values only: no getter,
// no proxy trap, no `toString`, nothing recorded; what would need one is unreadable.
import type { Observed } from '../../protocol/messages.ts'
import { clock, getOwnPropertyDescriptor, isArray, isProxy, sliceText, toJson, toText } from '../natives.ts'
import * as root from './root.ts'

export const MAX_NAMES = 128
const MAX_TEXT_UNITS = 512
const MAX_SLOTS = 5
/** The first number of more than 128 digits. */
const TOO_LONG = 10n ** 128n
/** One read may take so long before it is the last, and all of them together. */
const READ_MS = 25
const STOP_MS = 100

type Preview = Omit<Observed, 'name'>

const UNREADABLE: Preview = { status: 'unreadable', text: '', truncated: false }

function readable(text: string, truncated = false): Preview {
  return { status: 'readable', text: sliceText(text, 0, MAX_TEXT_UNITS), truncated: truncated || text.length > MAX_TEXT_UNITS }
}

function ofPrimitive(value: unknown): Preview {
  switch (typeof value) {
    case 'string': return readable(toJson(sliceText(value, 0, MAX_TEXT_UNITS)), value.length > MAX_TEXT_UNITS)
    case 'bigint': return value < TOO_LONG && value > -TOO_LONG ? readable(`${toText(value)}n`) : UNREADABLE
    case 'number': return readable(value === 0 && 1 / value < 0 ? '-0' : toText(value))
    case 'boolean': case 'undefined': return readable(toText(value))
    default: return value === null ? readable('null') : UNREADABLE
  }
}

function ofArray(array: readonly unknown[]): Preview {
  const length = getOwnPropertyDescriptor(array, 'length')!.value as number
  let text = '['
  let truncated = length > MAX_SLOTS
  for (let i = 0; i < length && i < MAX_SLOTS; i += 1) {
    const slot = getOwnPropertyDescriptor(array, i)
    const preview = slot === undefined ? readable('<empty>') : 'value' in slot ? ofPrimitive(slot.value) : UNREADABLE
    truncated = truncated || preview.truncated
    text += `${i === 0 ? '' : ', '}${preview.status === 'readable' ? preview.text : '…'}`
  }
  return readable(`${text}${length > MAX_SLOTS ? `, … ${toText(length)} in all` : ''}]`, truncated)
}

function preview(name: string): Preview {
  const found = root.find(name)
  if (found === undefined || !('value' in found)) return UNREADABLE
  const value: unknown = found.value
  if (typeof value !== 'object' || value === null) return ofPrimitive(value)
  return isProxy(value) || !isArray(value) ? UNREADABLE : ofArray(value)
}

/** Answers one entry a name, in the order of `names`; without them the newest session names. */
export function observe(names: readonly string[] | undefined): Observed[] {
  const known = root.sessionNames()
  const asked: string[] = []
  if (names === undefined) for (let i = known.length - 1; i >= 0 && asked.length < MAX_NAMES; i -= 1) asked[asked.length] = known[i]!.name
  else for (let i = 0; i < names.length && i < MAX_NAMES; i += 1) asked[i] = names[i]!
  const started = clock()
  let stopped = false
  const seen: Observed[] = []
  for (let i = 0; i < asked.length; i += 1) {
    const name = asked[i]!
    const before = clock()
    const found = stopped || !root.isSessionName(name) ? UNREADABLE : preview(name)
    seen[i] = { name, status: found.status, text: found.text, truncated: found.truncated }
    const now = clock()
    stopped = stopped || now - before > READ_MS || now - started > STOP_MS
  }
  return seen
}

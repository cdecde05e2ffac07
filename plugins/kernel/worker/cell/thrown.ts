// What a thrown value looks like from outside: the name of its constructor, its message and where in a cell it was made.
// Reads own and inherited data properties only; no code of the thrown value runs (V3).
import type { RecordedError } from '../../../journal/types.ts'
import type { PreparedCell, Segments } from '../../compile/types.ts'
import type { CellPosition, ErrorOrigin } from '../../protocol/messages.ts'
import { encode, project } from '../../wire/index.ts'
import { apply, exec, getOwnPropertyDescriptor, getPrototypeOf, isNativeError, isProxy, mapGet, mapSet, NativeMap, sliceText, toJson, toNumber, toObject, toText } from '../natives.ts'

type Boxed = { readonly kind: 'found', readonly value: unknown } | undefined

function readData(value: unknown, key: PropertyKey): Boxed {
  for (let holder: unknown = value; typeof holder === 'object' && holder !== null || typeof holder === 'function'; holder = getPrototypeOf(holder as object)) {
    if (isProxy(holder)) return undefined
    const found = getOwnPropertyDescriptor(holder as object, key)
    if (found !== undefined) return 'value' in found ? { kind: 'found', value: found.value } : undefined
  }
  return undefined
}

function readText(value: unknown, key: PropertyKey): string | undefined {
  const found = readData(value, key)?.value
  return typeof found === 'string' && found !== '' ? found : undefined
}

function nameOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  const boxed = typeof value === 'object' || typeof value === 'function' ? value : getPrototypeOf(toObject(value))
  return readText(readData(boxed, 'constructor')?.value, 'name') ?? readText(boxed, 'name')
}

function messageOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' && typeof value !== 'function' || value === null) return typeof value === 'symbol' ? 'a symbol' : toText(value)
  const found = readData(value, 'message')
  if (typeof found?.value === 'string') return found.value
  try {
    const shown = project(encode(value))
    return 'text' in shown ? shown.text : toJson(shown.value)
  } catch {
    return `a thrown ${typeof value} without a message`
  }
}

const origins = new WeakMap<object, ErrorOrigin>()
const { get: originGet, set: originSet } = WeakMap.prototype

/** Remembers that the kernel has made this error. A program can make one that reads the same, and not this one. */
export function rememberOrigin<T extends Error>(error: T, origin: ErrorOrigin): T {
  apply(originSet, origins, [error, origin])
  return error
}

export function originOf(thrown: unknown): ErrorOrigin | undefined {
  return apply(originGet, origins, [thrown]) as ErrorOrigin | undefined
}

export function describeThrown(value: unknown): RecordedError {
  const name = nameOf(value)
  return { kind: 'exception', ...name === undefined ? {} : { name }, message: messageOf(value) }
}

const maps = new NativeMap<string, Segments>()

/** Remembers how positions of the cell's compiled text lead back to its source. */
export function rememberPositions({ cell, segments, functions }: PreparedCell): void {
  mapSet(maps, `${cell}`, segments)
  for (let i = 0; i < functions.length; i += 1) {
    const own = functions[i]!.segments
    if (own !== null) mapSet(maps, `${cell}#f${i}`, own)
  }
}

function back(segments: Segments, line: number, column: number): { line: number, column: number } {
  let found: Segments[number] | undefined
  let low = 0
  let high = segments.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const segment = segments[middle]!
    if (segment[0] < line || (segment[0] === line && segment[1] <= column)) { found = segment; low = middle + 1 } else high = middle - 1
  }
  // The engine may name a place in what the compiler wrote, before the text that it was written for: that text is meant.
  const next = segments[low]
  const ahead = next?.[0] === line ? next : undefined
  if (found === undefined || found[0] !== line) return ahead === undefined ? { line, column } : { line: ahead[2], column: ahead[3] }
  const kept = found[3] + column - found[1]
  return { line: found[2], column: ahead?.[2] === found[2] && ahead[3] > found[3] && kept > ahead[3] ? ahead[3] : kept }
}

/** A frame as V8 writes it, or as our own traces do, with the cell's own lines. */
const FRAME = /ptc-cell:\d+(?:#f\d+)?:\d+:\d+|\bcell \d+:\d+:\d+/
const V8_FRAME = /^(ptc-cell:\d+(?:#f\d+)?):(\d+):(\d+)$/
const OWN_FRAME = /^cell (\d+):(\d+):(\d+)$/
const FILE = /^ptc-cell:(\d+)(#f\d+)?$/

/** A 1-based place in the compiled text of a cell as the place in its source. */
export function placeInCell(file: string, line: number, column: number): CellPosition {
  const match = exec(FILE, file)
  const cell = match === null ? '0' : match[1]!
  const segments = mapGet(maps, cell + (match?.[2] ?? '')) as Segments | undefined
  const place = segments === undefined ? { line: line - 1, column: column - 1 } : back(segments, line - 1, column - 1)
  return { cell: toNumber(cell), line: place.line + 1, column: place.column + 1 }
}

/** Reading a stack may run the program's own `Error.prepareStackTrace`, which may throw or answer anything. */
function stackOf(error: Error): string | undefined {
  try {
    const { stack } = error as { stack?: unknown }
    return typeof stack === 'string' ? stack : undefined
  } catch {
    return undefined
  }
}

/** Where the error was made, when its stack says so. */
export function positionOf(value: unknown): CellPosition | undefined {
  if (!isNativeError(value)) return undefined
  const stack = stackOf(value as Error)
  if (stack === undefined) return undefined
  const frame = exec(FRAME, sliceText(stack, 0, 20_000))?.[0]
  if (frame === undefined) return undefined
  const own = exec(OWN_FRAME, frame)
  if (own !== null) return { cell: toNumber(own[1]!), line: toNumber(own[2]!), column: toNumber(own[3]!) }
  const raw = exec(V8_FRAME, frame)!
  return placeInCell(raw[1]!, toNumber(raw[2]!), toNumber(raw[3]!))
}

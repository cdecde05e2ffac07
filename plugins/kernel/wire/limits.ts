// The limits of one value, and the meter that counts against them. Both directions of the codec pay the same costs through
// the same meter, before anything of the paid size is allocated (V2).
import { byteLength, hasOwn, isLimit, typeError } from './intrinsics.ts'

export interface ValueLimits {
  /** Objects and arrays. Bounds the bookkeeping that every node needs. */
  readonly maxNodes: number
  /** Entries of all objects and arrays together. */
  readonly maxEdges: number
  /** Length of each array, and of all arrays together: one number of JSON must not buy a gigabyte of holes. */
  readonly maxArrayLength: number
  /** Decimal digits of one BigInt without its sign: printing and reading it is more than linear. */
  readonly maxBigIntDigits: number
  /** UTF-8 of all keys, strings and BigInt digits together. */
  readonly maxStringBytes: number
}

export const DEFAULT_LIMITS: ValueLimits = {
  maxNodes: 100_000,
  maxEdges: 1_000_000,
  maxArrayLength: 1_000_000,
  maxBigIntDigits: 100_000,
  maxStringBytes: 64 * 1024 * 1024,
}

/** The longest array of the language. No limit allows more. */
export const LONGEST_ARRAY = 0xffffffff

/** A complete set. Throws a TypeError for a limit that is not a safe integer of at least 1. */
export function parseLimits(overrides: Partial<ValueLimits> = {}): ValueLimits {
  return {
    maxNodes: limit(overrides, 'maxNodes'),
    maxEdges: limit(overrides, 'maxEdges'),
    maxArrayLength: limit(overrides, 'maxArrayLength'),
    maxBigIntDigits: limit(overrides, 'maxBigIntDigits'),
    maxStringBytes: limit(overrides, 'maxStringBytes'),
  }
}

function limit(overrides: Partial<ValueLimits>, name: keyof ValueLimits): number {
  const value: unknown = hasOwn(overrides, name) ? overrides[name] : undefined
  if (value === undefined) return DEFAULT_LIMITS[name]
  if (!isLimit(value)) throw typeError(`PTC Value V1 limit ${name} must be a safe integer of at least 1`)
  return value
}

/** Each method books a cost and answers null, or the reason why the value is too big. Nothing is worth using after a reason. */
export interface Meter {
  node(): string | null
  edges(count: number): string | null
  array(length: number): string | null
  text(text: string): string | null
  bytes(count: number): string | null
  digits(count: number): string | null
}

export function meter(limits: ValueLimits): Meter {
  let nodes = 0
  let edges = 0
  let slots = 0
  let spent = 0
  const bytes = (count: number): string | null => {
    spent += count
    return spent > limits.maxStringBytes ? `string budget exceeded, maxStringBytes is ${limits.maxStringBytes}` : null
  }
  return {
    node: () => ++nodes > limits.maxNodes ? `node budget exceeded, maxNodes is ${limits.maxNodes}` : null,
    edges(count) {
      edges += count
      return edges > limits.maxEdges ? `edge budget exceeded, maxEdges is ${limits.maxEdges}` : null
    },
    array(length) {
      slots += length
      return slots > limits.maxArrayLength ? `array slot budget exceeded, maxArrayLength is ${limits.maxArrayLength}` : null
    },
    // UTF-8 is never shorter than the text, so a text that is far too long is not even measured.
    text: text => bytes(text.length > limits.maxStringBytes ? text.length : byteLength(text)),
    digits: count => count > limits.maxBigIntDigits
      ? `BigInt digits exceed maxBigIntDigits ${limits.maxBigIntDigits}`
      : bytes(count),
    bytes,
  }
}

// What a fresh worker has to prove before it gets a cell: that cells mean here what they are supposed to mean (contract 1.7).
// Knows the expected outcomes only; how a cell is run is handed in, so a broken realm can be tried as well.
import type { PreparedCell } from '../../compile/types.ts'

/** The global through which the probe hands its values to its cells, for as long as it runs. */
export const PROBE_GLOBAL = 'ptc startup probe'

export type ProbeName = 'receiver' | 'await' | 'import' | 'throw' | 'reject' | 'promise' | 'completion' | 'nothing'
export type ProbeCells = { readonly [N in ProbeName]: PreparedCell }

/** What a cell came to: `nothing` has no value. */
export type ProbeOutcome = { readonly value: unknown } | { readonly thrown: unknown } | 'nothing'
export type ProbeRunner = (cells: ProbeCells, name: ProbeName) => Promise<ProbeOutcome>

const failing = new Error('startup probe')
/** Thrown values come out as they went in, whatever they are. */
const THROWN: readonly unknown[] = [failing, null, undefined, false, 0]

/** `[cell, what it is given, what has to come of it]` */
const expected: readonly (readonly [name: ProbeName, given: unknown, outcome: ProbeOutcome])[] = [
  ['receiver', undefined, { value: true }],
  ['await', 20, { value: 21 }],
  ['import', undefined, { value: 'function' }],
  ...THROWN.flatMap((thrown) => [['throw', thrown, { thrown }], ['reject', thrown, { thrown }]] as const),
  ['promise', failing, { value: failing }],
  ['completion', 21, { value: 42 }],
  ['nothing', true, 'nothing'],
]

const shape = (outcome: ProbeOutcome) => outcome === 'nothing' ? outcome : 'value' in outcome ? 'a value' : 'a throw'

function isSame(a: ProbeOutcome, b: ProbeOutcome): boolean {
  if (a === 'nothing' || b === 'nothing') return a === b
  if ('value' in a) return 'value' in b && Object.is(a.value, b.value)
  return 'thrown' in b && Object.is(a.thrown, b.thrown)
}

/** Undefined when the realm runs cells as it should; otherwise the first thing that is wrong with it. */
export async function probe(cells: ProbeCells, run: ProbeRunner): Promise<string | undefined> {
  try {
    for (const [name, given, outcome] of expected) {
      Object.defineProperty(globalThis, PROBE_GLOBAL, { value: given, configurable: true })
      const came = await run(cells, name)
      if (!isSame(outcome, came)) return `"${name}" given ${String(given)} came to ${shape(came)} that is not the ${shape(outcome)} it should be`
    }
    return undefined
  } finally {
    Reflect.deleteProperty(globalThis, PROBE_GLOBAL)
  }
}

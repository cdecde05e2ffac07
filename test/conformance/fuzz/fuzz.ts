// Runs programs on the reference and on an engine, and compares.
import type { Engine } from './engines.ts'
import { Native, type Observation } from './native.ts'
import { generate, type Program } from './program.ts'

export interface Difference {
  readonly program: Program
  /** The first thing that differs, in a word; shrinking keeps it. */
  readonly what: string
  readonly expected: Observation
  readonly actual: Observation
}

/** The seeds of one run: they depend on its seed and their number only. */
export const seedOf = (seed: number, index: number): number => (Math.imul(seed, 0x01000193) + index) >>> 0

export function differenceOf(expected: Observation, actual: Observation): string | undefined {
  if (actual.rejected !== undefined) return 'rejected'
  if (expected.thrown !== actual.thrown) return 'thrown'
  const [wanted, got] = [expected.lines.join('\n'), actual.lines.join('\n')]
  if (wanted !== got) return 'output'
  return expected.values?.join('\n') === actual.values?.join('\n') ? undefined : 'values'
}

export class Comparison {
  readonly native = new Native()
  readonly engine: Engine
  /** What the programs ended like, to see that the generator makes good ones. */
  readonly counts = { programs: 0, cells: 0, invalid: 0, threw: 0 }

  constructor(engine: Engine) { this.engine = engine }

  async check(program: Program): Promise<Difference | undefined> {
    const expected = await this.native.run(program)
    this.counts.programs += 1
    this.counts.cells += program.cuts.length
    if (expected.rejected !== undefined) this.counts.invalid += 1
    if (expected.thrown !== undefined) this.counts.threw += 1
    if (expected.rejected !== undefined) return undefined
    const actual = await this.engine.run(program)
    const what = differenceOf(expected, actual)
    return what === undefined ? undefined : { program, what, expected, actual }
  }

  /** Program number `index` of a run. */
  async run(seed: number, index: number): Promise<Difference | undefined> {
    const program = generate(seedOf(seed, index), `_${index % 1_000}`)
    try {
      return await this.check(program)
    } catch (error) {
      throw new Error(`seed ${seed}, program ${index}`, { cause: error })
    }
  }
}

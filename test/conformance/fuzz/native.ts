// The reference: a whole program as the body of one async arrow function, run by V8 as it is, with types erased by amaro.
import { createRequire } from 'node:module'
import * as vm from 'node:vm'
import { finalOf, wholeOf, type Program } from './program.ts'
import { CONSOLE, SHOW } from './show.ts'

export interface Observation {
  /** What the program printed. */
  readonly lines: readonly string[]
  /** The values of its probes; absent when it threw. */
  readonly values?: readonly string[]
  /** The name of what it threw. */
  readonly thrown?: string
  /** It did not get as far as running. */
  readonly rejected?: string
}

interface Amaro { transformSync(source: string, options: { mode: 'strip-only' | 'transform' }): { code: string } }
const amaro = createRequire(import.meta.url)('amaro') as Amaro

/** Contexts are cheap next to programs, but not free. */
const PER_CONTEXT = 100

export class Native {
  private context: vm.Context | undefined
  private programs = 0

  /** The next program gets a context of its own. */
  renew(): void { this.context = undefined }

  async run(program: Program): Promise<Observation> {
    if (this.context === undefined || (this.programs += 1) % PER_CONTEXT === 0) this.context = fresh()
    const context = this.context
    vm.runInContext('lines.length = 0', context)
    vm.runInContext(`hideTexts(${program.lowered})`, context)
    const text = `(async () => {\n${wholeOf(program)}\n;return ${finalOf(program)}\n})`
    let start: () => Promise<unknown>
    try {
      const code = program.types ? amaro.transformSync(text, { mode: program.lowered ? 'transform' : 'strip-only' }).code : text
      start = vm.runInContext(code, context) as () => Promise<unknown>
    } catch (error) {
      return { lines: [], rejected: (error as Error).message }
    }
    try {
      const values = [...await start() as string[]]
      return { lines: linesOf(context), values }
    } catch (error) {
      return { lines: linesOf(context), thrown: nameOf(error) }
    }
  }
}

/** Anything may be thrown. */
export function nameOf(error: unknown): string {
  return (error as Partial<Error> | null | undefined)?.name ?? `thrown ${typeof error}`
}

function fresh(): vm.Context {
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY as never) as vm.Context
  vm.runInContext(CONSOLE + SHOW, context)
  return context
}

function linesOf(context: vm.Context): string[] { return [...vm.runInContext('lines', context) as string[]] }

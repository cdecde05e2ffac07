// The cells of the startup probe, compiled in the helper's thread by the compiler that user cells go through. Each tests one
// thing that every later cell relies on; `conformance.ts` says what has to come of it.
import { compile } from '../../compile/index.ts'
import type { PreparedCell } from '../../compile/types.ts'
import { PROBE_GLOBAL, type ProbeCells, type ProbeName } from './conformance.ts'

const given = `globalThis[${JSON.stringify(PROBE_GLOBAL)}]`

const SOURCES: { readonly [N in ProbeName]: string } = {
  receiver: 'return this === globalThis',
  await: `return await ${given} + 1`,
  import: "return typeof (await import('node:path')).join",
  throw: `throw ${given}`,
  reject: `await Promise.reject(${given})`,
  promise: `return Promise.resolve(${given})`,
  completion: `${given}; ${given} * 2`,
  nothing: `if (${given}) {}`,
}

/** The probe's cells, or what is wrong with the compiler. */
export function compileProbe(): ProbeCells | { readonly failure: string } {
  if (compile({ source: 'let broken = (', cell: 0, semantics: 'stateful-v1', reserved: [] }).kind !== 'rejected') return { failure: 'a syntax error was compiled' }
  const cells: Partial<Record<ProbeName, PreparedCell>> = {}
  for (const [name, source] of Object.entries(SOURCES) as [ProbeName, string][]) {
    const compiled = compile({ source, cell: 0, semantics: 'stateful-v1', reserved: [] })
    if (compiled.kind === 'rejected') return { failure: `the probe "${name}" was refused: ${compiled.error.message}` }
    cells[name] = compiled
  }
  return cells as ProbeCells
}

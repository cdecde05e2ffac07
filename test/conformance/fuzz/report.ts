// A difference as text.
import type { Difference } from './fuzz.ts'
import { cellsOf, finalOf, type Program } from './program.ts'
import type { Observation } from './native.ts'

function outcome({ lines, values, thrown, rejected }: Observation, { probes }: Program, other: Observation): string {
  const shown = (values ?? []).flatMap((value, at) => value === other.values?.[at] ? [] : [`    ${probes[at]} is ${value}`])
  return [
    ...rejected === undefined ? [] : [`    rejected: ${rejected}`], ...thrown === undefined ? [] : [`    throws ${thrown}`],
    ...lines.map((line) => `    prints ${line}`), ...shown,
  ].join('\n')
}

export function report(title: string, { program, what, expected, actual }: Difference): string {
  return `DIFFERENCE (${what}) ${title}
${cellsOf(program).map((cell) => `  | ${cell.replaceAll('\n', '\n  | ')}`).join('\n  |---- next cell\n')}
  |---- probes
  | ${finalOf(program).slice(0, 400)}
  expected
${outcome(expected, program, actual)}
  actual
${outcome(actual, program, expected)}
`
}

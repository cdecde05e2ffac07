// The one call that moves a cell: a host tool that changes the working directory. Host and worker read its answer alike, so
// relative paths of the program and of the host's tools mean the same, live and in a replay.

const FIELDS = ['cwd', 'directory', 'workingDirectory', 'path'] as const
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/u
const { test } = RegExp.prototype
const { getOwnPropertyDescriptor } = Object
const { apply } = Reflect

const isAbsolute = (value: unknown): value is string => typeof value === 'string' && apply(test, ABSOLUTE, [value]) as boolean

/** Where the cell is after this answer; undefined when the call is another one or names no absolute directory. */
export function directoryAfter(global: string, member: string, answer: unknown): string | undefined {
  if (global !== 'tools' || member !== 'working_directory') return undefined
  if (isAbsolute(answer)) return answer
  if (typeof answer !== 'object' || answer === null) return undefined
  for (let i = 0; i < FIELDS.length; i += 1) {
    const value: unknown = getOwnPropertyDescriptor(answer, FIELDS[i]!)?.value
    if (isAbsolute(value)) return value
  }
  return undefined
}

// Runs the patterns of an edit within their budget of processor time. A pattern may need longer than the universe lasts, so each
// run has a watchdog, which V8 lets end a regular expression in its middle. Runs where nothing else waits for the thread: in
// the main thread of a helper, never in the host.
import { Script } from 'node:vm'
import { EDIT_LIMITS } from './limits.ts'
import { excerpt, refuse } from './refusal.ts'
import type { Match } from './template.ts'
import type { RegexEdit } from './types.ts'

export interface Matches {
  readonly found: readonly Match[]
  /** Groups of the pattern, without the whole match. */
  readonly groups: number
  readonly isNamed: boolean
}

/**
 * Milliseconds of the watchdog, one try after the other. It can only measure elapsed time; on a busy machine that passes
 * without the pattern having had its share, and then it gets another try.
 */
const PATIENCE = [1, 4, 16, 64].map((factor) => EDIT_LIMITS.regexCpuMs * factor)

const script = new Script('run()')

/** One answer per edit. Throws an `EditRefusal`. */
export function matchAll(source: string, edits: readonly RegexEdit[]): Matches[] {
  const patterns = edits.map(compilePattern)
  for (const patienceMs of PATIENCE) {
    const before = process.cpuUsage()
    try {
      return script.runInNewContext({ run: () => patterns.map((pattern, index) => matchesOf(source, pattern, edits[index]!, index)) }, { timeout: patienceMs }) as Matches[]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      const { user, system } = process.cpuUsage(before)
      if ((user + system) / 1_000 >= EDIT_LIMITS.regexCpuMs) break
    }
  }
  return refuse(`the patterns need more than ${EDIT_LIMITS.regexCpuMs} ms; make them simpler, or use edits`)
}

function compilePattern({ pattern, flags }: RegexEdit, index: number): RegExp {
  try {
    return new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`)
  } catch (error) {
    return refuse(`regex_edits[${index}].pattern can not be used: ${excerpt((error as Error).message, 200)}`)
  }
}

function matchesOf(source: string, pattern: RegExp, { expected_matches: expected }: RegexEdit, index: number): Matches {
  const place = `regex_edits[${index}]`
  // Matches nothing, whatever the pattern is, and so tells of its groups.
  const empty = new RegExp(`${pattern.source}|`, pattern.flags).exec('')!
  const groups = empty.length - 1
  if (expected * groups > EDIT_LIMITS.captureSlots) refuse(`${place} has more groups than ${EDIT_LIMITS.captureSlots} for all its matches`)
  const found: Match[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(source); match !== null; match = pattern.exec(source)) {
    if (match[0] === '') refuse(`${place}.pattern matches without a character at ${match.index}`)
    if (found.length === expected) refuse(`${place} matches more than the expected ${expected} times`)
    found.push({ index: match.index, groups: [...match], named: match.groups })
  }
  if (found.length < expected) refuse(`${place} matches ${found.length} times, not the expected ${expected}`)
  return { found, groups, isNamed: empty.groups !== undefined }
}

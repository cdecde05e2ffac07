// Edits the source of a cell (contract 6): exact texts or regular expressions, all of an operation or nothing of it. Pure, but
// for the processor time that `matching.ts` looks at; it knows nothing of sessions, targets and receipts.
import { assemble } from './assemble.ts'
import { locateExact } from './exact.ts'
import { locateRegex } from './regex.ts'
import { EditRefusal } from './refusal.ts'
import type { Edited, Operation } from './types.ts'

/** Never throws. */
export function editSource(source: string, operation: Operation): Edited {
  try {
    const replacements = operation.kind === 'exact' ? locateExact(source, operation.edits) : locateRegex(source, operation.edits)
    return { source: assemble(source, replacements) }
  } catch (error) {
    if (error instanceof EditRefusal) return { refused: error.message }
    throw error
  }
}

// Where exact edits apply. Each text has to stand in the source once; a second occurrence counts also where it overlaps the first.
import { EDIT_LIMITS } from './limits.ts'
import { excerpt, refuse } from './refusal.ts'
import type { ExactEdit, Replacement } from './types.ts'

export function locateExact(source: string, edits: readonly ExactEdit[]): Replacement[] {
  if (source.length * edits.length * 2 > EDIT_LIMITS.exactSearch) {
    refuse(`looking for ${edits.length} texts in ${source.length} characters is more work than an edit may do`)
  }
  return edits.map(({ old_string: old, new_string: text }, index) => {
    const of = `edits[${index}]`
    const start = source.indexOf(old)
    if (start < 0) refuse(`${of}.old_string ${excerpt(old)} does not occur`)
    if (source.indexOf(old, start + 1) >= 0) refuse(`${of}.old_string ${excerpt(old)} occurs more than once; take in more of what surrounds it`)
    return { start, end: start + old.length, text, of }
  })
}

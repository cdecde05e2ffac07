// Puts all replacements into the source at once. Every range is one of the original source, so their order says nothing and none
// can see what another did.
import { EDIT_LIMITS } from './limits.ts'
import { refuse } from './refusal.ts'
import type { Replacement } from './types.ts'

export function assemble(source: string, replacements: readonly Replacement[]): string {
  const sorted = [...replacements].sort((a, b) => a.start - b.start)
  for (const [index, next] of sorted.entries()) {
    const before = sorted[index - 1]
    if (before !== undefined && next.start < before.end) refuse(`${before.of} and ${next.of} overlap`)
  }
  const put = sorted.reduce((length, { text }) => length + text.length, 0)
  const taken = sorted.reduce((length, { start, end }) => length + end - start, 0)
  if (put > EDIT_LIMITS.sourceLength) refuse(`what is put in has more than ${EDIT_LIMITS.sourceLength} characters`)
  if (source.length - taken + put > EDIT_LIMITS.sourceLength) refuse(`the edited source has more than ${EDIT_LIMITS.sourceLength} characters`)
  const pieces: string[] = []
  let at = 0
  for (const { start, end, text } of sorted) {
    pieces.push(source.slice(at, start), text)
    at = end
  }
  pieces.push(source.slice(at))
  const edited = pieces.join('')
  return edited === source ? refuse('the edits change nothing') : edited
}

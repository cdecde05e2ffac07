// What regular expressions replace: the matches (`matching.ts`) with their templates, each budget asked before the work is done.
import { EDIT_LIMITS } from './limits.ts'
import { matchAll } from './matching.ts'
import { refuse } from './refusal.ts'
import { expand, expandedLength, parseTemplate } from './template.ts'
import type { RegexEdit, Replacement } from './types.ts'

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

export function locateRegex(source: string, edits: readonly RegexEdit[]): Replacement[] {
  if (sum(edits.map(({ expected_matches: expected }) => expected)) > EDIT_LIMITS.matches) refuse(`more than ${EDIT_LIMITS.matches} matches are expected`)
  if (sum(edits.map(({ replacement }) => replacement.length)) > EDIT_LIMITS.templateLength) {
    refuse(`the replacements have more than ${EDIT_LIMITS.templateLength} characters`)
  }
  const matches = matchAll(source, edits)
  if (sum(matches.map(({ found, groups }) => found.length * groups)) > EDIT_LIMITS.captureSlots) {
    refuse(`the groups of all matches are more than ${EDIT_LIMITS.captureSlots}`)
  }
  const templates = matches.map(({ groups, isNamed }, index) => parseTemplate(edits[index]!.replacement, groups, isNamed))
  if (sum(matches.map(({ found }, index) => found.length * templates[index]!.length)) > EDIT_LIMITS.expansionSteps) {
    refuse(`expanding the replacements takes more than ${EDIT_LIMITS.expansionSteps} steps`)
  }
  let length = 0
  return matches.flatMap(({ found }, index) => found.map((match) => {
    const template = templates[index]!
    length += expandedLength(template, source, match)
    if (length > EDIT_LIMITS.sourceLength) refuse(`what is put in has more than ${EDIT_LIMITS.sourceLength} characters`)
    return { start: match.index, end: match.index + match.groups[0]!.length, text: expand(template, source, match), of: `regex_edits[${index}]` }
  }))
}

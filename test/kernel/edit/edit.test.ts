// Editing a source (contract 6.2, 6.3 and its examples): what comes out, and why nothing does.
import { expect } from 'chai'
import { editSource } from '../../../plugins/kernel/edit/index.ts'
import { EDIT_LIMITS } from '../../../plugins/kernel/edit/limits.ts'
import type { Edited, Operation } from '../../../plugins/kernel/edit/types.ts'
import { checkCase } from './reference.ts'

const exact = (source: string, ...edits: readonly (readonly [string, string])[]): Edited =>
  editSource(source, { kind: 'exact', edits: edits.map(([old_string, new_string]) => ({ old_string, new_string })) })

const regex = (source: string, pattern: string, flags: string, replacement: string, expected: number): Edited =>
  editSource(source, { kind: 'regex', edits: [{ pattern, flags, replacement, expected_matches: expected }] })

/** `expected`: the edited source, or what the refusal says. */
function row(title: string, came: () => Edited, expected: string | RegExp): void {
  it(title, () => {
    const edited = came()
    if (typeof expected === 'string') expect(edited).to.deep.equal({ source: expected })
    else expect(edited).to.have.property('refused').that.matches(expected)
  })
}

describe('exact edits', () => {
  row('6.2 one text', () => exact('let a = 1', ['1', '2']), 'let a = 2')
  row('6.2 several, in any order, all against the original', () => exact('abc', ['c', 'a'], ['a', 'b'], ['b', 'c']), 'bca')
  row('6.2 to nothing', () => exact('let a = 1 // x', [' // x', '']), 'let a = 1')
  row('6.1 twice is too often', () => exact('aXaX', ['aX', 'b']), /edits\[0\]\.old_string "aX" occurs more than once/)
  row('6.1 a second occurrence may overlap the first', () => exact('aaa', ['aa', 'b']), /occurs more than once/)
  row('6.1 none is too few', () => exact('abc', ['a', 'x'], ['d', 'e']), /edits\[1\]\.old_string "d" does not occur/)
  row('6.2 two that overlap', () => exact('abcd', ['bc', 'x'], ['cd', 'y']), /edits\[0\] and edits\[1\] overlap/)
  row('6.2 two that touch', () => exact('abcd', ['ab', 'x'], ['cd', 'y']), 'xy')
  row('6.2 two that change places, against the original', () => exact('ab', ['a', 'b'], ['b', 'a']), 'ba')
  row('the replacement is no template', () => exact('a', ['a', '$&$1']), '$&$1')
})

describe('edits by regular expression', () => {
  row('6.2 groups', () => regex('1px 2px', '(\\d)px', 'g', '$1em', 2), '1em 2em')
  row('6.1 matching is global without the flag', () => regex('1px 2px', '(\\d)px', '', '$1em', 2), '1em 2em')
  row('6.1 another number of matches', () => regex('1px 2px', '(\\d)px', 'g', '$1em', 1), /more than the expected 1 times/)
  row('6.1 fewer matches', () => regex('1px', 'px', '', 'em', 2), /matches 1 times, not the expected 2/)
  row('6.1 a match without a character', () => regex('ab', 'x*', '', 'y', 1), /matches without a character at 0/)
  row('a pattern that is none', () => regex('a', '(', '', 'y', 1), /regex_edits\[0\]\.pattern can not be used/)
  row('nothing changes', () => regex('aba', 'a', '', '$&', 2), /change nothing/)
  row('6.2 backslashes are literal', () => regex('ab', '(a)', '', '\\1', 1), '\\1b')
  row('6.2 a number that there is not is literal, two digits fall back to one', () => regex('a', '(a)', '', '$0$2$10$01$00$11', 1), '$0$2a0a$00a1')
  row('6.2 dollar, whole, before, after', () => regex('xay', 'a', '', "[$$|$&|$`|$']", 1), 'x[$|a|x|y]y')
  row('6.2 names', () => regex('ab', '(?<n>a)(?<m>x)?', '', '<$<n>$<m>$<z>>', 1), '<a>b')
  row('6.2 names of a pattern without names are literal', () => regex('ab', '(a)', '', '$<n>', 1), '$<n>b')
  row('a name is not looked up on a prototype', () => regex('ab', '(?<n>a)', '', '[$<toString>]', 1), '[]b')
})

describe('the budgets of an edit', () => {
  const { exactSearch, sourceLength, captureSlots, expansionSteps, matches, templateLength } = EDIT_LIMITS
  const long = (length: number) => `${'a'.repeat(length - 1)}b`
  const sixteen = [...'bcdefghijklmnopq'].map((letter) => [letter, letter.toUpperCase()] as const)
  row('work of looking, at the limit', () => exact('a'.repeat(exactSearch / 32 - 16) + 'bcdefghijklmnopq', ...sixteen), 'a'.repeat(exactSearch / 32 - 16) + 'BCDEFGHIJKLMNOPQ')
  row('work of looking, past it', () => editSource(long(exactSearch / 32 + 1), {
    kind: 'exact', edits: Array.from({ length: 16 }, () => ({ old_string: 'b', new_string: 'c' })),
  }), /more work than an edit may do/)
  row('the edited source, past it', () => exact(long(sourceLength), ['b', 'cc']), /the edited source has more than/)
  row('what is put in, past it', () => exact('ab', ['b', 'c'.repeat(sourceLength + 1)]), /put in has more than/)
  row('what expands to too much', () => regex(long(2_000), 'a', '', '$`', 1_999), /put in has more than/)
  row('templates at the limit', () => regex('a', 'a', '', 'x'.repeat(templateLength), 1), 'x'.repeat(templateLength))
  row('templates past it', () => regex('a', 'a', '', 'x'.repeat(templateLength + 1), 1), /replacements have more than/)
  row('steps of expansion, past it', () => regex('a'.repeat(matches), 'a', '', '$&'.repeat(expansionSteps / matches + 1), matches), /takes more than/)
  row('groups at the limit', () => regex('a'.repeat(matches), '(a)'.padEnd(3 + 2 * (captureSlots / matches - 1), '()'), '', 'b', matches), 'b'.repeat(matches))
  row('groups past it', () => regex('a'.repeat(matches), '(a)'.padEnd(3 + 2 * (captureSlots / matches), '()'), '', 'b', matches), /more groups than/)
  row('matches of all edits, past it', () => editSource('a', {
    kind: 'regex', edits: [1, matches].map((expected_matches) => ({ pattern: 'a', flags: '', replacement: 'b', expected_matches })),
  } satisfies Operation), /more than 4096 matches/)
  row('processor time of a pattern', () => regex(`${'a'.repeat(60)}!`, '^(a+)+$', '', 'b', 1), /need more than 100 ms/)
})

describe('random edits', () => {
  it('do what the reference does', () => {
    const cases = Array.from({ length: 400 }, (_, seed) => checkCase(seed + 1))
    expect(cases.flatMap(({ problem }) => problem ?? [])).to.deep.equal([])
    expect(cases.filter(({ accepted }) => accepted).length, 'accepted').to.be.greaterThan(100)
  })
})

// Editing a cell as text with a cursor, without a terminal.
import { expect } from 'chai'
import { edit, insert, vertical, type Draft } from '../../../../client/terminal/editor/draft.ts'

/** `|` is the cursor. */
const draft = (text: string): Draft => ({ text: text.replace('|', ''), cursor: text.indexOf('|') })
const show = ({ text, cursor }: Draft) => `${text.slice(0, cursor)}|${text.slice(cursor)}`

describe('what a key does to the text', () => {
  const cases: readonly (readonly [key: string, before: string, after: string, killed?: string])[] = [
    ['left', 'ab|c', 'a|bc'], ['left', '|abc', '|abc'], ['left', 'a\n|b', 'a|\nb'], ['left', 'a👩‍👩‍👧|', 'a|👩‍👩‍👧'], ['left', 'e\u0301|', '|e\u0301'],
    ['right', 'a|bc', 'ab|c'], ['right', 'abc|', 'abc|'], ['right', 'a|\nb', 'a\n|b'], ['right', '|👩‍👩‍👧b', '👩‍👩‍👧|b'],
    ['home', 'a\nbc|', 'a\n|bc'], ['home', '|a', '|a'], ['C-a', 'ab|', '|ab'], ['end', 'a|b\nc', 'ab|\nc'], ['C-e', '|ab', 'ab|'],
    ['C-left', 'foo.bar|', 'foo.|bar'], ['M-b', 'foo  |bar', '|foo  bar'], ['C-right', '|foo.bar', 'foo|.bar'], ['M-f', 'foo| $bär.', 'foo $bär|.'],
    ['backspace', 'ab|', 'a|'], ['backspace', '|ab', '|ab'], ['backspace', 'a\n|b', 'a|b'], ['backspace', '世|', '|'],
    ['delete', 'a|b', 'a|'], ['delete', 'a|', 'a|'], ['C-d', '|ab', '|b'],
    ['C-w', 'let a.b |', 'let |', 'a.b '], ['M-backspace', 'let a.b|', 'let a.|', 'b'], ['M-d', '|foo.bar', '|.bar', 'foo'],
    ['C-u', 'x\nab|c', 'x\n|c', 'ab'], ['C-k', 'a|bc\nd', 'a|\nd', 'bc'], ['C-k', 'a|\nd', 'a|d', '\n'], ['C-k', 'a|', 'a|', ''],
  ]
  for (const [key, before, after, killed] of cases) it(`${key}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`, () => {
    const edited = edit(draft(before), key)
    expect(edited && show(edited.draft)).to.equal(after)
    expect(edited?.killed).to.equal(killed)
  })

  it('leaves other keys alone', () => {
    for (const key of ['a', 'space', 'return', 'f1', 'C-x', 'toString']) expect(edit(draft('a|'), key), key).to.equal(null)
  })

  it('inserts at the cursor', () => expect(show(insert(draft('a|d'), 'bc'))).to.equal('abc|d'))

  it('goes up and down in its column', () => {
    const up = (text: string) => { const moved = vertical(draft(text), -1); return moved && show(moved) }
    const down = (text: string) => { const moved = vertical(draft(text), 1); return moved && show(moved) }
    expect(up('abc\nde|f')).to.equal('ab|c\ndef')
    expect(up('a\ndef|')).to.equal('a|\ndef')
    expect(up('\n|')).to.equal('|\n')
    expect(up('ab|c\nd')).to.equal(null)
    expect(down('ab|c\ndef\ng')).to.equal('abc\nde|f\ng')
    expect(down('abc|\n')).to.equal('abc\n|')
    expect(down('abc\nd|')).to.equal(null)
  })
})

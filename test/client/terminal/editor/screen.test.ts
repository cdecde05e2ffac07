// What is redrawn, checked on a virtual terminal.
import { expect } from 'chai'
import { withText, type Draft } from '../../../../client/terminal/editor/draft.ts'
import { layout, Screen } from '../../../../client/terminal/editor/screen.ts'
import { VirtualTerminal } from './virtual-terminal.ts'

const prompts = { first: '> ', next: '... ' }
const at = (text: string): Draft => ({ text: text.replace('|', ''), cursor: text.indexOf('|') })

describe('laying a draft out', () => {
  const cases: readonly (readonly [text: string, columns: number, rows: readonly string[], row: number, column: number])[] = [
    ['|', 10, ['> '], 0, 2], ['abc|', 10, ['> abc'], 0, 5], ['a|\nb', 10, ['> a', '... b'], 0, 3], ['a\n|b', 10, ['> a', '... b'], 1, 4],
    ['abcdef|', 6, ['> abcd', 'ef'], 1, 2], ['abc|def', 6, ['> abcd', 'ef'], 0, 5], ['abcd|ef', 6, ['> abcd', 'ef'], 1, 0],
    ['abcd|', 6, ['> abcd', ''], 1, 0], ['abcd|\nx', 6, ['> abcd', '', '... x'], 1, 0],
    ['世界|', 5, ['> 世', '界'], 1, 2], ['a世|', 4, ['> a', '世'], 1, 2], ['e\u0301|x', 10, ['> e\u0301x'], 0, 3],
    ['a\tb|', 20, ['> a    b'], 0, 8], ['\x1b[31m|', 20, ['> ^[[31m'], 0, 8], ['👩‍👩‍👧|a', 20, ['> 👩‍👩‍👧a'], 0, 4],
  ]
  for (const [text, columns, rows, row, column] of cases) it(`${JSON.stringify(text)} in ${columns} columns`, () => {
    expect(layout(at(text), prompts, columns)).to.deep.equal({ rows, row, column })
  })
})

describe('drawing a draft', () => {
  it('replaces what it drew before, whatever its height', () => {
    const terminal = new VirtualTerminal(10)
    const screen = new Screen(terminal)
    terminal.write('before\r\n')
    for (const text of ['a|', 'abcdefgh|', 'abcdefghijk|l', 'a\nb\n|c', '|x']) screen.draw(at(text), prompts)
    expect(terminal.screen).to.deep.equal(['before', '> |x'])
  })

  it('leaves the whole draft above when it is done, and stands on a fresh line', () => {
    const terminal = new VirtualTerminal(10)
    const screen = new Screen(terminal)
    screen.draw(at('a\n|b'), prompts)
    screen.finish(withText('a\nb'), prompts, '^C')
    screen.draw(at('|'), prompts)
    expect(terminal.screen).to.deep.equal(['> a', '... b^C', '> |'])
  })

  it('shows the part around the cursor of a draft that is too high', () => {
    const terminal = new VirtualTerminal(10, 3)
    const screen = new Screen(terminal)
    const text = '1\n2\n3\n4\n5'
    screen.draw(withText(text), prompts)
    expect(terminal.screen).to.deep.equal(['... 3', '... 4', '... 5|'])
    screen.draw({ text, cursor: 0 }, prompts)
    expect(terminal.screen).to.deep.equal(['> |1', '... 2', '... 3'])
    screen.draw({ text, cursor: 6 }, prompts)
    expect(terminal.screen).to.deep.equal(['... 2', '... 3', '... |4'])
    screen.finish(withText(text), prompts)
    expect(terminal.screen).to.deep.equal(['> 1', '... 2', '... 3', '... 4', '... 5', '|'])
  })

  it('clears its rows for something else', () => {
    const terminal = new VirtualTerminal(10)
    const screen = new Screen(terminal)
    screen.draw(withText('a\nb'), prompts)
    screen.clear()
    expect(terminal.screen).to.deep.equal(['|'])
  })
})

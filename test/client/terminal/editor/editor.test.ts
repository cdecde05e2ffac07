// Keys to cells: the line editor over a terminal that the test draws.
import { expect } from 'chai'
import { PassThrough } from 'node:stream'
import { Editor, type Reading } from '../../../../client/terminal/editor/editor.ts'
import { InputHistory } from '../../../../client/terminal/editor/history.ts'
import { VirtualTerminal } from './virtual-terminal.ts'

const settled = () => new Promise(resolve => setTimeout(resolve, 5))
const [up, down, left, delayedEscape] = ['\x1b[A', '\x1b[B', '\x1b[D', '\x1b']

describe('the editor of a terminal', () => {
  let input: PassThrough & { setRawMode?(raw: boolean): void }
  let terminal: VirtualTerminal
  let history: InputHistory
  let editor: Editor
  let close: () => void
  let raw: boolean[]
  let interrupts: number
  let candidates: readonly string[]

  beforeEach(() => {
    raw = []
    interrupts = 0
    candidates = []
    input = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => { raw.push(on) } })
    terminal = new VirtualTerminal(40)
    history = new InputHistory(null)
    editor = new Editor(input, terminal, history, {
      submits: text => !text.endsWith('{'),
      interrupt: () => { interrupts++ },
      complete: async (text, cursor) => ({ from: text.lastIndexOf(' ', cursor - 1) + 1, candidates }),
    })
    close = editor.open()
  })
  afterEach(() => close())

  async function typed(keys: string): Promise<string[]> {
    input.write(keys)
    await settled()
    return terminal.screen
  }

  async function reading(keys: string): Promise<Reading> {
    const answer = editor.read()
    input.write(keys)
    return answer
  }

  it('takes the terminal and gives it back', () => {
    expect(raw).to.deep.equal([true])
    close()
    expect(raw).to.deep.equal([true, false])
  })

  it('reads a line', async () => {
    expect(await reading('1 + 1\r')).to.deep.equal({ kind: 'text', text: '1 + 1' })
    expect(terminal.screen).to.deep.equal(['> 1 + 1', '|'])
  })

  it('goes on in a new line while the cell is unfinished, and lets every line be edited', async () => {
    void editor.read()
    expect(await typed('f {\rg()')).to.deep.equal(['> f {', '... g()|'])
    expect(await typed(`${up}${left}x`)).to.deep.equal(['> f x|{', '... g()'])
  })

  it('makes a new line on Alt-Enter', async () => {
    expect(await reading('a\x1b\rb\r')).to.deep.equal({ kind: 'text', text: 'a\nb' })
  })

  it('takes a pasted text as one, whatever is in it', async () => {
    const text = editor.read()
    expect(await typed('\x1b[200~a {\r\n\tb\r}\x1b[201~')).to.deep.equal(['> a {', '...     b', '... }|'])
    input.write('\r')
    expect(await text).to.deep.equal({ kind: 'text', text: 'a {\n\tb\n}' })
  })

  it('walks through the history, a cell of many lines being one entry', async () => {
    for (const entry of ['first', 'two {\n}', 'third']) history.add(entry)
    void editor.read()
    expect(await typed(`draft${up}`)).to.deep.equal(['> third|'])
    expect(await typed(up)).to.deep.equal(['> two {', '... }|'])
    expect(await typed(up)).to.deep.equal(['> first|'])
    expect(await typed(up)).to.deep.equal(['> first|'])
    expect(await typed(down + down + down)).to.deep.equal(['> draft|'])
  })

  it('moves inside of a recalled cell once it is edited', async () => {
    history.add('two {\n}')
    void editor.read()
    expect(await typed(`${up};${up}x`)).to.deep.equal(['> twx|o {', '... };'])
  })

  it('searches the history', async () => {
    for (const entry of ['let alpha', 'beta', 'alphabet', 'gamma']) history.add(entry)
    const text = editor.read()
    expect(await typed('\x12alp')).to.deep.equal(['(search "alp") alphabet|'])
    expect(await typed('\x12')).to.deep.equal(['(search "alp") let alpha|'])
    expect(await typed('\x07')).to.deep.equal(['> |'])
    input.write('\x12bet\r')
    expect(await text).to.deep.equal({ kind: 'text', text: 'alphabet' })
  })

  it('completes what is common and lists the rest', async () => {
    void editor.read()
    candidates = ['alphabet', 'alpha']
    expect(await typed('x al\t')).to.deep.equal(['> x alpha|'])
    expect(await typed('\t')).to.deep.equal(['> x alpha', 'alphabet  alpha', '> x alpha|'])
    candidates = []
    expect(await typed('\t')).to.deep.equal(['> x alpha', 'alphabet  alpha', '> x alpha|'])
  })

  it('indents on Tab where nothing stands yet', async () => {
    void editor.read()
    expect(await typed('a {\r\tb')).to.deep.equal(['> a {', '...   b|'])
  })

  it('cuts and brings back', async () => {
    void editor.read()
    expect(await typed('one two\x17\x01\x19')).to.deep.equal(['> two|one'])
  })

  it('answers Ctrl-C with what it threw away', async () => {
    expect(await reading('abc\x03')).to.deep.equal({ kind: 'cancelled', text: 'abc' })
    expect(terminal.screen).to.deep.equal(['> abc^C', '|'])
    expect(await reading('\x03')).to.deep.equal({ kind: 'cancelled', text: '' })
  })

  it('ends at Ctrl-D on an empty draft, and deletes otherwise', async () => {
    expect(await reading('ab\x01\x04\r')).to.deep.equal({ kind: 'text', text: 'b' })
    expect(await reading('\x04')).to.deep.equal({ kind: 'end' })
  })

  it('ends when the terminal goes away, after the keys that came before', async () => {
    const first = editor.read()
    input.end('a\rb\r')
    expect(await first).to.deep.equal({ kind: 'text', text: 'a' })
    expect(await editor.read()).to.deep.equal({ kind: 'text', text: 'b' })
    await settled()
    expect(await editor.read()).to.deep.equal({ kind: 'end' })
  })

  it('passes Ctrl-C on while nobody reads, and keeps other keys for the next reading', async () => {
    await typed('\x03next\r')
    expect(interrupts).to.equal(1)
    expect(await editor.read()).to.deep.equal({ kind: 'text', text: 'next' })
    expect(interrupts).to.equal(1)
  })

  it('ignores keys that mean nothing', async () => {
    void editor.read()
    await typed(`a\x1b[15~\x1b[24~\x0f${delayedEscape}`)
    await new Promise(resolve => setTimeout(resolve, 600))
    expect(await typed('b')).to.deep.equal(['> ab|'])
  })

  it('clears the terminal at Ctrl-L and keeps the draft', async () => {
    terminal.write('old\r\n')
    void editor.read()
    expect(await typed('ab\x0c')).to.deep.equal(['> ab|'])
  })
})

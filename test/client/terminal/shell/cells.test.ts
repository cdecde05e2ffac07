// Piped input split into cells.
import { expect } from 'chai'
import { countBrackets, noBrackets } from '../../../../client/terminal/shell/brackets.ts'
import { CellCollector, commandIn, type Input } from '../../../../client/terminal/shell/cells.ts'

function collect(text: string): Input[] {
  const collector = new CellCollector()
  return [...text.split('\n').map(line => collector.add(line)), collector.end()].filter(input => input !== null)
}

const sources = (text: string) => collect(text).map(input => input.kind === 'cell' ? input.source : `/${input.name} ${input.argument}`)

describe('collecting lines into cells', () => {
  it('ends a cell at the line where it is complete', () => {
    expect(sources('let a = 1\nlet b = {\n  c: 2,\n\n  d: 3\n}\na')).to.deep.equal(['let a = 1', 'let b = {\n  c: 2,\n\n  d: 3\n}', 'a'])
  })

  it('drops blank lines and comments between cells and keeps them inside', () => {
    expect(sources('\n// first\n\nf(\n// inside\n)\n')).to.deep.equal(['f(\n// inside\n)'])
  })

  it('takes slash commands at the start of a cell only', () => {
    expect(sources('/names\nlet a = 6\n/policy protected\nx = a\n/ 2')).to.deep.equal(['/names ', 'let a = 6', '/policy protected', 'x = a', '/ 2'])
    expect(sources('x = a +\n/names\n/.source')).to.deep.equal(['x = a +\n/names', '/.source'])
  })

  it('keeps the lines of a broken cell together until its brackets close', () => {
    expect(sources('function f() {\n  let x = ;\n  drop()\n}\nf()')).to.deep.equal(['function f() {\n  let x = ;\n  drop()\n}', 'f()'])
  })

  it('gives a broken cell up at an empty line', () => {
    expect(sources('foo(a b\nmore\n\nf()')).to.deep.equal(['foo(a b\nmore\n', 'f()'])
  })

  it('hands over what is left at the end of the text', () => {
    expect(sources('a\nfunction f() {')).to.deep.equal(['a', 'function f() {'])
  })
})

describe('counting brackets', () => {
  const cases: readonly (readonly [source: string, open: number, inside: 'code' | 'comment' | 'template', sure: boolean])[] = [
    ['', 0, 'code', true], ['a({ b: [1', 3, 'code', true], [')))(', 1, 'code', true], ['f({\n}', 1, 'code', true],
    ['a("(", \'[\', "\\"{") // (', 0, 'code', true], ['f(/* ( */ 1', 1, 'code', true], ['/* (\n(', 0, 'comment', true], ['/* (\n( */ (', 1, 'code', true],
    ['`(\n(', 0, 'template', true], ['`(\n(` + (', 1, 'code', true], ['`${(', 0, 'template', false], ['`\\``', 0, 'template', false],
    ['x = /[(]/', 0, 'code', false], ['a / b', 0, 'code', false], ['"abc', 0, 'code', false], ['"abc\\', 0, 'code', false], ["'", 0, 'code', false],
  ]
  for (const [source, open, inside, sure] of cases) it(JSON.stringify(source), () => {
    const counted = source.split('\n').reduce(countBrackets, noBrackets)
    expect(sure ? counted : { ...counted, open, inside }).to.deep.equal({ open, inside, sure })
  })

  it('lets a cell of many lines be collected in linear time', () => {
    const body = Array<string>(20_000).fill('  if (a) { b(c, [1, "2", 3]) } // so')
    expect(sources(['function f() {', ...body, '}', 'f()'].join('\n'))).to.have.length(2)
  })
})

describe('slash commands', () => {
  const cases: readonly (readonly [line: string, expected: Input | null])[] = [
    ['/exit', { kind: 'command', name: 'exit', argument: '' }],
    ['/policy  protected  ', { kind: 'command', name: 'policy', argument: 'protected' }],
    ['/session my session', { kind: 'command', name: 'session', argument: 'my session' }],
    ['/nonsense', { kind: 'command', name: 'nonsense', argument: '' }],
    ['/re/.test(x)', null], ['/re x/.test(y)', null], ['/Exit', null], [' /exit', null], ['/', null], ['// note', null], ['1 /exit', null],
  ]
  for (const [line, expected] of cases) it(JSON.stringify(line), () => expect(commandIn(line)).to.deep.equal(expected))
})

// Values, errors and diagnostics as people see them.
import { expect } from 'chai'
import { paint, plain, renderTroubles, renderValue, type Look } from '../../../client/terminal/render.ts'
import { renderDiagnostic, type Style } from '../../../plugins/kernel/host/render.ts'
import type { Diagnostic } from '../../../plugins/journal/types.ts'

const coloured: Look = { colours: true, columns: 80 }

const diagnostic: Diagnostic = {
  code: 'PTC-X001', severity: 'error', phase: 'execute', message: 'ReferenceError: missing is not defined', stateEffect: 'partially-applied',
  source: { cell: 'current', start: { line: 2, column: 3 }, end: { line: 2, column: 10 } },
}

describe('a diagnostic for people', () => {
  it('has its place, its line with carets, and what it did', () => {
    expect(renderDiagnostic(diagnostic, 'let a = 1\n  missing\nlet b')).to.equal([
      'error[PTC-X001]: ReferenceError: missing is not defined', ' --> current:2:3', '2 |   missing', '  |   ^^^^^^^',
      'phase: execute', 'state: partially-applied',
    ].join('\n'))
  })

  it('has all its parts in order', () => {
    const { source, ...rest } = diagnostic
    expect(renderDiagnostic({ ...rest, severity: 'warning', dispatchState: 'completed', cause: { code: 'PTC-LOCAL', message: 'why' }, help: ['do this', 'or that'] }, '')).to.equal([
      'warning[PTC-X001]: ReferenceError: missing is not defined', 'phase: execute', 'dispatch: completed', 'state: partially-applied',
      'cause: PTC-LOCAL: why', 'help: do this', 'help: or that',
    ].join('\n'))
    expect(renderDiagnostic({ ...rest, cause: { message: 'why' } }, '')).to.match(/\ncause: why$/)
    expect(renderDiagnostic({ ...rest, cause: diagnostic }, '')).to.match(/\ncause: PTC-X001: ReferenceError/)
  })

  it('shows no line of a cell whose text it does not have', () => {
    const text = renderDiagnostic({ ...diagnostic, source: { cell: 'cell 3', start: { line: 1, column: 1 } } }, 'other')
    expect(text).to.include(' --> cell 3:1:1').and.not.include('other')
  })

  const places: readonly (readonly [string, string, { line: number, column: number }, { line: number, column: number } | undefined, string])[] = [
    ['keeps tabs above and below', '\tx = y', { line: 1, column: 6 }, undefined, '1 | \tx = y\n  | \t    ^'],
    ['marks one place at the end of a line', 'a +', { line: 1, column: 4 }, undefined, '1 | a +\n  |    ^'],
    ['stays on the line of the start', 'f(\n1)', { line: 1, column: 2 }, { line: 2, column: 2 }, '1 | f(\n  |  ^'],
    ['survives a place outside of the text', 'a', { line: 1, column: 50 }, undefined, '1 | a\n  |  ^'],
    ['knows the line ends of Windows', 'a\r\nb', { line: 2, column: 1 }, undefined, '2 | b\n  | ^'],
  ]
  for (const [title, source, start, end, frame] of places) it(title, () => {
    const text = renderDiagnostic({ ...diagnostic, source: { cell: 'current', start, ...end ? { end } : {} } }, source)
    expect(text).to.include(`\n${frame}\n`)
  })

  it('cuts a very long line around the place', () => {
    const text = renderDiagnostic({ ...diagnostic, source: { cell: 'current', start: { line: 1, column: 5001 } } }, `${'a'.repeat(5000)}X${'b'.repeat(5000)}`)
    const [, , line, carets] = text.split('\n')
    expect(line).to.match(/^1 \| …a+Xb+…$/).and.have.length.below(200)
    expect(carets?.indexOf('^')).to.equal(line?.indexOf('X'))
  })

  it('says nothing about a line that is not there', () => {
    expect(renderDiagnostic({ ...diagnostic, source: { cell: 'current', start: { line: 9, column: 1 } } }, 'a')).to.not.include('|')
  })

  it('is coloured for a terminal only', () => {
    expect(renderDiagnostic(diagnostic, 'x', (style: Style, text) => paint(style, text, coloured))).to.match(/^\x1b\[31merror\[PTC-X001\]\x1b\[0m: /)
    expect(renderDiagnostic(diagnostic, 'x', (style: Style, text) => paint(style, text, plain))).to.not.include('\x1b')
  })
})

describe('what a cell leaves behind, for people', () => {
  it('inspects values and passes texts through', () => {
    expect(renderValue({ hasValue: true, value: { a: [1, 'b'] } }, plain)).to.equal("{ a: [ 1, 'b' ] }")
    expect(renderValue({ hasValue: true, value: 'text' }, plain)).to.equal("'text'")
    expect(renderValue({ hasValue: true, value: null }, plain)).to.equal('null')
    expect(renderValue({ hasValue: true, text: '<ref *1> {a: [Circular *1]}' }, plain)).to.equal('<ref *1> {a: [Circular *1]}')
    expect(renderValue({ hasValue: false }, plain)).to.equal(null)
    expect(renderValue({ hasValue: true, value: 1 }, coloured)).to.equal('\x1b[33m1\x1b[39m')
  })

  it('tells of an error that no diagnostic tells of', () => {
    const error = { kind: 'timeout', message: 'took too long' } as const
    expect(renderTroubles({ diagnostics: [], error }, '', plain)).to.equal('timeout: took too long')
    expect(renderTroubles({ diagnostics: [], error: { ...error, kind: 'exception', name: 'TypeError' } }, '', plain)).to.equal('TypeError: took too long')
    expect(renderTroubles({ diagnostics: [diagnostic], error }, '', plain)).to.not.include('took too long')
    expect(renderTroubles({ diagnostics: [{ ...diagnostic, severity: 'warning' }], error }, '', plain)).to.include('\ntimeout: took too long')
    expect(renderTroubles({ diagnostics: [] }, '', plain)).to.equal(null)
  })
})

// Where compiled text came from, and how little of a cell is changed, shown on one source for each construct.
import { expect } from 'chai'
import { compile } from '../../../plugins/kernel/compile/index.ts'
import { originalPosition } from '../../../plugins/kernel/compile/segments.ts'
import type { PreparedCell, Segments } from '../../../plugins/kernel/compile/types.ts'
import { runCells } from '../../harness/cells.ts'

function prepared(source: string): PreparedCell {
  const compiled = compile({ source, cell: 1, semantics: 'stateful-v1', reserved: [] })
  if (compiled.kind === 'rejected') throw new Error(`${compiled.error.message}: ${source}`)
  return compiled
}

/** Every word with a digit at its end occurs once in the source; where the compiled text has it, it has to map there. */
function expectWordsInPlace(source: string, code: string, segments: Segments | null): number {
  const lines = source.split('\n')
  let words = 0
  code.split('\n').forEach((text, line) => {
    for (const { 0: word, index } of text.matchAll(/(?<![\w$."])[a-z]+\d\d(?!\w)/g)) {
      const [originalLine, originalColumn] = originalPosition(segments, line, index)
      if (lines[originalLine]?.startsWith(word, originalColumn) !== true) {
        // A word that the compiler wrote itself: the name that a declaration assigns, in front of what it assigns.
        expect(lines.slice(0, originalLine + 1).join('\n'), `${word} in ${text}`).to.include(word)
        continue
      }
      words += 1
    }
  })
  return words
}

const SOURCES: readonly string[] = [
  'aa11 + bb22',
  'let aa11 = bb22, cc33 = dd44\nlet ee55 = ff66; gg77(hh88)',
  'const { aa11, bb22: [cc33] } = dd44; ee55()\nconst { ff66 = await gg77 } = hh88; ii99()',
  'function aa11(bb22) {\n  return cc33\n}\ndd44()',
  '  function aa11(bb22) { const xx = cc33; xx = dd44; return ee55 }; ff66()',
  'export class aa11 { bb22() { return cc33 } }\ndd44()',
  'export default aa11\nbb22()',
  'import aa11 from "m"\nimport {\n bb22 } from "n"; cc33()\ndd44()',
  'enum E { A = aa11, B = bb22 }\ncc33(dd44)',
  'namespace N {\n  export const x = aa11\n  bb22() }\ncc33()',
  'if (aa11) { bb22 } else for (const x of cc33) { dd44; break }',
  'try { aa11 } catch { bb22 } finally { cc33(); do { break } while (dd44) }',
  'for (var i = aa11; bb22; cc33) { var j = dd44; { function g() { return ee55 } } ff66 }',
  'switch (aa11) { case bb22: function g() { return cc33 } default: dd44 }',
  'const f = (x: number, y?: string): void => { aa11(x as any) }; bb22<string>(cc33!)\ndd44',
  'class P { constructor(private x = aa11) { bb22() } }; cc33()',
  'using x = aa11, y = bb22; cc33()',
  '"use strict"; function ff() { return aa11 } bb22()',
  'const y = import.meta; function ff() { import.meta; return aa11 } bb22()',
]

describe('cells: positions', () => {
  for (const source of SOURCES) {
    it(`kept words map to their place: ${JSON.stringify(source)}`, () => {
      const cell = prepared(source)
      let words = expectWordsInPlace(source, cell.code, cell.segments)
      for (const { code, segments } of cell.functions) words += expectWordsInPlace(source, code, segments)
      expect(words).to.be.greaterThan(1)
    })
  }

  it('segments ascend', () => {
    for (const source of SOURCES) {
      const { segments } = prepared(source)
      for (let i = 1; i < segments.length; i += 1) {
        const [line, column] = segments[i]!
        const [lastLine, lastColumn] = segments[i - 1]!
        expect(line > lastLine || (line === lastLine && column >= lastColumn)).to.equal(true)
      }
    }
  })

  it('lines are those of the source', () => {
    for (const source of SOURCES) {
      const { code } = prepared(source)
      // The line after the body answers for cells without a value.
      expect(code.split('\n').length, source).to.equal(source.split('\n').length + 1)
    }
  })

  it('a JavaScript cell without declarations is kept to the letter', () => {
    for (const source of ['f(1);g(2);', 'for (const x of [1]) { x }; (() => { let y; var z; function q() {} class C {} })();', '/* a */ x = 1 // b\n;', 'a?.b ?? `c${d}`;']) {
      const { code } = prepared(`${source}\nthrow 1`)
      expect(code).to.equal(`(async (__ptc, __ptc$) => {${source}\nthrow 1\nreturn __ptc.n})`)
    }
  })

  it('functions without updates keep their text and need no segments', () => {
    const source = 'let a\n  function f(x) { const y = x; { let y } return y }'
    const [f] = prepared(source).functions
    expect(f).to.deep.equal({ name: 'f', code: '\n  function f(x) { const y = x; { let y } return y }\n//# sourceURL=ptc-cell:1#f0', segments: null, factory: false })
  })

  it('a stack in the body has the line of the source', async () => {
    const { thrown } = await runCells(['let a = 1\nlet b = 2\nnull.x'])
    expect(thrown?.stack).to.match(/ptc-cell:1:3:/)
  })

  it('the file name of a cell is its number', () => {
    expect(prepared('function f() {}').functions[0]!.code).to.match(/\n\/\/# sourceURL=ptc-cell:1#f0$/)
  })

  it('names say what a cell declares, in order', () => {
    const { names, vars, defaultFollows } = prepared('let a; import { b } from "m"; function c() {} class D {} for (var e of []); export default class F {} enum G {} const { h } = {}; { function i() {} }')
    expect(names).to.deep.equal([
      { name: 'a', kind: 'variable' }, { name: 'b', kind: 'import' }, { name: 'c', kind: 'function' }, { name: 'D', kind: 'class' },
      { name: 'e', kind: 'variable' }, { name: '__default', kind: 'variable' }, { name: 'F', kind: 'class' }, { name: 'G', kind: 'variable' },
      { name: 'h', kind: 'variable' }, { name: 'i', kind: 'function' },
    ])
    expect([...vars].sort()).to.deep.equal(['G', 'e', 'i'])
    expect(defaultFollows).to.equal('F')
  })
})

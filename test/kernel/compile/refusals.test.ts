// Cells that do not run: why, where, and in which form the caller hears of it.
import { expect } from 'chai'
import { compile, MODULE_TRANSFORM } from '../../../plugins/kernel/compile/index.ts'
import type { CompileRequest, Rejection } from '../../../plugins/kernel/compile/types.ts'

function rejected(source: string, request: Partial<CompileRequest> = {}): Rejection {
  const compiled = compile({ source, cell: 1, semantics: 'stateful-v1', reserved: ['tools', 'ToolError'], ...request })
  if (compiled.kind !== 'rejected') throw new Error(`not refused: ${compiled.code}`)
  return compiled
}
function accepted(source: string, request: Partial<CompileRequest> = {}): void {
  const compiled = compile({ source, cell: 1, semantics: 'stateful-v1', reserved: ['tools'], ...request })
  expect(compiled.kind === 'rejected' ? compiled.error : undefined, source).to.equal(undefined)
}

describe('cells: refusals', () => {
  it('PTC-C001 is a syntax error with a place in the source', () => {
    expect(rejected('let a = 1\nlet x: = 3')).to.deep.equal({
      kind: 'rejected',
      diagnostic: {
        code: 'PTC-C001', severity: 'error', phase: 'parse', message: 'Unexpected token', stateEffect: 'unchanged',
        source: { cell: 'current', start: { line: 2, column: 8 } },
      },
      error: { name: 'SyntaxError', message: 'Unexpected token' },
    })
  })

  const places: readonly (readonly [what: string, source: string, line: number, column: number])[] = [
    ['what only V8 knows, in the body', 'let a = 1\n\nconst r = /(/', 3, 11],
    ['after names of ours on the same line', 'let a = 1, b = /(/', 1, 16],
    ['in a declared function', 'let a\n  function f() {\n    return /(/ }', 3, 12],
    ['in an edited function', 'function f() { const x = 1; x = 2;\n  const x = /(/ }', 2, 13],
    ['in a method', 'class A {\n  m() { return /[b-a]/ }\n}', 2, 16],
    ['a break outside a loop', '1\nbreak', 2, 1],
    ['new.target', '  new.target', 1, 3],
    ['at the end', 'function f() {', 1, 15],
    ['an unclosed string', 'const s = "abc', 1, 11],
    ['after a line that ends in CR LF', 'let a\r\n const b = /(/', 2, 12],
    ['a second declaration in a nested head', '(() => {\n for (let i, i;;); })', 2, 14],
  ]
  for (const [what, source, line, column] of places) {
    it(`place: ${what}`, () => {
      const { diagnostic } = rejected(source)
      expect(diagnostic.code).to.equal('PTC-C001')
      expect(diagnostic.source?.start).to.deep.equal({ line, column })
    })
  }

  it('JSX and decorators of parameters are named', () => {
    expect(rejected('const x = <div>hi</div>').error.message).to.match(/JSX/)
    expect(rejected('const x = <>hi</>').error.message).to.match(/JSX/)
    expect(rejected('const x = <a b="c" />').diagnostic.source?.start).to.deep.equal({ line: 1, column: 11 })
    expect(rejected('class A { m(@d a) {} }').error.message).to.match(/Decorators .* parameters/)
  })

  it('what ends the wrapper ends nothing', () => {
    for (const source of ['})(); (async () => {', '}) //', '} {', '*/', 'return }']) rejected(source)
  })

  it('deep nesting is refused, not fatal', () => {
    expect(rejected(`${'['.repeat(20_000)}${']'.repeat(20_000)}`).diagnostic.code).to.equal('PTC-C001')
  })

  it('PTC-C002 names the module, wherever and however it is asked for', () => {
    const forms = [
      'import "node:worker_threads"', 'import { Worker } from "worker_threads"', 'export * from "cluster"', 'export { a } from "node:cluster"',
      'await import("cluster")', 'const f = () => import(`node:cluster`)', 'try { require("worker_threads") } catch {}',
      'function f() { return require("node:worker_threads") }', 'import w = require("worker_threads")',
    ]
    for (const source of forms) {
      const { diagnostic, error } = rejected(source)
      expect(diagnostic.code, source).to.equal('PTC-C002')
      expect(diagnostic.phase).to.equal('preflight')
      expect(error.message).to.match(/worker_threads|cluster/)
    }
    expect(rejected('1\n  require("cluster")').diagnostic.source?.start).to.deep.equal({ line: 2, column: 11 })
  })

  it('PTC-C002 does not see what is something else', () => {
    for (const source of [
      'import type { Worker } from "node:worker_threads"', 'const f = require => require("cluster")', 'const require = x => x; require("cluster")',
      'o = { require: x => x }; o.require("cluster")', 'require("./cluster")', 'const s = "worker_threads"', 'import("clus" + "ter")',
    ]) accepted(source)
  })

  it('PTC-N001 lists the reserved names that a cell declares', () => {
    const { diagnostic, error } = rejected('const a = 1\nimport { x as tools } from "m"; class ToolError {}')
    expect(diagnostic.code).to.equal('PTC-N001')
    expect(diagnostic.phase).to.equal('preflight')
    expect(error.name).to.equal('SyntaxError')
    expect(diagnostic.collisions).to.deep.equal([
      { name: 'tools', kind: 'import', reason: 'reserved-program-binding-not-shadowable', start: { line: 2, column: 15 } },
      { name: 'ToolError', kind: 'class', reason: 'reserved-program-binding-not-shadowable', start: { line: 2, column: 39 } },
    ])
    for (const source of ['let tools', 'var tools', 'function tools() {}', 'const { tools } = {}', 'for (var tools of []);', 'enum tools {}', '{ function tools() {} }', 'if (0) { var [tools] = [] }']) {
      expect(rejected(source).diagnostic.code, source).to.equal('PTC-N001')
    }
    for (const source of ['{ let tools }', 'function f(tools) {}', 'tools.a()', 'interface tools {}', 'for (let tools of []);']) accepted(source)
  })

  it('protected: names of before are not declared again', () => {
    const request = { semantics: 'protected-v1', existing: ['x', 'join'] } as const
    const { diagnostic } = rejected('let y = 1, x = 2; import { join } from "node:path"', request)
    expect(diagnostic.collisions?.map(({ name, reason }) => [name, reason])).to.deep.equal([
      ['x', 'protected-root-redeclaration'], ['join', 'import-binding-redeclaration'],
    ])
    for (const source of ['var x', 'function x() {}', 'class x {}', 'const { x } = {}']) expect(rejected(source, request).diagnostic.code, source).to.equal('PTC-N001')
    accepted('{ let x } x = 2; function f(x) {}', request)
  })

  it('protected: inside a cell the rules are native', () => {
    const request = { semantics: 'protected-v1', existing: [] } as const
    for (const source of ['const a = 1; const a = 2', 'let a; var a', 'const a', 'function f() { let x; let x }', 'class A {} class A {}']) {
      expect(rejected(source, request).diagnostic.code, source).to.equal('PTC-C001')
    }
    accepted('var a; var a; function f() {} function f() {}', request)
  })

  it('MODULE_TRANSFORM names the eraser and its version', () => {
    expect(MODULE_TRANSFORM).to.match(/^native-root-v1\+amaro@\d+\.\d+\.\d+$/)
  })
})

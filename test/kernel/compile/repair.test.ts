// The repair of a source that ends too early (contract 6.6): when there is one, and that whatever is offered is a cell.
import { expect } from 'chai'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from '../../../plugins/kernel/compile/index.ts'
import type { CompileRequest, EndRepair } from '../../../plugins/kernel/compile/types.ts'
import { editSource } from '../../../plugins/kernel/edit/index.ts'
import { corpus } from '../replay/corpus.ts'

const request = (source: string, more: Partial<CompileRequest> = {}): CompileRequest =>
  ({ source, cell: 1, semantics: 'stateful-v1', reserved: [], offersRepair: true, ...more })

function repairOf(source: string, more?: Partial<CompileRequest>): EndRepair | undefined {
  const compiled = compile(request(source, more))
  return compiled.kind === 'rejected' ? compiled.repair : undefined
}

/** What is wrong with an offered repair. */
function problemOf(source: string, { anchor, suffix }: EndRepair): string | undefined {
  if (anchor.length > 256) return 'the anchor is too long'
  if (compile(request(source + suffix)).kind !== 'prepared') return 'is no cell'
  const edited = editSource(source, { kind: 'exact', edits: [{ old_string: anchor, new_string: anchor + suffix }] })
  return 'source' in edited && edited.source === source + suffix ? undefined : 'is not what the edit makes'
}

/** More real cells, where the shared inputs are beside the checkout, or where `PTC_CONFORMANCE` says. */
function conformance(): string[] {
  const file = join(process.env['PTC_CONFORMANCE'] ?? fileURLToPath(new URL('../../../../shared/conformance', import.meta.url)), 'ts-cells.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { source: string }[]).map(({ source }) => source) : []
}

const wide = 'f(1); '.repeat(60)

describe('the repair of an end', () => {
  const table: readonly (readonly [title: string, source: string, repair: EndRepair | undefined, more?: Partial<CompileRequest>])[] = [
    ['one bracket', 'if (true) {', { anchor: '{', suffix: '}' }],
    ['two brackets', 'f({ a: 1', { anchor: '1', suffix: '})' }],
    ['two of the same', 'g(); f(g(', { anchor: '(g(', suffix: '))' }],
    ['as short as it is unique', 'a(b); a(b', { anchor: ' a(b', suffix: ')' }],
    ['three brackets are too many', 'f({ a: [1', undefined],
    ['blanks at the end', 'function f() {\n  return 1\n\n', { anchor: '\n\n', suffix: '}' }],
    ['nothing to close', 'let x =', undefined],
    ['a mistake before the end', 'let x y; {', undefined],
    ['an unfinished string', "f('a", undefined],
    ['a comment that would swallow it', 'f( // a', undefined],
    ['a body that may be empty', 'x = a => {', { anchor: '{', suffix: '}' }],
    ['a cell', 'if (true) {}', undefined],
    ['an empty source', '', undefined],
    ['a name that is taken', 'function tools() {', undefined, { reserved: ['tools'] }],
    ['a name that is taken, in a protected session', 'function f() {', undefined, { semantics: 'protected-v1', existing: ['f'] }],
    ['not when nobody asks', 'if (true) {', undefined, { offersRepair: false }],
    ['an end that repeats itself for too long', `{ ${wide}{ ${wide}`, undefined],
    ['a whole character', 'f(`\ud83d\ude00`, `\ud83d\ude01`', { anchor: '\ud83d\ude01`', suffix: ')' }],
    ['a character from another plane', 'f(`\ud83d\ude00`, `\ud83c\ude00`', { anchor: '\ud83c\ude00`', suffix: ')' }],
  ]
  for (const [title, source, repair, more] of table) {
    it(title, () => {
      const found = repairOf(source, more)
      if (repair === undefined) expect(found).to.equal(undefined)
      else {
        expect(found).to.deep.equal(repair)
        expect(problemOf(source, found!)).to.equal(undefined)
      }
    })
  }

  // `PTC_REPAIR_STEP=1` cuts everywhere, which takes minutes.
  it('is a cell, whatever is cut off a real one', () => {
    const sources = [...new Set([...corpus().flatMap(({ samples }) => samples.map(({ source }) => source)), ...conformance()])]
    const every = Number(process.env['PTC_REPAIR_STEP'] ?? 61)
    let offered = 0
    const problems: string[] = []
    for (const [index, source] of sources.entries()) {
      for (let end = index % every; end < source.length; end += every) {
        const start = source.slice(0, end)
        const repair = repairOf(start)
        if (repair === undefined) continue
        offered += 1
        const problem = problemOf(start, repair)
        if (problem !== undefined) problems.push(`${JSON.stringify(start.slice(-60))} ${problem}`)
      }
    }
    expect(problems).to.deep.equal([])
    expect(offered, 'repairs offered').to.be.greaterThan(20)
  }).timeout(1_200_000)
})

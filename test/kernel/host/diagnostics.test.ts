// The examples of contract 10, as a reader sees them: one row an example, and which lines of its text they pin.
import { expect } from 'chai'
import { renderDiagnostic } from '../../../plugins/kernel/host/render.ts'
import type { CellResult, ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { temporaryFolder } from '../../harness/sessions.ts'

describe('diagnostics, by the examples of contract 10', () => {
  let home: ReturnType<typeof temporaryFolder>
  let graph: Graph
  let session: ReplSession
  const start = async () => {
    graph = await boot({ dir: home.path })
    session = await graph.kernel.open('s')
  }
  beforeEach(async () => {
    home = temporaryFolder()
    await start()
  })
  afterEach(async () => {
    await graph.dispose()
    home.remove()
  })

  const linesOf = (source: string, { diagnostics }: CellResult) => renderDiagnostic(diagnostics[0]!, source).split('\n')

  it('10 import of node:worker_threads -> error[PTC-C002], phase: preflight, state: unchanged, noop', async () => {
    const source = "import { Worker } from 'node:worker_threads'"
    const result = await session.run(source)
    const lines = linesOf(source, result)
    expect(lines[0]).to.match(/^error\[PTC-C002\]: /u)
    expect(lines.slice(-2)).to.deep.equal(['phase: preflight', 'state: unchanged'])
    expect(result.status).to.equal('noop')
  })

  it('10 return typeof x after a skipped cell -> the first log line begins warning[PTC-R002]: ', async () => {
    await session.run("import fs from 'node:fs'\nlet x = fs.existsSync('/')")
    await graph.dispose()
    await start()
    const { value, logs } = await session.run("console.log('after it'); return typeof x")
    expect([value, logs.map(({ text }) => text.split('\n')[0]!.replace(/: .*/u, ': '))]).to.deep.equal(['undefined', ['warning[PTC-R002]: ', 'after it']])
  })

  it('10 the same ReferenceError three times -> the third result has a PTC-W001 log, the fourth none', async () => {
    const logs: string[][] = []
    for (let n = 0; n < 4; n++) logs.push((await session.run('missing')).logs.map(({ text }) => text.split(': ')[0]!))
    expect(logs).to.deep.equal([[], [], ['warning[PTC-W001]'], []])
  })

  it('10 return {get v(){return 1}} -> PTC-O001, the getter is not called', async () => {
    const source = 'return {get v(){ globalThis.asked = true; return 1 }}'
    const result = await session.run(source)
    expect(linesOf(source, result)[0]).to.match(/^error\[PTC-O001\]: \$\.v /u)
    expect([result.error?.kind, (await session.run('typeof asked')).value]).to.deep.equal(['invalid-output', 'undefined'])
  })

  it('10 what is thrown at line 2, column 3 -> current:2:3, with that line alone', async () => {
    const source = 'let a = 1\n  missing(a)\nlet b = 2'
    expect(linesOf(source, await session.run(source))).to.deep.equal([
      'error[PTC-X001]: ReferenceError: missing is not defined', ' --> current:2:3', '2 |   missing(a)', '  |   ^', 'phase: execute', 'state: partially-applied',
    ])
  })
})

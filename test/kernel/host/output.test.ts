// Everything that a cell prints reaches its result, whichever way it takes (contract 1.7; O1, O2).
import { expect } from 'chai'
import type { LogEntry, ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'

describe('output', () => {
  let graph: Graph
  let session: ReplSession
  before(async () => { graph = await boot(); session = await graph.kernel.open('output') })
  after(() => graph.dispose())

  it('console methods, in call order, with their channel', async () => {
    const { logs } = await session.run("console.log('a', { b: 1 }); console.error('c'); console.table([{ x: 1 }]); console.group('g'); console.info('in'); console.groupEnd()")
    expect(logs.map(({ channel }) => channel)).to.deep.equal(['stdout', 'stderr', 'stdout', 'stdout', 'stdout'])
    expect(logs.map(({ text }) => text).filter((_, i) => i !== 2)).to.deep.equal(['a { b: 1 }', 'c', 'g', '  in'])
  })

  it('writes that do not end a line run together', async () => {
    const { logs } = await session.run("process.stdout.write('a'); process.stdout.write('b\\n'); process.stdout.write('c')")
    expect(logs).to.deep.equal([{ channel: 'stdout', text: 'ab' }, { channel: 'stdout', text: 'c' }])
  })

  it('descriptors and inherited children', async () => {
    const { output } = await session.run("const fs = await import('node:fs'); fs.writeSync(1, 'direct\\n'); (await import('node:child_process')).execSync('echo child; echo problem >&2', { stdio: 'inherit' })")
    expect(output.split('\n').sort()).to.deep.equal(['child', 'direct', 'problem'])
  })

  it('a zero byte of the program is not taken for a fence', async () => {
    const { output } = await session.run("require('node:fs').writeSync(1, 'a\\u0000ptc-fence x\\u0000b\\n')")
    expect(output).to.equal('a\u0000ptc-fence x\u0000b')
  })

  it('is shown before the cell ends', async () => {
    const seen: LogEntry[] = []
    const abort = new AbortController()
    await session.run("console.log('early'); await new Promise(() => {})", { signal: abort.signal, onOutput: (entry) => { seen.push(entry); abort.abort() } })
    expect(seen).to.deep.equal([{ channel: 'stdout', text: 'early\n' }])
  })
})

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

  for (const [what, reach] of [
    ['an import that waits', "await new Promise((r) => setTimeout(r, 1)); const late = await import('node:fs'); late.writeSync(1, 'first\\n')"],
    ['a builtin asked for', "process.getBuiltinModule('fs').writeSync(2, 'first\\n')"],
    ['a module that another loads', "require('node:module').createRequire(process.cwd() + '/')('node:child_process').execSync('echo first', { stdio: 'inherit' })"],
    ['a raw write', "process._rawDebug('first')"],
  ] as const) {
    it(`of the first cell of a session that reaches a descriptor, by ${what}, and of those after it`, async () => {
      const own = await graph.kernel.open(`reach ${what}`)
      expect((await own.run('1')).output).to.equal('')
      const first = await own.run(`${reach}; 1`)
      expect([first.error, first.output.trim()]).to.deep.equal([undefined, 'first'])
      const { output } = await own.run("console.log('own'); require('node:fs').writeSync(1, 'again\\n')")
      expect(output.split('\n').sort()).to.deep.equal(['again', 'own'])
      await own.close()
    })
  }

  it('ends in time, also of a program that forges its own end', async () => {
    const own = await graph.kernel.open('forged', { limits: { workerReclaimMs: 1_000 } })
    await own.run('let kept = 1')
    const forged = "{ type: 'done', cell: 2, isFenced: true, completion: { kind: 'return', hasValue: false }, settles: [], wakes: [], ambient: [] }"
    const result = await own.run(`kept = 2; require('node:fs').writeSync(4, JSON.stringify(${forged}) + '\\n'); for (;;);`)
    expect(result.status).to.not.equal('durable')
    expect((await own.run('kept')).value).to.equal(1)
    await own.close()
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

// `ptc batch` as its users start it: a child process, lines in and out.
import { expect } from 'chai'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Answer } from '../harness/batch.ts'
import { temporaryFolder } from '../harness/sessions.ts'
import { linesOf, ptc, requests, start, type Ended } from './ptc.ts'

describe('ptc batch, the real composition in a child process', function () {
  this.timeout(60_000)
  let home: ReturnType<typeof temporaryFolder>
  beforeEach(() => { home = temporaryFolder() })
  afterEach(() => home.remove())

  const batch = (stdin: string, ...flags: string[]) => ptc(['batch', '--home', home.path, ...flags], stdin)
  const answers = ({ stdout, stderr, status }: Ended): Answer[] => {
    expect(status, stderr).to.equal(0)
    return linesOf(stdout)
  }

  it('answers each cell with one result, in order, and keeps names', async () => {
    const [first, second, third] = answers(await batch(requests('let a = { b: [1, "x"] }\na', 'console.log("out"); console.error("err"); a.b.length', 'let c')))
    expect(first).to.deep.equal({ status: 'durable', hasValue: true, value: { b: [1, 'x'] }, logs: [], diagnostics: [] })
    expect(second?.value).to.equal(2)
    expect(second?.logs).to.have.deep.members([{ channel: 'stdout', text: 'out' }, { channel: 'stderr', text: 'err' }])
    expect(third).to.deep.equal({ status: 'durable', hasValue: false, logs: [], diagnostics: [] })
  })

  it('gives values that are no JSON as text', async () => {
    const lines = answers(await batch(requests('return undefined', '12n', 'const o: any = {}; o.self = o; o', '-0', 'NaN')))
    expect(lines.map(({ hasValue, text }) => [hasValue, text])).to.deep.equal([[true, 'undefined'], [true, '12n'], [true, '<ref *1> {self: [Circular *1]}'], [true, '-0'], [true, 'NaN']])
    for (const line of lines) expect(line).to.not.have.property('value')
  })

  it('reports failures of programs as data', async () => {
    const [thrown, refused, fine] = answers(await batch(requests('class MyError extends TypeError {}\nthrow new MyError("no")', 'let = = 1', '1')))
    expect(thrown?.error).to.deep.equal({ kind: 'exception', name: 'MyError', message: 'no' })
    expect(thrown?.diagnostics?.map(({ code }) => code)).to.deep.equal(['PTC-X001'])
    expect(refused?.status).to.equal('noop')
    expect(refused?.diagnostics?.map(({ code }) => code)).to.deep.equal(['PTC-C001'])
    expect(fine?.value).to.equal(1)
  })

  it('refuses what is no request, one line for one line, and loses nothing', async () => {
    const lines = answers(await batch(`nonsense\n${requests('1')}{"source":1}\n\n{"source":"2","more":1}\n[]\n{"source":"3"}`))
    expect(lines.map(line => line.value ?? line.error?.kind)).to.deep.equal(['request', 1, 'request', 'request', 'request', 3])
    for (const { error } of lines.filter(({ error }) => error)) expect(error?.message).to.match(/\S/)
  })

  it('brings a session back from disk after restart, kill and reset, and in another process', async () => {
    const lines = answers(await batch(requests(
      'let n = 1', { control: 'restart' }, 'n += 1', { control: 'kill' }, 'n += 1', { control: 'reset' }, 'n += 1',
    )))
    expect(lines.map(({ ok, value }) => ok ?? value)).to.deep.equal([undefined, true, 2, true, 3, true, 4])
    expect(answers(await batch(requests('n'))).map(({ value }) => value)).to.deep.equal([4])
  })

  it('keeps sessions apart', async () => {
    answers(await batch(requests('let n = 1'), '--session', 'one'))
    answers(await batch(requests('let n = 2'), '--session', 'two'))
    expect(answers(await batch(requests('n'), '--session', 'one'))[0]?.value).to.equal(1)
  })

  it('keeps nothing with --memory, and forgets at restart', async () => {
    const lines = answers(await batch(requests('let n = 1', 'n', { control: 'restart' }, 'typeof n'), '--memory'))
    expect(lines.map(({ ok, value }) => ok ?? value)).to.deep.equal([undefined, 1, true, 'undefined'])
    expect(readdirSync(home.path)).to.deep.equal([])
  })

  it('sets the policy, which survives a restart', async () => {
    const lines = answers(await batch(requests('let a = 1', 'let a = 2', { control: 'policy', value: 'protected' }, 'let a = 3', { control: 'restart' }, 'let a = 4', 'a')))
    expect(lines.map(({ ok, status }) => ok ?? status)).to.deep.equal(['durable', 'durable', true, 'noop', true, 'noop', 'durable'])
    expect(lines.at(-1)?.value).to.equal(2)
    const [, again] = answers(await batch(requests('let b = 1', 'let b = 2'), '--policy', 'protected'))
    expect(again?.diagnostics?.map(({ code }) => code)).to.deep.equal(['PTC-N001'])
  })

  it('bounds a cell by timeoutMs, whether it works or waits, and goes on', async () => {
    const lines = answers(await batch(requests(
      'let n = 1', { source: 'for (;;);', timeoutMs: 300 }, { source: 'await new Promise(() => setTimeout(() => {}, 1e9))', timeoutMs: 300 }, { source: 'n', timeoutMs: 30_000 },
    )))
    expect(lines.map(({ status, error, value }) => [status, error?.kind ?? value])).to.deep.equal([
      ['durable', undefined], ['discarded', 'timeout'], ['discarded', 'timeout'], ['durable', 1],
    ])
  })

  it('runs a cell in its own folder, relative to --cwd', async () => {
    const [own, usual] = answers(await batch(requests({ source: 'process.cwd()', cwd: 'sessions' }, 'process.cwd()'), '--cwd', home.path))
    expect(own?.value).to.equal(join(home.path, 'sessions'))
    expect(usual?.value).to.equal(home.path)
  })

  it('takes and gives lines of 16 MB', async () => {
    const size = 16 * 1024 * 1024
    const lines = answers(await batch(requests(`let s = ${JSON.stringify('x'.repeat(size))}; s.length`, 's', '"ok"')))
    expect(lines[0]?.value).to.equal(size)
    expect((lines[1]?.value as string).length).to.equal(size)
    expect(lines[2]?.value).to.equal('ok')
  })

  it('answers before the next request comes, and waits for it', async () => {
    const { child, ended } = start(['batch', '--home', home.path])
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
    for (const n of [1, 2, 3]) {
      child.stdin!.write(requests(`${n} * 2`))
      expect((JSON.parse((await lines.next()).value as string) as Answer).value).to.equal(n * 2)
    }
    child.stdin!.end()
    await once(child, 'exit')
    child.stdout!.resume()
    void ended
  })

  it('keeps stdout for answers, whatever a plugin prints', async () => {
    const plugin = join(home.path, 'noisy.ts')
    writeFileSync(plugin, `import type { Context } from 'cordis'
export const name = 'noisy'
export async function apply(ctx: Context): Promise<void> {
  console.log('printed by a plugin')
  process.stdout.write('written by a plugin\\n')
  ctx.logger.warn('warned by a plugin')
}
`)
    const ended = await batch(requests('1'), '--with', plugin)
    expect(answers(ended)).to.have.length(1)
    expect(ended.stderr).to.include('printed by a plugin').and.include('written by a plugin').and.include('[noisy] warn: warned by a plugin')
  })

  it('ends quietly when nobody reads any more', async () => {
    const { child, ended } = start(['batch', '--home', home.path])
    child.stdin!.write(requests('1'))
    await once(child.stdout!, 'data')
    child.stdout!.destroy()
    child.stdin!.write(requests('2', '3'))
    const [status] = await once(child, 'exit') as [number]
    expect(status).to.equal(0)
    expect((await ended.catch(() => null))?.stderr ?? '').to.equal('')
  })

  it('refuses a session that another process has open, in words', async () => {
    const { child, ended } = start(['batch', '--home', home.path])
    child.stdin!.write(requests('1'))
    await once(child.stdout!, 'data')
    const second = await batch(requests('2'))
    expect(second.status).to.equal(1)
    expect(second.stderr).to.match(/^ptc: session default is open in another writer/)
    child.stdin!.end()
    expect((await ended).status).to.equal(0)
  })

  // Whether the helper has gone can only be seen where there is /proc.
  for (const [signal, status] of !existsSync('/proc/self') ? [] : [['SIGTERM', 143], ['SIGHUP', 129], ['SIGINT', 130]] as const) {
    it(`takes everything down at ${signal}, also in the middle of a cell`, async () => {
      const { child, ended } = start(['batch', '--home', home.path])
      child.stdin!.write(requests('let n = 41', 'process.pid', 'for (;;);'))
      let out = ''
      child.stdout!.on('data', data => { out += String(data) })
      while (out.split('\n').length < 3) await once(child.stdout!, 'data')
      const helper = linesOf(out)[1]?.value as number
      expect(existsSync(`/proc/${helper}`)).to.equal(true)
      await new Promise(resolve => setTimeout(resolve, 200))
      child.kill(signal)
      expect((await ended).status).to.equal(status)
      expect(existsSync(`/proc/${helper}`)).to.equal(false)
      expect(answers(await batch(requests('n + 1')))[0]?.value).to.equal(42)
    })
  }
})

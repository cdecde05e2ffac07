// The standalone composition: what is loaded, what is said when something is not, and that its file is left alone.
import { expect } from 'chai'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { boot, bootJournal, ComposeError, type BootOptions } from '../../client/terminal/compose.ts'
import { temporaryFolder } from '../harness/sessions.ts'

const standard = fileURLToPath(new URL('../../cordis.yml', import.meta.url))
const plugins = new URL('../../plugins/', import.meta.url)

describe('booting a composition', function () {
  this.timeout(30_000)
  let folder: ReturnType<typeof temporaryFolder>
  let log: string[]
  let options: BootOptions
  beforeEach(() => {
    folder = temporaryFolder()
    log = []
    options = { home: join(folder.path, 'home'), log: text => log.push(text) }
  })
  afterEach(() => folder.remove())

  function write(name: string, text: string): string {
    const file = join(folder.path, name)
    writeFileSync(file, text)
    return file
  }

  async function failure(compose: Partial<BootOptions>): Promise<string> {
    try {
      await (await boot({ ...options, ...compose })).dispose()
    } catch (error) {
      expect(error).to.be.instanceOf(ComposeError)
      return (error as Error).message
    }
    throw new Error('it booted')
  }

  it('starts the standard one, runs a cell and unloads it without a word', async () => {
    const before = readFileSync(standard, 'utf8')
    const app = await boot(options)
    const session = await app.kernel.open('s')
    expect((await session.run('1 + 1')).value).to.equal(2)
    expect((await app.journal.list()).map(({ id }) => id)).to.deep.equal(['s'])
    await app.dispose()
    await app.dispose()
    expect(session.state).to.equal('closed')
    expect(log).to.deep.equal([])
    expect(readFileSync(standard, 'utf8')).to.equal(before)
    expect(readdirSync(options.home)).to.deep.equal(['sessions'])
  })

  it('writes nothing with memory', async () => {
    const app = await boot({ ...options, memory: true })
    await (await app.kernel.open('s')).run('1')
    await app.dispose()
    expect(existsSync(options.home)).to.equal(false)
  })

  it('starts no kernel to read histories', async () => {
    const app = await bootJournal(options)
    expect(app.ctx.get('replKernel')).to.equal(undefined)
    expect(await app.journal.list()).to.deep.equal([])
    await app.dispose()
    expect(log).to.deep.equal([])
  })

  it('adds plugins, which find the services', async () => {
    const file = write('notes.ts', `import type { Context } from 'cordis'
export const name = 'notes'
export const inject = ['capabilityPlan']
export async function apply(ctx: Context): Promise<void> {
  const plan = (ctx as unknown as { capabilityPlan: { register(name: string, members: object): () => void } }).capabilityPlan
  plan.register('notes', { add: { replay: 'recorded-value', parameters: { type: 'string' }, call: (text: unknown) => 'noted ' + text } })
}
`)
    const app = await boot({ ...options, with: [file] })
    const session = await app.kernel.open('s')
    expect((await session.run('await notes.add("it")')).value).to.equal('noted it')
    await app.dispose()
  })

  it('lays settings over a row and keeps the rest of its config; the file stays as it is', async () => {
    write('seen.ts', `export const name = 'journal'
export async function apply(ctx: { provide(name: string, value: unknown): void }, config: unknown): Promise<void> {
  ctx.provide('ptcJournal', { config })
}
`)
    const text = '- id: journal\n  name: ./seen.ts\n  config: { kept: 1, dir: replaced }\n'
    const compose = write('own.yml', text)
    const app = await bootJournal({ ...options, compose })
    expect((app.journal as unknown as { config: object }).config).to.deep.equal({ kept: 1, dir: join(options.home, 'sessions') })
    await app.dispose()
    expect(readFileSync(compose, 'utf8')).to.equal(text)
  })

  it('leaves the file alone when a plugin goes away by itself', async () => {
    write('leaver.ts', `export const name = 'leaver'
export async function apply(ctx: { fiber: { dispose(): unknown } }): Promise<void> { setTimeout(() => ctx.fiber.dispose(), 20) }
`)
    const rows = readFileSync(standard, 'utf8').replaceAll('./plugins/', plugins.href)
    const text = `${rows}\n- id: leaver\n  name: ./leaver.ts\n`
    const compose = write('own.yml', text)
    const app = await boot({ ...options, compose })
    await new Promise(resolve => setTimeout(resolve, 100))
    await app.dispose()
    expect(readFileSync(compose, 'utf8')).to.equal(text)
  })

  it('says what is missing', async () => {
    const compose = write('own.yml', `- { id: journal, name: "${new URL('journal/index.ts', plugins).href}" }\n- { id: kernel, name: "${new URL('kernel/index.ts', plugins).href}" }\n`)
    expect(await failure({ compose })).to.equal(`${compose} does not start:\n  kernel (${new URL('kernel/index.ts', plugins).href}) waits for capabilityPlan\n`
      + '  nothing provides capabilityPlan\n  nothing provides replKernel')
  })

  it('says that a file is missing or no composition', async () => {
    expect(await failure({ compose: join(folder.path, 'none.yml') })).to.match(/none\.yml does not exist$/)
    expect(await failure({ compose: write('a.yml', 'a: 1') })).to.match(/a\.yml can not be loaded: config file must be a top-level array/)
    expect(await failure({ compose: write('b.yml', '- {') })).to.match(/b\.yml can not be loaded/)
    expect(await failure({ compose: write('c.txt', '') })).to.match(/c\.txt can not be loaded: extension/)
  })

  it('fails when a plugin that was asked for fails, and logs why', async () => {
    const missing = join(folder.path, 'missing.ts')
    expect(await failure({ with: [missing] })).to.include(`  with-1 (${pathToFileURL(missing).href}) could not be loaded, see the error above`)
    expect(log.join()).to.match(/error: Error \[ERR_MODULE_NOT_FOUND\]/)
    const throws = write('throws.ts', 'export const name = "throws"\nexport async function apply() { throw new Error("no luck") }\n')
    expect(await failure({ with: [throws] })).to.match(/with-1 \(.*throws\.ts\) failed to start, see the error above/)
    expect(log.join()).to.include('[throws] error: Error: no luck')
  })

  it('does not wait for ever for a plugin that never finishes starting', async () => {
    const stuck = write('stuck.ts', 'export const name = "stuck"\nexport async function apply() { await new Promise(resolve => setTimeout(resolve, 1e9).unref()) }\n')
    expect(await failure({ with: [stuck], patienceMs: 200 })).to.match(/with-1 \(.*stuck\.ts\) has not finished starting/)
  })

  it('gives a plugin its own folder to start from', async () => {
    mkdirSync(join(folder.path, 'deep'))
    write('deep/value.ts', 'export const value = 42\n')
    const file = write('deep/plugin.ts', 'import { value } from "./value.ts"\nexport const name = "deep"\nexport async function apply(ctx) { ctx.provide("deepValue", { value }) }\n'.replace('(ctx)', '(ctx: any)'))
    const app = await boot({ ...options, with: [file] })
    expect((app.ctx.get('deepValue') as { value: number }).value).to.equal(42)
    await app.dispose()
  })
})

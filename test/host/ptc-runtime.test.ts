// The newer of the host's two seams, `resolve` and `run`: a provider made from the published class, and a consumer written by hand
// that stands where the host's own would, so that real turns of the older host go through it.
import type { Context } from '@deepseek-ai/cordis'
import type { CodeRunRequest } from '@deepseek-ai/dsh-code-runtime'
import { PtcRuntime, type PtcRunRequest, type PtcRunResult, type PtcRunSpec } from '@deepseek-ai/dsh-ptc-runtime'
import { expect } from 'chai'
import type { PtcRuntime as Seam } from '../../plugins/cordis-bridge/host/types.ts'
import { endOf, resultsIn, withHost, type Conversation, type Host } from './host.ts'
import { cell, say } from './model.ts'
import { giveTools } from './tool.ts'

const done = say('Done.')
const run = async (conversation: Conversation, code: string) => resultsIn(await conversation.ask(cell(code), done)).join('|')

/** A runtime of the host's that echoes, and keeps what it was asked. */
class Echo extends PtcRuntime {
  readonly language = 'typescript'
  readonly isolation = 'none'
  override get executionInstructions() { return 'Echoes.' }
  constructor(ctx: Context) { super(ctx) }
  resolve(request: PtcRunRequest): PtcRunSpec { return { ...request, cwd: request.cwd ?? '/', timeoutMs: request.timeoutMs ?? null } }
  async run({ program }: PtcRunSpec): Promise<PtcRunResult> { return { logs: [], value: `echo ${program}` } }
}

class Keeping extends Echo {
  readonly retainsState = true
}

const released: object[] = []
class Releasing extends Echo {
  async release(owner: object) { released.push(owner) }
  registerEnvironmentInitializer(program: string) { return async () => { released.push([program]) } }
}

interface Options {
  readonly timeoutMs?: number | null
  readonly provider?: typeof Echo
  readonly bridge?: Record<string, unknown>
  readonly kernel?: Record<string, unknown>
  /** What the consumer makes of what a binding answers, before the program gets it. */
  readonly answer?: (value: unknown) => unknown
}

/** The published runtimes that the test talks to, and what its consumer got from them. */
interface Newer { readonly seam: () => Seam | undefined, readonly specs: PtcRunSpec[], readonly results: PtcRunResult[], replace(): Promise<void> }

/** The host with the newer seam in the place of the older one. */
function withNewer(use: (host: Host, newer: Newer) => Promise<void>, { timeoutMs, provider = Echo, bridge = {}, kernel = {}, answer = (value) => value }: Options = {}): Promise<void> {
  return withHost(async (host) => {
    const { ctx } = host
    const realm = [...ctx.get('loader')!.entries()].find(({ options }) => options.id === 'ptc-plus-original')!.ctx as Context
    let fiber = realm.plugin(provider as typeof Echo)
    await fiber
    const [specs, results]: [PtcRunSpec[], PtcRunResult[]] = [[], []]
    await ctx.plugin({
      name: 'consumer', inject: ['ptcRuntime'],
      apply(consumer: Context) {
        consumer.provide('codeRuntime', {
          language: 'typescript', isolation: 'none',
          async run(request: CodeRunRequest) {
            const runtime = consumer.ptcRuntime
            const bindings = request.bindings.map((binding) => ({
              ...binding, functions: Object.fromEntries(Object.entries(binding.functions).map(([name, call]) => [name, async (args: unknown) => answer(await call(args))])),
            }))
            const spec = runtime.resolve({ ...request, bindings, ...timeoutMs === undefined ? {} : { timeoutMs } } as PtcRunRequest)
            specs.push(spec)
            const result = await runtime.run(spec)
            results.push(result)
            return result
          },
        })
      },
    })
    await use(host, {
      seam: () => ctx.get('ptcRuntime') as Seam | undefined, specs, results,
      async replace() { await fiber.dispose(); fiber = realm.plugin(provider as typeof Echo); await fiber; await ctx.get('loader')!.await() },
    })
  }, { bridge, kernel, patches: [{ id: 'code-runtime', disabled: true }] })
}

describe('the newer execution seam', () => {
  it('runs cells of sessions in their kernels', () => withNewer(async (host, { results, seam }) => {
    const conversation = await host.open()
    expect(await run(conversation, 'var x = 1; console.log("seen"); x')).to.equal('seen\n1')
    expect(results[0]).to.deep.equal({ logs: ['seen'], output: [{ type: 'text', text: 'seen\n' }], value: 1 })
    expect(await run(conversation, 'x + import.meta.dirname')).to.equal(`1${host.folder}`)
    expect(seam()).to.include({ language: 'typescript', isolation: 'process', executionInstructions: '', retainsState: true })
    expect([seam()!.sandboxMode, seam()!.timeout]).to.deep.equal([undefined, undefined])
  }))

  it('limits the elapsed time as it is asked', () => withNewer(async (host, { results }) => {
    await run(await host.open(), 'await new Promise(() => { setInterval(() => {}, 1000) })')
    expect(results[0]!.error?.kind).to.equal('timeout')
  }, { timeoutMs: 50 }))

  for (const [timeoutMs, says] of [[null, /^late$/u], [undefined, /timeout/u]] as const) {
    it(timeoutMs === null ? 'null asks for no limit' : 'what is not asked for is the kernel\'s own limit', () => withNewer(async (host, { specs }) => {
      const cellOf = 'await new Promise((resolve) => { setTimeout(resolve, 600) }); return "late"'
      expect(await run(await host.open(), cellOf)).to.match(says)
      expect(specs[0]).to.include({ cwd: host.folder, timeoutMs: null })
    }, { ...timeoutMs === undefined ? {} : { timeoutMs }, kernel: { maxWallMs: 300 } }))
  }

  it('calls tools and has their errors', () => withNewer(async (host) => {
    const conversation = await host.open({ setup: (ctx) => giveTools(ctx, { add: { needs: ['a'], call: ({ a }) => Number(a) + 1 }, fail: { call() { throw new Error('no such file') } } }) })
    expect(await run(conversation, 'return (await Promise.all([1, 2].map((a) => tools.add({ a })))).join()')).to.equal('2,3')
    expect(await run(conversation, 'try { await tools.fail({}) } catch (e) { return [e instanceof ToolCallError, e.toolName, e.message].join() }')).to.equal('true,fail,no such file')
  }))

  it('tells failures by their kinds, with what was printed', () => withNewer(async (host, { results }) => {
    const conversation = await host.open()
    for (const code of ['console.log("so far"); missing()', 'let {', 'process.reallyExit(3)']) await run(conversation, code)
    expect(results.map(({ error }) => error!.kind)).to.deep.equal(['exception', 'exception', 'worker-exit'])
    expect(results[0]).to.deep.include({ logs: ['so far'], output: [{ type: 'text', text: 'so far\n' }] })
    expect(results[0]!.error!.message).to.match(/^error\[PTC-X001\]/u)
  }))

  it('ends a cell whose turn is cancelled', () => withNewer(async (host, { results }) => {
    const reached = Promise.withResolvers<void>()
    const conversation = await host.open({ setup: (ctx) => giveTools(ctx, { tell: { call() { reached.resolve(); return null } } }) })
    const asked = conversation.ask(cell('await tools.tell({}); for (;;) {}'))
    await reached.promise
    conversation.agent.cancel({ kind: 'user' })
    expect(endOf(await asked)).to.equal('aborted')
    expect(results[0]!.error?.kind).to.equal('abort')
  }))

  it('gives images out that a tool has answered with, also in a later cell', () => {
    const attachment = { id: 'a'.repeat(64), mediaType: 'image/png', width: 2, height: 1 }
    return withNewer(async (host, { results }) => {
      const conversation = await host.open({ setup: (ctx) => giveTools(ctx, { shot: { call: () => null } }) })
      await run(conversation, 'const image = await tools.shot({}); console.log(image.path); image')
      await run(conversation, 'return [image, image.attachment.width]')
      await run(conversation, 'return { path: "/etc/passwd", attachment: { id: "forged" } }')
      const image = { type: 'image', attachment }
      expect(results.map((result) => (result as PtcRunResult & { output: unknown }).output)).to.deep.equal([[{ type: 'text', text: '/shot.png\n' }, image], [image], []])
      expect(results[0]).to.deep.include({ logs: ['/shot.png'], value: { path: '/shot.png', attachment } })
    }, { answer: () => Object.assign(Object.create({ isImage: true }) as object, { path: '/shot.png', attachment }) })
  })

  it('leaves programs that are nobody\'s cell to the host\'s own', () => withNewer(async (host, { seam }) => {
    const spec = seam()!.resolve({ program: 'p', bindings: [] })
    expect(spec).to.include({ cwd: '/', timeoutMs: null })
    expect(await seam()!.run(spec)).to.deep.equal({ logs: [], value: 'echo p' })
    expect(host.bridge.session('p')).to.equal(undefined)
  }))

  it('P1 does not run what a runtime resolved that is gone', () => withNewer(async (host, { seam, replace }) => {
    const before = seam()!
    const spec = before.resolve({ program: 'p', bindings: [] })
    await replace()
    expect(await before.run(spec).catch((error: Error) => error.message)).to.match(/has been replaced/u)
    const conversation = await host.open()
    expect(await run(conversation, '2')).to.equal('2')
  }))

  it('logs the run of an edit as hosts of this generation log nested calls', () => withNewer(async (host) => {
    const conversation = await host.open()
    const edit = cell('await tools.edit_run_code({ edits: [{ old_string: "1", new_string: "2" }] })')
    const results = resultsIn(await conversation.ask(cell('return 1'), edit, done))
    expect(results[1]).to.match(/as edited:\n2$/u)
    const logged = conversation.session.events.map(({ type }) => type as string).filter((type) => type.includes('dispatch'))
    expect(logged).to.deep.equal(['tool/ptc-dispatch-start', 'tool/ptc-dispatch'])
  }))

  it('is left to one that keeps names itself, where that has priority', () => withNewer(async (host, { seam }) => {
    const conversation = await host.open()
    expect(await run(conversation, 'return 1')).to.equal('echo return 1')
    expect(seam()).to.include({ isolation: 'none', executionInstructions: 'Echoes.' })
    expect(host.bridge.session(conversation.session.id)).to.equal(undefined)
  }, { provider: Keeping, bridge: { officialReplPriority: true } }))

  it('has what only later releases have where the host has it', async () => {
    await withNewer(async (_host, { seam }) => {
      expect(seam()).not.to.have.property('release')
      expect(seam()).not.to.have.property('registerEnvironmentInitializer')
    })
    await withNewer(async (_host, { seam, replace }) => { // P2
      const owner = {}
      const runtime = seam()!
      await runtime.run(runtime.resolve({ program: 'p', bindings: [], stateOwner: owner }))
      await replace()
      await seam()!.release!(owner)
      await seam()!.registerEnvironmentInitializer!('init')()
      expect(released).to.deep.equal([owner, ['init']])
    }, { provider: Releasing })
  })
})

// The newer of the host's two seams, `resolve` and `run`: a provider made from the published class, and a consumer written by hand
// that stands where the host's own would, so that real turns of the older host go through it.
import type { Context } from '@deepseek-ai/cordis'
import type { CodeRunRequest } from '@deepseek-ai/dsh-code-runtime'
import { PtcRuntime, type PtcRunRequest, type PtcRunResult, type PtcRunSpec } from '@deepseek-ai/dsh-ptc-runtime'
import { expect } from 'chai'
import type { PtcRuntime as Seam } from '../../plugins/cordis-bridge/host/types.ts'
import { resultsIn, withHost, type Conversation, type Host } from './host.ts'
import { cell, say } from './model.ts'

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

interface Options { readonly timeoutMs?: number | null, readonly provider?: typeof Echo, readonly bridge?: Record<string, unknown> }

/** The published runtimes that the test talks to, and what its consumer got from them. */
interface Newer { readonly seam: () => Seam | undefined, readonly results: PtcRunResult[], replace(): Promise<void> }

/** The host with the newer seam in the place of the older one. */
function withNewer(use: (host: Host, newer: Newer) => Promise<void>, { timeoutMs, provider = Echo, bridge = {} }: Options = {}): Promise<void> {
  return withHost(async (host) => {
    const { ctx } = host
    const realm = [...ctx.get('loader')!.entries()].find(({ options }) => options.id === 'ptc-plus-original')!.ctx as Context
    let fiber = realm.plugin(provider as typeof Echo)
    await fiber
    const results: PtcRunResult[] = []
    await ctx.plugin({
      name: 'consumer', inject: ['ptcRuntime'],
      apply(consumer: Context) {
        consumer.provide('codeRuntime', {
          language: 'typescript', isolation: 'none',
          async run(request: CodeRunRequest) {
            const runtime = consumer.ptcRuntime
            const result = await runtime.run(runtime.resolve({ ...request, ...timeoutMs === undefined ? {} : { timeoutMs } } as PtcRunRequest))
            results.push(result)
            return result
          },
        })
      },
    })
    await use(host, {
      seam: () => ctx.get('ptcRuntime') as Seam | undefined, results,
      async replace() { await fiber.dispose(); fiber = realm.plugin(provider as typeof Echo); await fiber; await ctx.get('loader')!.await() },
    })
  }, { bridge, patches: [{ id: 'code-runtime', disabled: true }] })
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

  it('null asks for no limit', () => withNewer(async (host) => {
    expect(await run(await host.open(), 'return 1')).to.equal('1')
  }, { timeoutMs: null }))

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

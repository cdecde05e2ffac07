// What the end of a cell waits for, with a helper that is nothing but what it says (contract 1.7; W1, O1).
import { expect } from 'chai'
import { execute, type Outcome } from '../../../../plugins/kernel/host/cell/execution.ts'
import { OutputLog } from '../../../../plugins/kernel/host/cell/output-log.ts'
import { Transcript } from '../../../../plugins/kernel/host/cell/transcript.ts'
import type { HelperListener, HelperProcess } from '../../../../plugins/kernel/host/helper/helper-process.ts'
import type { LateOutput } from '../../../../plugins/kernel/host/late-output.ts'
import { DEFAULT_LIMITS, valueLimits } from '../../../../plugins/kernel/host/limits.ts'
import type { FromWorker } from '../../../../plugins/kernel/protocol/messages.ts'

const limits = DEFAULT_LIMITS
const done: FromWorker & { type: 'done' } = {
  type: 'done', cell: 1, isFenced: false, completion: { kind: 'return', hasValue: false }, settles: [], wakes: [], ambient: [],
}

class SpokenHelper {
  listener: HelperListener | undefined
  ended = false
  abandoned: number[] = []
  killed: string[] = []
  isComplete = true
  listen(listener: HelperListener | undefined): void { this.listener = listener }
  activeMs(): Promise<number> { return Promise.resolve(0) }
  fenced(): Promise<boolean> { return Promise.resolve(this.isComplete) }
  run(): void {}
  abandon(cell: number): void { this.abandoned.push(cell) }
  settle(): void {}
  async kill(reason: string): Promise<boolean> { this.killed.push(reason); return true }
}

describe('an execution', () => {
  let helper: SpokenHelper
  let late: LateOutput[]
  let stirred: number
  const start = (own: { signal?: AbortSignal, limits?: Partial<typeof limits> } = {}): Promise<Outcome> => execute(helper as unknown as HelperProcess, {
    request: { source: '1', cell: 1, semantics: 'stateful-v1', reserved: [] },
    order: { cell: 1, cwd: '/', isProtected: false, namespaces: [], limits: valueLimits(limits) },
    limits: { ...limits, ...own.limits }, log: new OutputLog(1_000, undefined),
    transcript: new Transcript({
      session: 's', cell: 1, number: 1, cwd: '/', limits, allows: () => true, append() {}, dispatch: async (_g, _m, args) => args, settle() {}, enter: async () => undefined,
    }),
    onLate: (found) => { late.push(found) }, onStirred: () => { stirred += 1 }, ...own.signal === undefined ? {} : { signal: own.signal },
  })
  beforeEach(() => { helper = new SpokenHelper(); late = []; stirred = 0 })

  it('hears what came right behind the end, although there is no fence to wait for', async () => {
    const running = start()
    helper.listener!.onStarted(1, 0)
    helper.listener!.onMessage(done)
    helper.listener!.onMessage({ type: 'output', cell: 1, channel: 'stdout', text: 'late\n' })
    helper.listener!.onMessage({ type: 'stirred' })
    expect((await running).kind).to.equal('done')
    expect([late, stirred]).to.deep.equal([[{ cell: 1, channel: 'stdout', text: 'late\n' }], 1])
  })

  it('takes an end without the end of its output for what it is', async () => {
    helper.isComplete = false
    const running = start()
    helper.listener!.onStarted(1, 0)
    helper.listener!.onMessage({ ...done, isFenced: true })
    const outcome = await running
    expect(outcome).to.deep.include({ kind: 'ended' })
    expect((outcome as Outcome & { kind: 'ended' }).error.kind).to.equal('protocol')
    expect(helper.killed).to.have.length(1)
  })

  it('that ends before the news of its start is one that has started', async () => {
    const running = start({ limits: { sampleBoundMs: 1 } })
    const { onStarted } = helper.listener!
    helper.listener!.onMessage(done)
    onStarted(1, 0)
    expect((await running).kind).to.equal('done')
    expect(helper.abandoned).to.deep.equal([])
  })

  it('that does not start is given up, and must not start any more', async () => {
    const outcome = await start({ limits: { sampleBoundMs: 1 } })
    expect([outcome.kind, (outcome as Outcome & { kind: 'unstarted' }).error.kind]).to.deep.equal(['unstarted', 'budget-unavailable'])
    expect([helper.abandoned, helper.killed]).to.deep.equal([[1], []])
  })

  for (const [what, speak, kind, status] of [
    ['whose start is then heard of is ended', (listener: HelperListener) => listener.onStarted(1, 0), 'ended', 1],
    ['that says nothing ends its helper, because it may start', () => {}, 'unstarted', 1],
  ] as const) {
    it(`that is aborted while it may be starting, ${what}`, async () => {
      const abort = new AbortController()
      const running = start({ signal: abort.signal, limits: { sampleBoundMs: 20 } })
      abort.abort('enough')
      speak(helper.listener!)
      const outcome = await running
      expect([outcome.kind, (outcome as Outcome & { kind: 'ended' }).error.kind]).to.deep.equal([kind, 'abort'])
      expect(helper.killed).to.have.length(status)
    })
  }
})

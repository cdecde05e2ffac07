// Seeded bytes on the socket, both ways: whatever arrives, the host answers with a message of its own making or a refusal, a cell
// ends, and a worker either goes on or goes away (W1, W2, V2).
import { expect } from 'chai'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { execute, type Outcome } from '../../../plugins/kernel/host/cell/execution.ts'
import { OutputLog } from '../../../plugins/kernel/host/cell/output-log.ts'
import { Transcript } from '../../../plugins/kernel/host/cell/transcript.ts'
import { HelperProcess, type HelperListener } from '../../../plugins/kernel/host/helper/helper-process.ts'
import { DEFAULT_LIMITS, valueLimits, workerLimits } from '../../../plugins/kernel/host/limits.ts'
import { currentLocality } from '../../../plugins/kernel/host/helper/locality.ts'
import { isFromHost } from '../../../plugins/kernel/protocol/from-host.ts'
import { parseFromWorker } from '../../../plugins/kernel/protocol/guard.ts'
import { receiveLines } from '../../../plugins/kernel/protocol/lines.ts'
import { isAlive } from '../../harness/sessions.ts'
import { Random } from '../../harness/random.ts'

const SEEDS = Array.from({ length: 400 }, (_, seed) => seed)
const MAX_LINE = 2_000

const envelope = { codec: 'ptc-value-graph/v1', root: 1, nodes: [] }
const fromWorker: readonly object[] = [
  { type: 'ready' }, { type: 'stirred' }, { type: 'output', cell: 1, channel: 'stdout', text: 'x\n' }, { type: 'volatile', cell: 1, reason: 'fetch' },
  { type: 'call', cell: 1, call: 0, global: 'notes', member: 'echo', args: envelope },
  { type: 'done', cell: 1, isFenced: true, completion: { kind: 'return', hasValue: true, value: envelope }, settles: [0], wakes: [], ambient: [] },
  { type: 'done', cell: 1, isFenced: true, completion: { kind: 'throw', error: { kind: 'exception', message: 'm' } }, settles: [], wakes: [{ timer: 0, settle: 0 }], ambient: [['Date.now', 1]] },
  { type: 'observed', id: 1, values: [{ name: 'a', status: 'readable', text: '1', truncated: false }] },
  { type: 'completed', id: 1, names: [{ name: 'a', kind: 'variable' }] },
]
const fromHost: readonly object[] = [
  { type: 'settle', cell: 1, call: 0, ok: true, value: envelope }, { type: 'settle', cell: 1, call: 0, ok: false, error: { name: 'Error', message: 'm' }, origin: null },
  { type: 'complete', id: 1, path: '' }, { type: 'observe', id: 1, names: ['a'] },
]

const ODD: readonly unknown[] = [null, -1, 1.5, 1e300, '', 'constructor', '__proto__', [], {}, [[]], true, 'x'.repeat(300), { length: -1 }]

/** One message, altered. */
function mutate(random: Random, message: object): unknown {
  const copy = structuredClone(message) as Record<string, unknown>
  const keys = Object.keys(copy)
  switch (random.below(6)) {
    case 0: return copy
    case 1: delete copy[random.pick(keys)]; return copy
    case 2: copy[random.pick(keys)] = random.pick(ODD); return copy
    case 3: copy.cell = random.pick([0, 2, 99, -1]); return copy            // another cell's, another session's
    case 4: copy.type = random.pick(['constructor', 'toString', '__proto__', 'exit', 'settle', 'done']); return copy
    default: return random.pick(ODD)
  }
}

/** A stream of lines: cut, doubled, in another order, with keys that would pollute, or not JSON at all. */
function streamOf(random: Random, messages: readonly object[]): Buffer {
  const lines: string[] = []
  for (let count = 1 + random.below(6); count > 0; count -= 1) {
    let line = JSON.stringify(mutate(random, random.pick(messages)))
    if (random.chance(0.1)) line = line.replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},')
    if (random.chance(0.1)) line = line.slice(0, random.below(line.length))
    if (random.chance(0.03)) line = JSON.stringify('y'.repeat(MAX_LINE))
    lines.push(line)
    if (random.chance(0.1)) lines.push(line)
  }
  const bytes = Buffer.from(`${lines.join('\n')}${random.chance(0.8) ? '\n' : ''}`)
  if (random.chance(0.2)) bytes[random.below(bytes.length)] = random.below(256)
  return bytes
}

function feed(random: Random, bytes: Buffer, wire: EventEmitter): void {
  for (let from = 0; from < bytes.length;) {
    const to = from + 1 + random.below(bytes.length)
    wire.emit('data', bytes.subarray(from, to))
    from = to
  }
}

const untouched = () => expect(['polluted' in {}, 'polluted' in [], 'polluted' in (() => {})]).to.deep.equal([false, false, false])

/** A helper that is nothing but what its socket says. */
class FakeHelper {
  readonly wire = Object.assign(new EventEmitter(), { write() {} })
  listener: HelperListener | undefined
  ended = false
  constructor() {
    const fault = (what: string) => { this.ended = true; this.listener?.onEnd(what) }
    receiveLines(this.wire, MAX_LINE, (received) => {
      const message = parseFromWorker(received)
      if ('refused' in message) return fault(message.refused)
      if (message.type !== 'ready' && message.type !== 'completed' && message.type !== 'observed') this.listener?.onMessage(message)
    }, fault)
  }
  listen(listener: HelperListener | undefined): void { this.listener = listener }
  activeMs(): Promise<number> { return Promise.resolve(0) }
  fenced(): Promise<boolean> { return Promise.resolve(true) }
  run(request: { readonly cell: number }): void { this.listener?.onStarted(request.cell, 0) }
  abandon(): void {}
  settle(): void {}
  async kill(): Promise<boolean> { this.ended = true; return true }
}

describe('fuzzed frames', () => {
  it('W1 to the host become messages of its own making, or refusals', () => {
    for (const seed of SEEDS) {
      const random = new Random(seed)
      const wire = Object.assign(new EventEmitter(), { write() {} })
      let faults = 0
      receiveLines(wire, MAX_LINE, (received) => {
        const message = parseFromWorker(received)
        if ('refused' in message) return
        expect(message, `seed ${seed}`).not.to.equal(received)
        expect(parseFromWorker(structuredClone(message)), `seed ${seed}`).to.deep.equal(message)
      }, () => { faults += 1 })
      feed(random, streamOf(random, fromWorker), wire)
      expect(faults, `seed ${seed}`).to.be.at.most(1)
    }
    untouched()
  })

  it('W2 end a cell in one of its outcomes, whatever the worker says and in whichever order', async () => {
    for (const seed of SEEDS) {
      const random = new Random(seed)
      const helper = new FakeHelper()
      const abort = new AbortController()
      const limits = DEFAULT_LIMITS
      const transcript = new Transcript({
        session: 's', cell: 1, number: 1, cwd: '/', limits, allows: () => true, append() {}, dispatch: async (_g, _m, args) => args, settle() {}, enter: async () => undefined,
      })
      const running = execute(helper as unknown as HelperProcess, {
        request: { source: '1', cell: 1, semantics: 'stateful-v1', reserved: [] },
        order: { cell: 1, cwd: '/', isProtected: false, namespaces: [], limits: valueLimits(limits) },
        limits, log: new OutputLog(1_000_000, undefined), transcript, signal: abort.signal,
      })
      await new Promise((resolve) => { setImmediate(resolve) })
      feed(random, streamOf(random, fromWorker), helper.wire)
      await new Promise((resolve) => { setImmediate(resolve) })
      abort.abort('enough')
      const outcome: Outcome = await running
      expect(['done', 'ended'], `seed ${seed}`).to.include(outcome.kind)
      if (outcome.kind === 'ended') expect(['abort', 'protocol', 'worker-exit'], `seed ${seed}`).to.include(outcome.error.kind)
      expect(helper.listener, `seed ${seed}: nobody listens any more`).to.equal(undefined)
    }
    untouched()
  })

  it('to a worker are messages or not, without a throw', () => {
    for (const seed of SEEDS) {
      const random = new Random(seed)
      const wire = Object.assign(new EventEmitter(), { write() {} })
      receiveLines(wire, MAX_LINE, (message) => { expect(isFromHost(message), `seed ${seed}`).to.be.a('boolean') }, () => {})
      feed(random, streamOf(random, fromHost), wire)
    }
    for (const message of fromHost) expect(isFromHost(message)).to.equal(true)
    untouched()
  })

  it('to a worker leave it answering, or gone', async () => {
    let gone = 0
    for (const seed of SEEDS.slice(0, 5)) {
      const random = new Random(seed)
      const helper = new HelperProcess(workerLimits(DEFAULT_LIMITS), currentLocality())
      await helper.ready
      const socket = (helper as unknown as { child: { stdio: Socket[] } }).child.stdio[4]!
      socket.write(streamOf(random, fromHost))
      const answer = await helper.complete('')     // undefined or names when it ends, never nothing
      expect(answer, `seed ${seed}`).to.be.an('array')
      if (helper.ended) gone += 1
      await helper.kill()
      expect(isAlive(helper.pid)).to.equal(false)
    }
    expect(gone, 'some of the seeds are malformed').to.be.greaterThan(0)
  }).timeout(60_000)
})

// Responses that their provider gives up, and what is left of them for the host.
import { expect } from 'chai'
import type { Failure, StreamChunk } from '../../../plugins/cordis-bridge/host/types.ts'
import { isMalformedCall, REFUSED_ARGUMENTS } from '../../../plugins/cordis-bridge/stream/malformed.ts'
import { repaired, type Repairs } from '../../../plugins/cordis-bridge/stream/repaired.ts'
import { Random } from '../../harness/random.ts'
import { call, delta, end, failed, failure, finish, say, said, start, streamOf, usage } from './chunks.ts'

const REPAIRS: Repairs = {
  transport: 'run_code', refusedId: 'refused', isCancelled: () => false, admits: (name) => name === 'read', fits: (args) => typeof (args as { code?: unknown }).code === 'string',
}
async function through(chunks: readonly StreamChunk[], error?: unknown, repairs: Partial<Repairs> = {}): Promise<StreamChunk[]> {
  const out: StreamChunk[] = []
  for await (const chunk of repaired(streamOf(chunks, error), { ...REPAIRS, ...repairs })) out.push(chunk)
  return out
}
const refused = (index: number) => call(index, REFUSED_ARGUMENTS, 'run_code', 'refused')
const broken = '{"code":"return 1"}}'
const thrown = Object.assign(new Error(failure.message), failure)

/** The rules of the host's own check of streams; each violation. */
function violations(chunks: readonly StreamChunk[]): string[] {
  const open = new Map<number, string>()
  const found: string[] = []
  const check = (holds: boolean, what: string) => { if (!holds) found.push(what) }
  for (const [at, chunk] of chunks.entries()) {
    if (chunk.type === 'block-start') { check(!open.has(chunk.index), `started twice at ${at}`); open.set(chunk.index, chunk.blockType) }
    else if (chunk.type === 'block-end') { check(open.get(chunk.index) === chunk.block.type, `ended at ${at}`); open.delete(chunk.index) }
    else if ('index' in chunk) check(`${open.get(chunk.index)}-delta` === chunk.type, `delta at ${at}`)
    else if (chunk.type === 'finish') check(at === chunks.length - 1 && open.size === 0, `finish at ${at} with ${open.size} open`)
  }
  check(chunks.filter(({ type }) => type === 'usage').length <= 1, 'usage twice')
  return found
}

describe('a response that its provider gives up', () => {
  const rows: Readonly<Record<string, readonly [given: StreamChunk[], left: StreamChunk[]]>> = {
    'has a call with one brace less, where that makes it fit': [call(0, broken, 'run_code'), call(0, '{"code":"return 1"}', 'run_code')],
    'and white space after the brace': [call(0, `${broken} \n`, 'run_code'), call(0, '{"code":"return 1"} \n', 'run_code')],
    'keeps what was used': [[...call(0, broken, 'run_code'), usage], [...call(0, '{"code":"return 1"}', 'run_code'), usage]],
    'keeps a whole call that stays broken': [call(0, '{"code":', 'run_code'), call(0, '{"code":', 'run_code')],
    'keeps a call that would be no object': [call(0, '[1]}', 'run_code'), call(0, '[1]}', 'run_code')],
    'keeps a call that would not fit': [call(0, '{"cod":""}}', 'run_code'), call(0, '{"cod":""}}', 'run_code')],
    'keeps a call from which two braces would have to go': [call(0, `${broken}}`, 'run_code'), call(0, `${broken}}`, 'run_code')],
    'corrects none of two calls': [[...call(0, broken, 'run_code'), ...call(1, broken, 'run_code')], [...call(0, broken, 'run_code'), ...call(1, broken, 'run_code')]],
    'corrects no other tool, and places none': [[...call(0, '{}}', 'read'), ...call(1, '{}', 'read')], [...call(0, '{}}', 'read'), ...call(1, '{}', 'read')]],
    'has its framing completed': [[delta(0, broken, 'run_code'), end(0, broken, 'run_code'), end(1, '{}', 'x')], [...call(0, '{"code":"return 1"}', 'run_code'), ...call(1, '{}', 'x')]],
    'drops a partial call, and one is refused': [[start(0), delta(0, '{"code":"ret', 'run_code')], refused(1)],
    'drops what stands beside a partial call': [[...call(0, broken, 'run_code'), start(1)], refused(2)],
    'drops a call that does not agree with itself': [[start(0), delta(0, '{', 'run_code'), end(0, broken, 'run_code')], refused(1)],
    'refuses one where it has none': [[], refused(0)],
    'refuses one after several accounts of what was used': [[...call(0, broken, 'run_code'), usage, usage], refused(1)],
    'closes what it said': [[start(0, 'text'), say(0, 'so'), say(0, ' on'), start(1)], [start(0, 'text'), say(0, 'so'), say(0, ' on'), said(0, 'so on'), ...refused(2)]],
    'lets what it said end': [[start(0, 'text'), say(0, 'so'), ...call(1, broken, 'run_code'), said(0, 'so'), usage], [start(0, 'text'), say(0, 'so'), said(0, 'so'), ...refused(2), usage]],
    'closes what it said also before calls that stay': [[start(0, 'text'), say(0, 'so'), ...call(1, broken, 'run_code')], [start(0, 'text'), say(0, 'so'), said(0, 'so'), ...call(1, '{"code":"return 1"}', 'run_code')]],
    'drops what fits nothing': [[start(0), say(7, 'lost'), { type: 'block-end', index: 8, block: { type: 'image' } }], refused(9)],
  }
  for (const [name, [given, left]] of Object.entries(rows)) {
    it(`${name}, whether it ends so or throws`, async () => {
      expect(await through([...given, failed])).to.deep.equal([...left, finish])
      expect(await through(given, thrown)).to.deep.equal([...left, finish])
      expect(violations([...left, finish])).to.deep.equal([])
    })
  }

  it('M1 has no call that was not whole, in whatever parts it came, and satisfies the host\'s check', async () => {
    const random = new Random(23)
    const texts = [broken, '{"code":"1"}', '{"code', '', '{}}']
    for (let round = 0; round < 500; round += 1) {
      const chunks: StreamChunk[] = random.chance(0.5) ? [start(0, 'reasoning'), { type: 'reasoning-delta', index: 0, text: 'hm' }] : []
      const blocks = Array.from({ length: random.below(4) }, (_, at) => call(at + 1, random.pick(texts), random.pick(['run_code', 'read'])))
      for (const block of blocks) if (random.chance(0.3)) block.splice(random.below(3), 1)
      while (blocks.some(({ length }) => length > 0)) chunks.push(random.pick(blocks.filter(({ length }) => length > 0)).shift()!)
      if (random.chance(0.3)) chunks.splice(random.below(chunks.length + 1), 0, usage)
      // Only after the first call: what breaks the rules before it has left already.
      if (random.chance(0.3) && chunks.some((chunk) => 'index' in chunk && chunk.index > 0)) chunks.push(say(9, 'lost'))
      const ended = chunks.flatMap((chunk) => chunk.type === 'block-end' && chunk.block.type === 'tool-call' ? [chunk.block.id] : [])
      for (const out of [await through([...chunks, failed]), await through(chunks, thrown)]) {
        expect(violations(out), JSON.stringify(chunks)).to.deep.equal([])
        const made = out.flatMap((chunk) => chunk.type === 'block-end' && chunk.block.type === 'tool-call' ? [chunk.block.id] : [])
        expect(made.every((id) => id === 'refused' || ended.includes(id))).to.equal(true)
        expect(made).not.to.deep.equal([])
        expect(out.at(-1)).to.deep.equal(finish)
      }
    }
  })
})

describe('a stream', () => {
  it('that is cancelled is not repaired', async () => {
    const chunks = [...call(0, broken, 'run_code'), failed]
    expect(await through(chunks, undefined, { isCancelled: () => true })).to.have.ordered.members(chunks)
    const [error] = [thrown]
    expect(await through(chunks.slice(0, -1), error, { isCancelled: () => true }).catch((caught: unknown) => caught)).to.equal(error)
  })

  const others: Failure[] = [
    { message: 'malformed SSE payload: {"invalid tool JSON', code: 'MALFORMED_RESPONSE' }, { message: failure.message, code: 'SERVER' }, { message: failure.message },
    { message: 'malformed JSON of an error body', code: 'MALFORMED_RESPONSE' },
  ]
  for (const other of others) {
    it(`that fails otherwise stays as it is: ${other.code} ${other.message}`, async () => {
      expect(isMalformedCall(other)).to.equal(false)
      const chunks: StreamChunk[] = [...call(0, '{}'), start(1), { type: 'finish', reason: { kind: 'error', failure: other } }]
      expect(await through(chunks)).to.have.ordered.members(chunks)
    })
  }

  it('that throws leaves first what was held, and then throws what it threw', async () => {
    const error = new Error('gone')
    const seen: StreamChunk[] = []
    const read = async () => { for await (const chunk of repaired(streamOf([start(0), delta(0, '{')], error), REPAIRS)) seen.push(chunk) }
    expect(await read().catch((caught: unknown) => caught)).to.equal(error)
    expect(seen).to.deep.equal([start(0), delta(0, '{')])
  })

  it('that ends well has its calls placed, or left where that is not wanted', async () => {
    const chunks = [...call(0, '{}'), finish]
    expect((await through(chunks))[1]).to.include({ name: 'run_code' })
    expect(await through(chunks, undefined, { admits: undefined })).to.have.ordered.members(chunks)
  })

  it('says what it says at once, until its first call', async () => {
    const stream = repaired(streamOf([start(0, 'text'), say(0, 'so'), ...call(1, '{}', 'run_code'), finish]), REPAIRS)
    expect((await stream.next()).value).to.deep.equal(start(0, 'text'))
    await stream.return()
  })

  it('is stopped with who reads it', async () => {
    let isStopped = false
    async function* source(): AsyncGenerator<StreamChunk> { try { for (;;) yield say(0, 'so') } finally { isStopped = true } }
    for await (const _chunk of repaired(source(), REPAIRS)) break
    expect(isStopped).to.equal(true)
  })
})

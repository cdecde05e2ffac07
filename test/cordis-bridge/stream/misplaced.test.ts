// Calls of tools that only programs can call, in the stream of a response.
import { expect } from 'chai'
import type { StreamChunk } from '../../../plugins/cordis-bridge/host/types.ts'
import { Misplaced } from '../../../plugins/cordis-bridge/stream/misplaced.ts'
import { Random } from '../../harness/random.ts'
import { call, delta, end, finish, inParts, say, said, start, usage } from './chunks.ts'

const TOOLS = ['read', 'write', 'a.b', 'with-dash', 'tools.odd']
const through = (chunks: readonly StreamChunk[], tools = TOOLS) => {
  const misplaced = new Misplaced((name) => tools.includes(name))
  return [...chunks.flatMap((chunk) => misplaced.push(chunk)), ...misplaced.flush()]
}
/** The calls of the blocks that have ended. */
const callsIn = (chunks: readonly StreamChunk[]) => chunks.flatMap((chunk) => chunk.type === 'block-end' && chunk.block.type === 'tool-call' ? [chunk.block] : [])
const argumentsIn = (chunks: readonly StreamChunk[]) => callsIn(chunks).map(({ arguments: args }) => JSON.parse(args) as { code: string, description: string })

describe('a misplaced call', () => {
  for (const [name, access] of [['read', '.read'], ['tools.read', '.read'], ['a.b', '["a.b"]'], ['with-dash', '["with-dash"]'], ['tools.odd', '["tools.odd"]'], ['tools.with-dash', '["with-dash"]']] as const) {
    it(`of ${name} becomes a cell, with its place and its id`, () => {
      const chunks = through([...call(3, '{"file_path":"R"}', name), usage, finish])
      const [made] = argumentsIn(chunks)
      expect(made!.code).to.equal(`{ return await tools${access}({"file_path":"R"}) }`)
      expect(made!.description).to.contain(name.replace(/^tools\.(?!odd)/u, ''))
      const args = JSON.stringify(made)
      expect(chunks).to.deep.equal([...call(3, args, 'run_code'), usage, finish])
    })
  }

  it('beside another: both become cells', () => {
    const chunks = through([start(0), start(1), delta(0, '{"a":1}'), delta(1, '{"b":2}', 'tools.write'), end(0, '{"a":1}'), end(1, '{"b":2}', 'tools.write'), finish])
    expect(argumentsIn(chunks).map(({ code }) => code)).to.deep.equal(['{ return await tools.read({"a":1}) }', '{ return await tools.write({"b":2}) }'])
    expect(callsIn(chunks).map(({ id }) => id)).to.deep.equal(['call-0', 'call-1'])
  })

  it('beside one that stays: only the one, and what comes between them stays where it is', () => {
    const own = [...call(0, '{"code":"1"}', 'run_code'), say(9, 'so')]
    const chunks = through([...own, start(1), delta(1, '{}'), say(9, 'and so on'), end(1, '{}'), finish])
    expect(chunks.slice(0, 4)).to.deep.equal(own)
    expect(chunks.at(-2)).to.deep.equal(say(9, 'and so on'))
    expect(callsIn(chunks).map(({ name }) => name)).to.deep.equal(['run_code', 'run_code'])
  })

  it('with arguments that set a prototype, or are too deep for a parser, has the same arguments in the cell', () => {
    const [proto, deep] = ['{"__proto__":1}', `{"a":${'['.repeat(1500)}${']'.repeat(1500)}}`] as const
    expect(argumentsIn(through([...call(0, proto), finish]))[0]!.code).to.equal('{ return await tools.read({["__proto__"]:1}) }')
    expect(argumentsIn(through([...call(0, deep), finish]))[0]!.code).to.equal(`{ return await tools.read(JSON.parse(${JSON.stringify(deep)})) }`)
  })

  it('whose end has the same arguments in other words becomes a cell with those', () => {
    const chunks = through([start(0), delta(0, '{"a":1,"b":[2]}'), end(0, '{ "b": [2], "a": 1.0 }'), finish])
    expect(argumentsIn(chunks)[0]!.code).to.contain('{ "b": [2], "a": 1.0 }')
  })

  it('without an end becomes a cell where the response ends in calls', () => {
    const chunks = through([start(0), delta(0, '{}'), finish])
    expect(argumentsIn(chunks)[0]!.code).to.equal('{ return await tools.read({}) }')
    expect(chunks.at(-1)).to.deep.equal(finish)
  })

  it('takes along what the provider would want to see again', () => {
    const replayed: StreamChunk = { ...finish, replayState: { response: 1 } } as StreamChunk
    expect(through([...call(0, '{}'), replayed]).at(-1)).to.deep.equal(finish)
    const own = [...call(0, '{}', 'run_code'), replayed]
    expect(through(own)).to.deep.equal(own)
  })
})

describe('a call stays as it is, chunk for chunk', () => {
  const rows: Readonly<Record<string, StreamChunk[]>> = {
    'of the transport': [...call(0, '{"code":"1"}', 'run_code'), finish],
    'of the transport, as a member': [...call(0, '{}', 'tools.run_code'), finish],
    'of the editor, which is no tool': [...call(0, '{}', 'edit_run_code'), finish],
    'of a name that nobody knows': [...call(0, '{}', 'mystery'), finish],
    'of a member of a member': [...call(0, '{}', 'tools.read.it'), finish],
    'with arguments that are no JSON': [...call(0, '{"a":'), finish],
    'with no arguments': [...call(0, ''), finish],
    'without an id': [...call(0, '{}', 'read', ''), finish],
    'with two ids': [start(0), delta(0, '{}', 'read', 'a'), end(0, '{}', 'read', 'b'), finish],
    'with two names': [start(0), delta(0, '{'), delta(0, '}', 'write'), end(0, '{}'), finish],
    'whose end says something else': [start(0), delta(0, '{"a":1}'), end(0, '{"a":2}'), finish],
    'whose end leaves something out': [start(0), delta(0, '{"a":1,"b":1}'), end(0, '{"a":1}'), finish],
    'that begins twice': [start(0), start(0), delta(0, '{}'), end(0, '{}'), finish],
    'that is cut off': [start(0), delta(0, '{}'), { type: 'finish', reason: { kind: 'max-tokens' } }],
    'of a response that failed': [start(0), delta(0, '{}'), { type: 'finish', reason: { kind: 'error', failure: { message: 'gone' } } }],
    'of a response that never ends': [start(0), delta(0, '{}')],
  }
  for (const [name, chunks] of Object.entries(rows)) {
    it(name, () => {
      const out = through(chunks)
      expect(out).to.have.length(chunks.length)
      for (const [at, chunk] of out.entries()) expect(chunk).to.equal(chunks[at])
    })
  }

  it('and leaves at once when its name is known to be another', () => {
    const misplaced = new Misplaced((name) => TOOLS.includes(name))
    expect(misplaced.push(start(0))).to.deep.equal([])
    expect(misplaced.push(delta(0, '{"co', 'run_code'))).to.have.length(2)
    expect(misplaced.push(delta(0, 'de":1}', 'run_code'))).to.have.length(1)
    expect(misplaced.push(start(1))).to.deep.equal([])
    expect(misplaced.push(end(0, '{"code":1}', 'run_code'))).to.deep.equal([])
    expect(misplaced.push(delta(1, '{}'))).to.deep.equal([])
    expect(misplaced.push(end(1, '{}')).map(({ type }) => type)).to.deep.equal(['block-start', 'tool-call-delta', 'block-end', 'block-end'])
  })
})

describe('any stream', () => {
  it('has the same calls in whatever parts it comes, and everything else unchanged and in order', () => {
    const random = new Random(11)
    const names = ['read', 'tools.write', 'run_code', 'mystery']
    const texts = ['{"a":"bcdefgh","__proto__":[1,2]}', '{}', '[1,2', '{"code":"return 1"}']
    for (let round = 0; round < 400; round += 1) {
      const picked = Array.from({ length: 1 + random.below(4) }, (_, index) => ({ index: index * 2, name: random.pick(names), args: random.pick(texts) }))
      const blocks = picked.map(({ index, name, args }) => inParts(index, args, 1 + random.below(9), name))
      if (random.chance(0.5)) blocks.push([start(1, 'text'), say(1, 'so'), say(1, ' on'), said(1, 'so on')])
      const chunks: StreamChunk[] = []
      // Blocks beside and after one another, each in its own order.
      while (blocks.some(({ length }) => length > 0)) {
        const block = random.pick(blocks.filter(({ length }) => length > 0))
        chunks.push(...block.splice(0, random.chance(0.3) ? block.length : 1))
      }
      chunks.push(usage, finish)
      const out = through(chunks)
      const whole = through([...picked.flatMap(({ index, name, args }) => call(index, args, name)), finish])
      const byIndex = (list: readonly StreamChunk[]) => callsIn(list).map(({ id, name, arguments: args }) => `${id} ${name} ${args}`).sort()
      expect(byIndex(out)).to.deep.equal(byIndex(whole))
      const rewritten = picked.filter(({ name, args }) => ['read', 'tools.write'].includes(name) && args !== '[1,2').map(({ index }) => index)
      const others = (list: readonly StreamChunk[]) => list.filter((chunk) => chunk.type !== 'finish' && !('index' in chunk && rewritten.includes(chunk.index)))
      expect(others(out)).to.have.ordered.members(others(chunks))
      expect(out.at(-1)).to.deep.equal(finish)
    }
  })
})

// JSON texts as expressions of a program.
import { expect } from 'chai'
import { runInNewContext } from 'node:vm'
import { literalOf, MAX_DEPTH } from '../../../plugins/cordis-bridge/stream/literal.ts'
import { Random } from '../../harness/random.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
/** The value of an expression, as the JSON text of what it owns. */
const evaluated = (expression: string) => runInNewContext(`JSON.stringify((${expression}))`) as string

describe('a JSON text in a program', () => {
  for (const json of ['{"file_path":"R"}', '[1, -0.5, 1e30, true, null]', '"\u2028\\u2028\\"\\\\"', '{"a":{"proto":"__proto__"}}', '{ "b" : "__proto__: 1" }', nested(MAX_DEPTH)]) {
    it(`stands as it is: ${json.slice(0, 40)}`, () => {
      expect(literalOf(json)).to.equal(json)
      expect(evaluated(json)).to.equal(JSON.stringify(JSON.parse(json)))
    })
  }

  for (const json of ['{"__proto__":{"a":1}}', '{"\\u005f_proto__" : 1, "__proto__":2}', '[{"a":"\\\\","__proto__":[]}]', '{"x":"{\\"__proto__\\":1}","__proto__":"__proto__"}']) {
    it(`has a computed key where it would set a prototype: ${json}`, () => {
      expect(literalOf(json)).to.contain('["__proto__"]')
      expect(evaluated(literalOf(json))).to.equal(JSON.stringify(JSON.parse(json)))
    })
  }

  for (const json of [nested(MAX_DEPTH + 1), nested(1500), `{"__proto__":${nested(MAX_DEPTH)}}`, '['.repeat(200) + '"\u2029\\"__proto__"' + ']'.repeat(200)]) {
    it(`is parsed where it is nested deeper than a parser of programs is trusted with: ${json.length} units`, () => {
      expect(literalOf(json)).to.match(/^JSON\.parse\("/u)
      expect(evaluated(literalOf(json))).to.equal(JSON.stringify(JSON.parse(json)))
    })
  }

  it('has its value, whatever it is', () => {
    const random = new Random(7)
    const keys = ['a', '__proto__', 'constructor', '\\', 'b"', 'ü\u2028', '']
    const make = (depth: number): unknown => random.pick([
      () => random.next(), () => random.pick(keys), () => null,
      () => Array.from({ length: depth > 0 ? random.below(4) : 0 }, () => make(depth - 1)),
      () => {
        const made: Record<string, unknown> = {}
        for (let left = depth > 0 ? random.below(4) : 0; left > 0; left -= 1) {
          Object.defineProperty(made, random.pick(keys), { value: make(depth - 1), enumerable: true, configurable: true, writable: true })
        }
        return made
      },
    ])()
    for (let round = 0; round < 300; round += 1) {
      const json = JSON.stringify(make(6), null, random.pick([0, 1, '\t']))
      expect(evaluated(literalOf(json)), json).to.equal(JSON.stringify(JSON.parse(json)))
    }
  })
})

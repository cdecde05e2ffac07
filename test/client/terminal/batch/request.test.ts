// One request line: what is accepted, and what is said about the rest.
import { expect } from 'chai'
import { parseRequest } from '../../../../client/terminal/batch/request.ts'

describe('a line of ptc batch', () => {
  const good: readonly (readonly [line: string, request: object])[] = [
    ['{"source":"1"}', { kind: 'cell', source: '1' }],
    ['  {"source":""}\t', { kind: 'cell', source: '' }],
    ['{"timeoutMs":5,"cwd":"/a","source":"x"}', { kind: 'cell', source: 'x', cwd: '/a', timeoutMs: 5 }],
    ['{"control":"reset"}', { kind: 'reset' }], ['{"control":"kill"}', { kind: 'kill' }], ['{"control":"restart"}', { kind: 'restart' }],
    ['{"control":"policy","value":"protected"}', { kind: 'policy', value: 'protected' }],
    ['{"control":"policy","value":"stateful"}', { kind: 'policy', value: 'stateful' }],
  ]
  for (const [line, request] of good) it(`reads ${line}`, () => expect(parseRequest(line)).to.deep.equal(request))

  const bad: readonly (readonly [line: string, message: RegExp])[] = [
    ['nonsense', /^not JSON: /], ['{"source":"1"', /^not JSON: /], ['{"source":"1"}{}', /^not JSON: /],
    ['null', /JSON object/], ['5', /JSON object/], ['"source"', /JSON object/], ['[{"source":"1"}]', /JSON object/],
    ['{}', /either "source" or "control"/], ['{"source":"1","control":"reset"}', /either "source" or "control"/],
    ['{"source":5}', /"source" must be a string/], ['{"source":null}', /"source" must be a string/],
    ['{"source":"1","extra":1}', /unknown field "extra"/], ['{"source":"1","__proto__":1}', /unknown field "__proto__"/], ['{"source":"1","value":1}', /unknown field "value"/],
    ['{"source":"1","cwd":5}', /"cwd" must be a path/], ['{"source":"1","cwd":""}', /"cwd" must be a path/], ['{"source":"1","cwd":null}', /"cwd" must be a path/],
    ['{"source":"1","timeoutMs":0}', /"timeoutMs" must be an integer/], ['{"source":"1","timeoutMs":1.5}', /"timeoutMs" must be an integer/],
    ['{"source":"1","timeoutMs":"5"}', /"timeoutMs" must be an integer/], ['{"source":"1","timeoutMs":2147483648}', /"timeoutMs" must be an integer/],
    ['{"control":"explode"}', /"control" must be/], ['{"control":5}', /"control" must be/], ['{"control":"reset","value":1}', /takes no value/],
    ['{"control":"policy"}', /value of "policy"/], ['{"control":"policy","value":"loose"}', /value of "policy"/], ['{"control":"reset","cwd":"/"}', /unknown field "cwd"/],
  ]
  for (const [line, message] of bad) it(`refuses ${line}`, () => {
    const request = parseRequest(line)
    expect(request.kind).to.equal('refused')
    if (request.kind === 'refused') expect(request.message).to.match(message)
  })

  it('builds a request of its own, with nothing but the known fields', () => {
    expect(Object.keys(parseRequest('{"source":"1","cwd":"/"}'))).to.deep.equal(['kind', 'source', 'cwd'])
  })
})

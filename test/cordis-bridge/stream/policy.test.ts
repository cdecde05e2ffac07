// What holds for the calls of a request.
import { expect } from 'chai'
import type { Agent, Assembly } from '../../../plugins/cordis-bridge/host/types.ts'
import { lastPolicyOf, pin, policyOf, recompose, unpin } from '../../../plugins/cordis-bridge/stream/policy.ts'
import { sessionOf } from '../events.ts'

const ON = { canonicalizeToolCalls: true, autoDescribeRunCode: true }
const tool = (name: string) => ({ name, description: '', parameters: {} })
const assembly = (sections: Readonly<Record<string, string>>, ...tools: string[]): Assembly =>
  ({ sections: Object.entries(sections).map(([name, text]) => ({ name, text })), contexts: [], tools: tools.map(tool) })
const make = (): Agent => ({ id: 'a', session: sessionOf([]) })
const isCodeOnly = (given: Assembly, agent = make()) => {
  const { signal } = new AbortController()
  pin(agent, signal, given, ON)
  return policyOf(signal, agent.session.id)?.isCodeOnly
}

describe('the policy of a request', () => {
  for (const [sections, tools, expected] of [
    [{ 'tools:code-only': 'only' }, ['run_code'], true], [{ 'tools:ptc-only': 'only' }, ['run_code'], true], [{ 'tools:code-only': '' }, ['run_code', 'read'], false],
    [{ 'tools:ptc-only': '', 'tools:code-only': 'only' }, ['run_code'], false], [{ 'tools:ptc-only': 'only', 'tools:code-only': '' }, ['run_code', 'read'], true],
    [{}, ['run_code'], true], [{}, ['run_code', 'read'], false], [{ 'tools:code-only': 'only' }, ['read'], undefined],
  ] as const) {
    it(`with ${JSON.stringify(sections)} and ${tools.join()}: ${expected === undefined ? 'none' : expected ? 'programs alone' : 'both'}`, () => {
      expect(isCodeOnly(assembly(sections, ...tools))).to.equal(expected)
    })
  }

  it('keeps an agent\'s composition as it was first seen, until it gets another', () => {
    const agent = make()
    expect(isCodeOnly(assembly({ 'tools:code-only': 'only' }, 'run_code'), agent)).to.equal(true)
    const both = assembly({ 'tools:code-only': '' }, 'run_code', 'read')
    expect(isCodeOnly(both, agent)).to.equal(true)
    recompose(agent)
    expect(isCodeOnly(both, agent)).to.equal(false)
  })

  it('is that of its own turn and session, and of the agent\'s last request', () => {
    const agent = make()
    const { signal } = new AbortController()
    const given = assembly({}, 'run_code')
    pin(agent, signal, given, ON)
    expect(policyOf(signal, 'another')).to.equal(undefined)
    expect(policyOf(new AbortController().signal, agent.session.id)).to.equal(undefined)
    expect(policyOf(undefined, agent.session.id)).to.equal(undefined)
    pin(agent, signal, given, { ...ON, autoDescribeRunCode: false })
    expect(lastPolicyOf(agent)).to.include({ autoDescribeRunCode: false, canonicalizeToolCalls: true })
    unpin(agent, signal)
    expect([lastPolicyOf(agent), policyOf(signal, agent.session.id), lastPolicyOf(undefined)]).to.deep.equal([undefined, undefined, undefined])
  })
})

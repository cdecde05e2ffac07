// What the host's policies do with a cell's result and with the calls in it, and what that leaves of the session.
import type { Context } from '@deepseek-ai/cordis'
import type { ToolExecution } from '@deepseek-ai/dsh-tools'
import { expect } from 'chai'
import { resultsIn, withHost, type Conversation } from './host.ts'
import { cell, say } from './model.ts'
import { giveTools } from './tool.ts'

const done = say('Done.')
const run = async (conversation: Conversation, code: string) => resultsIn(await conversation.ask(cell(code), done)).join('|')

/** Approves what it is asked, or not, and keeps what that was. */
function approval(ctx: Context, outcome: 'allowed-once' | 'rejected', asked: string[]): Promise<unknown> {
  const service = { async request({ toolName, agent }: { toolName: string, agent: { id: string } }) { asked.push(`${toolName} of ${agent.id}`); return outcome } }
  return ctx.plugin({ name: 'approval', apply: (own: Context) => { own.provide('approval' as never, service as never) } }) as unknown as Promise<unknown>
}

const askFor = (tool: string) => async (exec: Readonly<ToolExecution>, next: () => Promise<{ kind: 'allow' }>) =>
  exec.name === tool ? { kind: 'ask' as const, reason: 'it costs' } : await next()

describe('a policy of the host', () => {
  for (const [outcome, expected] of [['allowed-once', 'paid'], ['rejected', 'ToolCallError: the user rejected tool "pay"']] as const) {
    it(`that asks about a call inside a cell: ${outcome}`, () => withHost(async (host) => {
      const asked: string[] = []
      await approval(host.ctx, outcome, asked)
      const conversation = await host.open({ setup: (ctx) => giveTools(ctx, { pay: { call: () => 'paid' } }) })
      conversation.agent.ctx.on('tools/pre-execute', askFor('pay') as never)
      expect(await run(conversation, 'return await tools.pay({}).catch((e) => `${e.name}: ${e.message}`)')).to.equal(expected)
      expect(asked).to.deep.equal([`pay of ${conversation.agent.id}`])
    }))
  }

  for (const [change, shown] of [
    [{ kind: 'accept', content: [{ type: 'text', text: 'shorter' }] }, 'shorter'],
    [{ kind: 'accept', value: { logs: [], result: 'other' } }, 'other'],
  ] as const) {
    it(`that shows another ${'value' in change ? 'value' : 'text'} changes nothing in the session`, () => withHost(async (host) => {
      const conversation = await host.open()
      let active = true
      conversation.agent.ctx.on('tools/post-execute', async (exec, _result, next) => exec.name === 'run_code' && active ? change as never : await next())
      expect(await run(conversation, 'var kept = 1; return "a long text"')).to.equal(shown)
      active = false
      await host.bridge.session(conversation.session.id)!.reset()
      expect(await run(conversation, 'return kept')).to.equal('1')
    }))
  }
})

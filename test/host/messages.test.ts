// What the model is told beside results: messages of the plugin's own, in accepted steps only, said once and taken back.
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { expect } from 'chai'
import { temporaryFolder } from '../harness/sessions.ts'
import { endOf, withHost, type Conversation, type Host } from './host.ts'
import { cell, say } from './model.ts'

const done = say('Done.')
/** Fails for the same missing name. */
const missing = cell('return absent')
const platform = cell('import { execFileSync } from "node:child_process"; execFileSync("/nowhere/program")')

interface Told { readonly kind: string, readonly form: string, readonly sections: readonly { readonly name: string, readonly text: string }[], readonly summary?: string }
const sourceOf = (event: SessionEvent) => event.type === 'user/message' ? event.data.source as unknown as Told : undefined
const toldIn = (events: readonly SessionEvent[]) => events.flatMap((event) => {
  const source = sourceOf(event)
  return source?.kind === 'plugin:ptc-plus' ? [[source.form, ...source.sections.map(({ name }) => name.replace('tools:ptc-plus-', ''))].join(' ')] : []
})
const lastAsked = (host: Host) => host.model.requests.at(-1)!.messages.filter(({ role }) => role === 'user').map(({ content }) => content)

/** The log of a session in which a rewritten cell left no record, as another release may have left it. */
function withoutRecord({ events }: Session): SessionEvent[] {
  return events.map((event) => event.type !== 'tool/result' ? event
    : { ...event, data: { ...event.data, meta: { dshPtcPlusRewrites: [{ kind: 'import', description: 'import of "a" became a read' }] } } }) as SessionEvent[]
}

async function inTurn(...uses: ((host: Host, cwd: string) => Promise<void>)[]): Promise<void> {
  const folder = temporaryFolder()
  try {
    for (const use of uses) await withHost((host) => use(host, folder.path), { sessions: folder.path })
  } finally {
    folder.remove()
  }
}

describe('messages to the model', () => {
  it('a tip comes with the request after the third failure of the same kind, and not with the next ones', () => withHost(async (host) => {
    const conversation = await host.open()
    const events = await conversation.ask(missing, missing, missing, missing, done)
    expect(toldIn(events)).to.deep.equal(['notice tip/repeated-binding-failure/1'])
    const at = host.model.requests.map(({ messages }) => messages.filter(({ role, content }) => role === 'user' && content?.startsWith('The same name fails')).length)
    expect(at).to.deep.equal([0, 0, 0, 1, 1])
    const source = events.map(sourceOf).find((one) => one?.form === 'notice')!
    expect(source.summary).to.equal('The same name fails again and again')
    expect(source.sections[0]!.text).to.equal(host.model.requests[3]!.messages.at(-1)!.content)
    expect(conversation.session.surface.nodes).to.include(events.find((event) => sourceOf(event)?.form === 'notice')!.seq)
    expect(endOf(events)).to.equal('completed')
  }))

  it('tips about the platform come at once, after the cooldown, and become detailed; a success ends that', () => withHost(async (host) => {
    const conversation = await host.open()
    const tips = async (...script: Parameters<Conversation['ask']>) => {
      const events = await conversation.ask(...script)
      return events.flatMap((event) => sourceOf(event)?.form === 'notice' ? [[toldIn([event])[0], sourceOf(event)!.sections[0]!.text.split('\n').length]] : [])
    }
    expect(await tips(platform, platform, platform, platform, done)).to.deep.equal([['notice tip/platform-command-failure/1', 2], ['notice tip/platform-command-failure/2', 2]])
    expect(await tips(platform, platform, done)).to.deep.equal([['notice tip/platform-command-failure/3', 3]])
    expect(await tips(cell('1'), say('Fine.'))).to.deep.equal([])
    expect(await tips(platform, done)).to.deep.equal([['notice tip/platform-command-failure/4', 2]])
  }))

  it('tips can be switched off', () => withHost(async (host) => {
    const events = await (await host.open()).ask(platform, missing, missing, missing, done)
    expect(toldIn(events)).to.deep.equal([])
  }, { bridge: { tipsEnabled: false } }))

  it('tips go on counting in the next process', () => inTurn(async (host, cwd) => {
    const conversation = await host.open({ id: 'counting', cwd })
    expect(toldIn(await conversation.ask(platform, done))).to.deep.equal(['notice tip/platform-command-failure/1'])
  }, async (host) => {
    const conversation = await host.resume('counting')
    expect(toldIn(await conversation.ask(done))).to.deep.equal([])
    expect(toldIn(await conversation.ask(platform, done))).to.deep.equal(['notice tip/platform-command-failure/2'])
  }))

  it('a snapshot says what nobody knows, once, and again when it is out of sight, and is taken back', () => withHost(async (host) => {
    const before = await host.open()
    await before.ask(cell('import { join } from "node:path"'), done)
    const conversation = await host.open({ seed: withoutRecord(before.session), parent: before.session.id })
    const told = await conversation.ask(done)
    expect(toldIn(told)).to.deep.equal(['snapshot rewrite-info'])
    expect(lastAsked(host).at(-1)).to.match(/^The state of the session behind run_code\.[^]*\n- import of "a" became a read$/u)
    expect(toldIn(await conversation.ask(done))).to.deep.equal([])
    const { seq } = told.find((event) => sourceOf(event)?.form === 'snapshot')!
    const message = createUserMessage({ content: [{ type: 'text', text: 'Something was said.' }], source: { kind: 'user' } })
    conversation.session.append('user/message', message, { surfaceOp: { op: 'replace', start: seq, end: seq }, sourceEventSeqs: [seq] })
    expect(toldIn(await conversation.ask(done))).to.deep.equal(['snapshot rewrite-info'])
    const bridge = [...host.ctx.get('loader')!.entries()].find(({ options }) => options.id === 'ptc-plus-bridge')!
    await bridge.parent.tree.update('ptc-plus-bridge', { config: { enabled: false } })
    await host.ctx.get('loader')!.await()
    expect(toldIn(await conversation.ask(done))).to.deep.equal(['snapshot'])
    expect(lastAsked(host).at(-1)).to.contain('does not hold any more')
    expect(toldIn(await conversation.ask(done))).to.deep.equal([])
  }))

  it('a catalog of an earlier release is taken back once', () => withHost(async (host) => {
    const before = await host.open()
    await before.ask(done)
    const sections = [{ name: 'tools:ptc-plus-user-binding-defaults', text: 'declare const textTools: {}' }]
    const message = createUserMessage({ content: [{ type: 'text', text: sections[0]!.text }], source: { kind: 'plugin:ptc-plus', form: 'catalog', sections } as never })
    before.session.append('user/message', message, { surfaceOp: 'append' })
    expect(toldIn(await before.ask(done))).to.deep.equal(['catalog'])
    expect(toldIn(await before.ask(done))).to.deep.equal([])
  }))

  describe('are in no step', () => {
    const failTwice = [missing, missing] as const
    /** A session with a tip that is due: the step that would have brought it was rejected. */
    async function withTipDue(host: Host): Promise<Conversation> {
      const conversation = await host.open()
      await conversation.ask(...failTwice, done)
      const stop = conversation.agent.ctx.on('agent/pre-step', async ({ step }, next) => step > 1 ? { kind: 'reject' as const } : await next())
      const events = await conversation.ask(missing)
      expect([endOf(events), toldIn(events)]).to.deep.equal(['blocked', []])
      stop()
      return conversation
    }

    it('that another plugin rejects, but in the next one', () => withHost(async (host) => {
      expect(toldIn(await (await withTipDue(host)).ask(done))).to.deep.equal(['notice tip/repeated-binding-failure/1'])
    }))

    it('that is cancelled while it is decided', () => withHost(async (host) => {
      const conversation = await host.open()
      await conversation.ask(...failTwice, done)
      const stop = conversation.agent.ctx.on('agent/pre-step', async ({ step, agent }, next) => { const decision = await next(); if (step > 1) agent.cancel({ kind: 'user' }); return decision })
      const events = await conversation.ask(missing)
      expect([endOf(events), toldIn(events)]).to.deep.equal(['aborted', []])
      stop()
      expect(toldIn(await conversation.ask(done))).to.deep.equal(['notice tip/repeated-binding-failure/1'])
    }))

    it('of an agent without a runtime context', () => withHost(async (host) => {
      const conversation = await host.open({ setup: (ctx) => { ctx.get('systemPrompt')!.suppressRuntimeContext() } })
      expect(toldIn(await conversation.ask(...failTwice, missing, done))).to.deep.equal([])
    }))

    it('whose prompt another plugin has taken the witness out of', () => withHost(async (host) => {
      const conversation = await host.open()
      conversation.agent.ctx.on('system-prompt/assemble', async (_assembly, _context, next) => ({ ...await next(), contexts: [] }))
      expect(toldIn(await conversation.ask(...failTwice, missing, done))).to.deep.equal([])
    }))

    it('that has nothing else to say', () => withHost(async (host) => {
      const conversation = await withTipDue(host)
      const stop = conversation.agent.ctx.on('agent/pre-step', async (_step, next) => { const decision = await next(); return decision.kind === 'enter' ? { ...decision, messages: [] } : decision })
      const requests = host.model.requests.length
      const events = await conversation.ask()
      expect([toldIn(events), host.model.requests.length]).to.deep.equal([[], requests])
      stop()
      expect(toldIn(await conversation.ask(done))).to.deep.equal(['notice tip/repeated-binding-failure/1'])
    }))
  })
})

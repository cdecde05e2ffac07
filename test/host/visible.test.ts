// Compaction: what the model can not see any more, its session does not have any more.
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { expect } from 'chai'
import { temporaryFolder } from '../harness/sessions.ts'
import { resultsIn, withHost, type Conversation } from './host.ts'
import { cell, say } from './model.ts'

const done = say('Done.')
const run = async (conversation: Conversation, code: string) => resultsIn(await conversation.ask(cell(code), done)).join('|')

/** What a compaction does: one message in the place of everything that the model saw of these events. */
function summarise({ session }: Conversation, events: readonly SessionEvent[]): void {
  const seqs = new Set(events.map(({ seq }) => seq))
  const shadowed = session.surface.nodes.filter((seq) => seqs.has(seq))
  const message = createUserMessage({ content: [{ type: 'text', text: 'Earlier, things were computed.' }], source: { kind: 'user' } })
  session.append('user/message', message, { surfaceOp: { op: 'replace', start: shadowed[0]!, end: shadowed.at(-1)! }, sourceEventSeqs: shadowed })
}

/** What a pruning does: the result is shown shorter, everything else stays. */
function shorten({ session }: Conversation, events: readonly SessionEvent[]): void {
  for (const event of events) {
    if (event.type !== 'tool/result') continue
    const { message, ...rest } = event.data
    const shorter: typeof message = { ...message, content: [{ ...message.content[0], content: [{ type: 'text', text: '(pruned)' }] }] }
    session.append('tool/result', { ...rest, message: shorter }, { surfaceOp: { op: 'replace', start: event.seq, end: event.seq }, sourceEventSeqs: [event.seq] })
  }
}

describe('compaction', () => {
  it('takes the names with the calls that made them, and says so once', async () => {
    const folder = temporaryFolder()
    try {
      await withHost(async (host) => {
        const conversation = await host.open({ id: 'compacted', cwd: folder.path })
        await run(conversation, 'var early = 1')
        const hidden = await conversation.ask(cell('var middle = 2'), done)
        await run(conversation, 'var late = early + middle')
        summarise(conversation, hidden)
        expect(await run(conversation, 'var after = 4; [early, typeof middle, typeof late]'))
          .to.match(/^warning\[PTC-R002\]: 2 cells could not be brought back[^]*\[\n {2}1,\n {2}"undefined",\n {2}"undefined"\n\]$/u)
        expect(await run(conversation, 'return early + after')).to.equal('5')
      }, { sessions: folder.path })
      await withHost(async (host) => {
        expect(await run(await host.resume('compacted'), 'return [early, after, typeof middle].join()')).to.equal('1,4,undefined')
      }, { sessions: folder.path })
    } finally {
      folder.remove()
    }
  })

  it('of a result alone changes nothing, live or in another process', async () => {
    const folder = temporaryFolder()
    try {
      await withHost(async (host) => {
        const conversation = await host.open({ id: 'pruned', cwd: folder.path })
        shorten(conversation, await conversation.ask(cell('var kept = 1; return "a long text"'), done))
        expect(await run(conversation, 'return kept')).to.equal('1')
      }, { sessions: folder.path })
      await withHost(async (host) => {
        expect(await run(await host.resume('pruned'), 'return kept')).to.equal('1')
      }, { sessions: folder.path })
    } finally {
      folder.remove()
    }
  })
})

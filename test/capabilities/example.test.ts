// The example of the guide is run, not only read: docs/examples/notes/notes.ts on both hosts.
import { expect } from 'chai'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as notes from '../../docs/examples/notes/notes.ts'
import { boot } from '../harness/graph.ts'
import { active, bench, callContext, HOSTS, rejection, unwind } from './hosts.ts'

for (const [host, create] of HOSTS) {
  it(`the notes example on ${host}`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'notes-'))
    const file = join(dir, 'notes.ndjson')
    const graph = await bench(create)
    try {
      const fiber = graph.ctx.plugin(notes, { file })
      await active(fiber)
      const plan = graph.ctx.capabilityPlan
      const cwd = join(import.meta.dirname, '../../docs/examples/notes')
      const ask = (namespace: string, member: string, args?: unknown) => plan.dispatch(namespace, member, args, { ...callContext(), cwd })
      expect(await ask('notes', 'list')).to.deep.equal([])
      expect(await ask('notes', 'add', { text: 'first' })).to.deep.equal({ id: 1, text: 'first' })
      await ask('notes', 'add', { text: 'zwölf' })
      await fiber.restart()
      await active(fiber)
      expect(await ask('notes', 'list')).to.deep.equal([{ id: 1, text: 'first' }, { id: 2, text: 'zwölf' }])
      expect(readFileSync(file, 'utf8')).to.equal('{"id":1,"text":"first"}\n{"id":2,"text":"zwölf"}\n')
      expect(await ask('files', 'read', { path: 'orders.csv' })).to.match(/^id,day,/)
      expect(await rejection(ask('notes', 'add', { text: 1 }))).to.be.instanceOf(TypeError)
      expect(plan.inspect().symbols.map(({ name, replay }) => [name, replay])).to.deep.equal(
        ['read', 'add', 'list'].map(name => [name, 'recorded-value']))
    } finally {
      await unwind(graph)
      rmSync(dir, { recursive: true })
    }
  })

  it(`the notes example in cells on ${host}: declared, found, called, closed, recorded, and replayed without its plugin`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'notes-'))
    const graph = await boot({ host })
    try {
      const fiber = graph.ctx.plugin(notes, { file: join(dir, 'notes.ndjson') })
      await active(fiber)
      const plan = graph.ctx.capabilityPlan
      expect(plan.declaration()).to.include(`declare const notes: {
  /** Keeps a note and answers it with its number. */
  add(args: { text: string }): Promise<{ id: number; text: string }>
  /** Answers all notes, oldest first. */
  list(): Promise<{ id: number; text: string }[]>
}
`)
      const session = await graph.kernel.open('notes')
      const values = async (source: string) => { const { value, error, status, diagnostics } = await session.run(source); return { value, error, status, diagnostics } }
      const durable = (value: unknown) => ({ value, error: undefined, status: 'durable', diagnostics: [] })
      expect(await values("const found = (await capabilities.search({ query: 'keep note' })).matches.map(m => m.name); found")).to.deep.equal(durable(['add', 'list']))
      expect(await values("const first = await notes.add({ text: 'remember' }); first")).to.deep.equal(durable({ id: 1, text: 'remember' }))
      expect(await values('const refusal = await notes.add({ text: 1 }).catch(e => [e instanceof TypeError, e.message]); refusal'))
        .to.deep.equal(durable([true, 'notes.add can not take this argument: $.text must be string']))
      plan.configure({ managementEnabled: true })
      const without = await graph.kernel.open('without notes.add')
      plan.session(without.id).close('notes.add')
      expect((await without.run('[typeof notes.add, await notes.list()]')).value).to.deep.equal(['undefined', [{ id: 1, text: 'remember' }]])
      expect(plan.declaration(without.id)).to.include('declare const notes: {\n  /** Answers all notes, oldest first. */\n  list()')
      await fiber.dispose()
      expect(plan.declaration()).to.not.include('notes')
      await session.reset()
      expect(await values('[found, first, refusal[0], typeof notes]')).to.deep.equal(durable([['add', 'list'], { id: 1, text: 'remember' }, true, 'undefined']))
      expect((await values("(await capabilities.find('notes')).length")).value).to.equal(0)
    } finally {
      await graph.dispose()
      rmSync(dir, { recursive: true })
    }
  }).timeout(60_000)
}

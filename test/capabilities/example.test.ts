// The example of the guide is run, not only read: docs/examples/notes/notes.ts on both hosts.
import { expect } from 'chai'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as notes from '../../docs/examples/notes/notes.ts'
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
}

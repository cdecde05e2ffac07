// The whole path from outside: `ptc batch` with the example plugin, through a killed helper and a restarted graph.
import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Batch } from '../harness/batch.ts'
import { temporaryFolder } from '../harness/sessions.ts'

describe('a session from outside', function () {
  const folder = temporaryFolder()
  after(async () => { await Batch.killAll(); folder.remove() })

  const uses = [
    { source: 'limit', value: 3 },
    { source: 'double(limit)', value: 6 },
    { source: 'new Box<number>(4).get()', value: 4 },
    { source: '[Colour.Red, Colour[1]]', value: [0, 'Blue'] },
    { source: 'first.text', value: 'remember' },
  ]

  it('defines, calls, is killed, is restarted, and knows everything; the call happened once', async () => {
    const notes = join(folder.path, 'notes.json')
    const batch = new Batch(['--home', folder.path, '--with', 'docs/examples/notes/notes.ts'], { PTC_NOTES_FILE: notes })
    const define = [
      'const limit: number = 3',
      'function double(n: number): number { return n * 2 }',
      'class Box<T> { constructor(private readonly value: T) {} get(): T { return this.value } }',
      'enum Colour { Red, Blue }',
      "const first = await notes.add({ text: 'remember' })",
    ]
    for (const source of define) expect((await batch.ask({ source })).status, source).to.equal('durable')
    for (const control of ['kill', 'restart']) {
      expect(await batch.ask({ control })).to.deep.equal({ ok: true })
      for (const { source, value } of uses) {
        const result = await batch.ask({ source })
        expect([result.value, result.status, result.diagnostics], `${source} after ${control}`).to.deep.equal([value, 'durable', []])
      }
    }
    expect((await batch.ask({ source: '(await notes.list()).length' })).value).to.equal(1)
    expect(readFileSync(notes, 'utf8').match(/remember/gu)).to.have.length(1)
    expect(await batch.end()).to.equal(0)
  }).timeout(60_000)
})

// The example store of docs/guides/write-a-store.md under the contract of all sources, and as a plugin.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import * as store from '../../docs/examples/sqlite-store/store.ts'
import { boot } from '../harness/graph.ts'
import { describeSource } from './contract.ts'

const module = new URL('../../docs/examples/sqlite-store/store.ts', import.meta.url).href

// What SQLite does with its own file when the machine fails is SQLite's to promise.
describeSource('sqlite', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'ptc-sqlite-'))
  const options = { file: join(dir, 'histories.db') }
  const opened: store.SqliteSource[] = []
  const again = () => { opened.push(new store.SqliteSource(options)); return opened.at(-1)! }
  return {
    source: again(), again, module: { url: module, options },
    async end() {
      for (const source of opened) source.close()
      rmSync(dir, { recursive: true })
    },
  }
}, { gaps: ['torn-tail', 'damage', 'read-only', 'disk-full', 'power-cut', 'inspect', 'documents'] })

describe('the sqlite store as a plugin', () => {
  it('keeps the session of a kernel across graphs', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'ptc-sqlite-'))
    try {
      for (const [source, value] of [['let a = 41', undefined], ['a + 1', 42]] as const) {
        const graph = await boot()
        await graph.ctx.plugin(store as never, { file: join(dir, 'histories.db') } as never)
        expect((await (await graph.kernel.open('s')).run(source)).value).to.equal(value)
        await graph.dispose()
      }
    } finally {
      rmSync(dir, { recursive: true })
    }
  })
})

// Would catch: a history that outlives the plugin, a source that outlives its plugin, and anything that does not unwind.
// Every row runs on both hosts, because the plugin must not depend on one of them.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context as HostContext } from '@deepseek-ai/cordis'
import { expect } from 'chai'
import { Context } from 'cordis'
import { fold } from '../../plugins/journal/fold.ts'
import * as journal from '../../plugins/journal/index.ts'
import { MemorySource } from '../../plugins/journal/memory-store.ts'
import type { HistoryEntry, HistorySource, NewEntry } from '../../plugins/journal/types.ts'
import { durable, Script } from './history.ts'

const cell: NewEntry = { kind: 'cell-opened', source: 'x', cwd: '/' }
const hosts: { readonly [name: string]: typeof Context } = { 'cordis': Context, '@deepseek-ai/cordis': HostContext as unknown as typeof Context }

/** A plugin that supplies a source for as long as it is loaded. */
const supplying = (source: HistorySource) => ({
  name: 'supplying', inject: ['ptcJournal'], apply: (ctx: Context) => { ctx.ptcJournal.source(source) },
})

async function idsOf(ctx: Context): Promise<string[]> {
  return (await ctx.ptcJournal.list()).map(({ id }) => id)
}

async function sourceWith(id: string): Promise<MemorySource> {
  const source = new MemorySource()
  await (await source.open(id)).close()
  return source
}

async function codeOf(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
  return 'nothing was thrown'
}

describe('journal configuration', () => {
  it('may be empty, and refuses what is not one', () => {
    expect(journal.Config({})).to.deep.equal({})
    expect(() => journal.Config({ dir: 3 } as unknown as journal.Config)).to.throw('dir')
  })
})

for (const [host, HostedContext] of Object.entries(hosts)) {
  describe(`journal plugin on ${host}`, () => {
    let ctx: Context
    let home: string
    let before: string | undefined
    beforeEach(() => {
      ctx = new HostedContext()
      home = mkdtempSync(join(tmpdir(), 'ptc-home-'))
      before = process.env.PTC_HOME
      process.env.PTC_HOME = home
    })
    afterEach(async () => {
      await ctx.fiber.dispose()
      if (before === undefined) delete process.env.PTC_HOME
      else process.env.PTC_HOME = before
      rmSync(home, { recursive: true })
      const errors = ctx.logger.buffer.filter(({ type }) => type === 'error').map(({ args }) => args[0] as unknown)
      expect(errors, 'unwinds without an error').to.deep.equal([])
      expect(ctx.get('ptcJournal'), 'the service is gone').to.equal(undefined)
    })

    it('keeps histories in $PTC_HOME/sessions', async () => {
      await ctx.plugin(journal)
      const history = await ctx.ptcJournal.history('one')
      history.append(cell)
      expect(readdirSync(join(home, 'sessions'))).to.include('one.ndjson')
    })

    it('keeps histories in the folder that it was given', async () => {
      const dir = join(home, 'elsewhere')
      await ctx.plugin(journal, { dir })
      await ctx.ptcJournal.history('one')
      expect(readdirSync(dir)).to.include('one.ndjson')
      expect(existsSync(join(home, 'sessions'))).to.equal(false)
    })

    it('looks for histories in the user\'s home otherwise, and makes nothing before it must', async () => {
      delete process.env.PTC_HOME
      const expected = join(homedir(), '.ptc-plus', 'sessions')
      const existed = existsSync(expected)
      await ctx.plugin(journal, {})
      const error = await codeOf(() => ctx.ptcJournal.history(''))
      expect(error).to.equal('bad-id')
      expect(existsSync(expected)).to.equal(existed)
    })

    it('keeps histories in memory on request', async () => {
      await ctx.plugin(journal, { memory: true, dir: join(home, 'unused') })
      ;(await ctx.ptcJournal.history('one')).append(cell)
      expect(await idsOf(ctx)).to.deep.equal(['one'])
      expect(readdirSync(home)).to.deep.equal([])
    })

    it('reads and continues after a restart', async () => {
      const fiber = await ctx.plugin(journal, {})
      const first = (await ctx.ptcJournal.history('one')).append(cell)
      await fiber.dispose()
      await ctx.plugin(journal, {})
      const second = (await ctx.ptcJournal.history('one')).append(cell)
      const read: HistoryEntry[] = []
      for await (const entry of ctx.ptcJournal.read('one')) read.push(entry)
      expect(read.map(({ seq }) => seq)).to.deep.equal([first, second])
    })

    it('H1: closes what it handed out, and leaves no lock', async () => {
      const fiber = await ctx.plugin(journal, {})
      const { ptcJournal } = ctx
      const [one, two] = [await ptcJournal.history('one'), await ptcJournal.history('two')]
      await two.close()
      await fiber.dispose()
      expect(await codeOf(() => one.append(cell))).to.equal('closed')
      expect(await codeOf(() => ptcJournal.history('three'))).to.equal('closed')
      expect(readdirSync(join(home, 'sessions')).sort()).to.deep.equal(['one.ndjson', 'two.ndjson'])
    })

    it('stays open until those who use it have stopped', async () => {
      const fiber = await ctx.plugin(journal, { memory: true })
      const kept: number[] = []
      await ctx.plugin({
        name: 'user', inject: ['ptcJournal'],
        apply: async (user: Context) => {
          const history = await user.ptcJournal.history('one')
          user.effect(() => async () => {
            await Promise.resolve()
            kept.push(history.append(cell))
          })
        },
      })
      await fiber.dispose()
      expect(kept).to.have.length(1)
    })

    it('a source lives with the fiber that supplied it', async () => {
      await ctx.plugin(journal, {})
      await ctx.ptcJournal.history('mine')
      const fiber = await ctx.plugin(supplying(await sourceWith('theirs')))
      expect(await idsOf(ctx)).to.deep.equal(['theirs'])
      await fiber.dispose()
      expect(await idsOf(ctx)).to.deep.equal(['mine'])
    })

    it('the latest source counts, whichever of them goes first', async () => {
      await ctx.plugin(journal, { memory: true })
      const first = await ctx.plugin(supplying(await sourceWith('first')))
      const second = await ctx.plugin(supplying(await sourceWith('second')))
      await first.dispose()
      expect(await idsOf(ctx)).to.deep.equal(['second'])
      await second.dispose()
      expect(await idsOf(ctx)).to.deep.equal([])
    })

    it('a source can be taken back earlier', async () => {
      await ctx.plugin(journal, { memory: true })
      const back = ctx.ptcJournal.source(await sourceWith('theirs'))
      await back()
      expect(await idsOf(ctx)).to.deep.equal([])
    })

    it('folds, at once or entry by entry', async () => {
      await ctx.plugin(journal, { memory: true })
      const script = new Script()
      script.cell(durable)
      const folding = ctx.ptcJournal.newFold()
      for (const entry of script.entries) folding.add(entry)
      expect(ctx.ptcJournal.fold(script.entries)).to.deep.equal(fold(script.entries))
      expect(folding.frontier().head).to.equal(1)
    })
  })
}

// Would catch: a session that is brought back in another time zone or language than the one in which it began, and whose
// replayed names then differ from what its program computed.
import { expect } from 'chai'
import { currentLocality, localityOf } from '../../../../plugins/kernel/host/helper/locality.ts'
import { boot } from '../../../harness/graph.ts'
import { answerOf, temporaryFolder } from '../../../harness/sessions.ts'

const LOOK = "[new Date(0).getHours(), new Date(0).toLocaleDateString(), (1234.5).toLocaleString(), Intl.DateTimeFormat().resolvedOptions().timeZone]"

describe('time zone and locale', () => {
  const folder = temporaryFolder()
  const before_ = { TZ: process.env.TZ, LC_ALL: process.env.LC_ALL }
  const restore = () => {
    for (const [name, value] of Object.entries(before_)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
  afterEach(restore)
  after(() => folder.remove())

  it('stay those of the first cell, wherever the session is brought back', async () => {
    process.env.TZ = 'Asia/Tokyo'
    const first = await boot({ dir: folder.path, kernel: { spareHelper: true } })
    const session = await first.kernel.open('moved')
    const live = await session.run(`const seen = ${LOOK}; seen`)
    expect((live.value as unknown[])[0]).to.equal(9)
    await first.dispose()
    process.env.TZ = 'America/New_York'
    const second = await boot({ dir: folder.path, kernel: { spareHelper: true } })
    const again = await (await second.kernel.open('moved')).run(`[seen, ${LOOK}]`)
    expect([answerOf(again), again.diagnostics]).to.deep.equal([{ value: [live.value, live.value] }, []])
    const other = await (await second.kernel.open('other')).run(LOOK)
    expect((other.value as unknown[])[0], 'a session that begins here').to.equal(19)
    await second.dispose()
  })

  it('come from the history, unless it names none that this machine knows', () => {
    const opened = { seq: 1, at: 0, kind: 'cell-opened', source: '1', cwd: '/' } as const
    expect(localityOf({ ...opened, timeZone: 'Europe/Berlin', locale: 'de-DE' })).to.deep.equal({ timeZone: 'Europe/Berlin', locale: 'de-DE' })
    expect(localityOf(opened)).to.equal(undefined)
    expect(localityOf({ ...opened, timeZone: 'Mars/Olympus', locale: 'de-DE' })).to.equal(undefined)
    expect(localityOf({ ...opened, timeZone: 3 as never, locale: 'de-DE' })).to.equal(undefined)
    expect(currentLocality().timeZone).to.be.a('string')
  })

  it('of another locale reach the program', async () => {
    const graph = await boot({ dir: folder.path })
    const history = await graph.ctx.ptcJournal.history('german')
    history.append({ kind: 'cell-opened', source: '', cwd: '/', timeZone: 'Europe/Berlin', locale: 'de-DE' })
    await history.close()
    const result = await (await graph.kernel.open('german')).run(LOOK)
    expect(answerOf(result)).to.deep.equal({ value: [1, '1.1.1970', '1.234,5', 'Europe/Berlin'] })
    await graph.dispose()
  })
})

// What sessions may call, and have called, beside their histories. D1: would catch a closure that a crash forgets. D2: a restart that
// composes a session anew. A damaged document costs the plan, never the session, and is kept.
import { expect } from 'chai'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CapabilityService } from '../../../../plugins/capabilities/types.ts'
import type { ReplSession } from '../../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../../harness/graph.ts'
import { answerOf, temporaryFolder } from '../../../harness/sessions.ts'

const member = () => ({ replay: 'recorded-value', call: () => 1 } as const)

describe('kept plans', () => {
  let home: ReturnType<typeof temporaryFolder>
  let graph: Graph
  let plan: CapabilityService
  let session: ReplSession

  /** Another process, as far as the disk can tell. */
  async function start(settings: Parameters<CapabilityService['configure']>[0] = {}): Promise<void> {
    graph = await boot({ dir: home.path })
    plan = graph.ctx.capabilityPlan
    plan.configure(settings)
    plan.register('notes', { add: member(), list: member() })
  }
  async function restart(settings: Parameters<CapabilityService['configure']>[0] = {}): Promise<void> {
    await graph.dispose()
    await start(settings)
  }
  const open = async (id = 's') => { session = await graph.kernel.open(id) }
  const file = (name: string) => join(home.path, name)
  const stored = (id = 's') => JSON.parse(readFileSync(file(`${id}.capability-environment.json`), 'utf8')) as { closures: string[], composition: { full: string[] } }
  const notes = async () => (answerOf(await session.run('typeof notes === "object" ? Object.keys(notes) : []')) as { value: string[] }).value
  const warnings = () => graph.ctx.logger.buffer.filter(({ type }) => type === 'warn').map(({ args }) => String(args[0]))

  beforeEach(async () => {
    home = temporaryFolder()
    await start()
  })
  afterEach(async () => {
    await graph.dispose()
    home.remove()
  })

  it('D1 D2 a session has its closures and its composition back, and what is registered later is not offered', async () => {
    plan.configure({ managementEnabled: true })
    await open()
    expect(await notes()).to.deep.equal(['add', 'list'])
    plan.session('s').close('notes.add')
    expect(stored().closures, 'before anything else happens').to.deep.equal(['notes.add'])
    const { document } = plan.session('s')
    await restart()
    plan.register('late', { come: member() })
    await open()
    expect(plan.session('s').document).to.deep.equal(document)
    expect([await notes(), answerOf(await session.run('typeof late'))]).to.deep.equal([['list'], { value: 'undefined' }])
    plan.session('s').reopen('notes.add')
    await restart()
    await open()
    expect(await notes()).to.deep.equal(['add', 'list'])
  })

  it('D2 a session that began without management stays so, a new one is composed', async () => {
    await open()
    await session.run('1')
    expect(readdirSync(home.path).filter(name => name.endsWith('.json')), 'nobody has customized anything').to.deep.equal([])
    await restart({ managementEnabled: true })
    await open()
    plan.session('s').close('notes')
    expect(await notes()).to.deep.equal(['add', 'list'])
    await open('new')
    plan.session('new').close('notes')
    expect(await notes()).to.deep.equal([])
    await restart({ managementEnabled: true })
    await open()
    expect([plan.session('s').closures, await notes()]).to.deep.equal([['notes'], ['add', 'list']])
    plan.session('s').refresh()
    expect(await notes()).to.deep.equal([])
  })

  it('a session that is closed and opened again, and one that something was closed in before', async () => {
    plan.configure({ managementEnabled: true })
    await open()
    plan.session('s').close('notes.add')
    await session.close()
    expect(plan.session('s').closures, 'what is stored is what counts').to.deep.equal([])
    plan.session('s').close('notes.list')
    await open()
    expect(plan.session('s').closures).to.deep.equal(['notes.add', 'notes.list'])
    expect(stored().closures).to.deep.equal(['notes.add', 'notes.list'])
  })

  const DAMAGED: readonly (readonly [text: string, reason: RegExp])[] = [
    ['', /JSON/], ['{"schema":', /JSON/], ['[]', /not an object/], ['\0\0\0\0', /JSON/],
    ['{"schema":"ptc-capability-environment/v4","closures":[],"composition":null}', /its schema is not ptc-capability-environment\/v5/],
    ['{"schema":"ptc-capability-environment/v5","closures":["notes"],"composition":{}}', /managed is not true or false/],
  ]
  for (const [text, reason] of DAMAGED) {
    it(`a damaged document is kept aside and the session composed anew: ${JSON.stringify(text).slice(0, 70)}`, async () => {
      await open()
      await session.run('let kept = 41')
      await graph.dispose()
      writeFileSync(file('s.capability-environment.json'), text)
      await start({ managementEnabled: true })
      await open()
      expect(warnings()).to.have.length(1)
      expect(warnings()[0]).to.match(/^session s: what the session may call was composed anew/).and.match(reason)
      expect(stored().composition.full, 'the new one, before anything runs').to.include('notes.add')
      const result = await session.run('kept + 1')
      expect([result.value, result.diagnostics.map(({ code }) => code)]).to.deep.equal([42, ['PTC-P001']])
      expect(result.logs[0]!.text).to.match(/^warning\[PTC-P001\]: .* kept as s\.capability-environment\.json\.damaged\nphase: recover\nstate: rolled-back\nhelp: /).and.match(reason)
      expect(readFileSync(file('s.capability-environment.json.damaged'), 'utf8')).to.equal(text)
      await restart()
      await open()
      expect((await session.run('kept')).diagnostics, 'said once').to.deep.equal([])
    })
  }

  it('D1 what can not be written is said, counts at once, and is written when that is possible again', async () => {
    plan.configure({ managementEnabled: true })
    await open('t')
    await notes()
    const { document } = plan.session('t')
    await session.close()
    // A folder in the place of the draft: nothing can be written there, whoever asks.
    const draft = file(`t.capability-environment.json.${process.pid}.draft`)
    await open('t')
    mkdirSync(draft)
    plan.session('t').close('notes.add')
    expect(warnings()).to.have.length(1)
    expect(warnings()[0]).to.match(/^what session t may call could not be kept, so it may be different after a restart: .*EISDIR/)
    expect(await notes()).to.deep.equal(['list'])
    expect(stored('t')).to.deep.equal(JSON.parse(JSON.stringify(document)))
    rmdirSync(draft)
    await restart()
    await open('t')
    expect(await notes()).to.deep.equal(['list'])
  })

  describe('statistics', () => {
    const enabled = { statistics: { enabled: true, windowSize: 100, minimumSamples: 2, fullThreshold: 0.5 } }
    const samples = () => plan.statistics.document.samples.map(({ session: id, symbols }) => `${id}: ${symbols.join(' ')}`)
    const STORED = 'capability-statistics.json'

    it('outlive the process, and add up with what another one has collected', async () => {
      await restart(enabled)
      await open('a')
      await session.run('await notes.add()')
      await restart(enabled)
      await open('b')
      expect(samples()).to.deep.equal(['a: notes.add'])
      // What another process has written meanwhile.
      const document = JSON.parse(readFileSync(file(STORED), 'utf8')) as { samples: object[] }
      writeFileSync(file(STORED), JSON.stringify({ ...document, samples: [...document.samples, { session: 'other', symbols: ['notes.list'] }] }))
      await session.run('await notes.list()')
      expect(samples()).to.deep.equal(['a: notes.add', 'other: notes.list', 'b: notes.list'])
      plan.statistics.reset()
      await restart(enabled)
      await open('b')
      expect(samples()).to.deep.equal([])
    })

    it('nothing is read or written while they are off', async () => {
      writeFileSync(file(STORED), 'no JSON')
      await open('a')
      await session.run('await notes.add()')
      expect([samples(), readFileSync(file(STORED), 'utf8')]).to.deep.equal([[], 'no JSON'])
    })

    it('a damaged document is kept aside, said, and they begin anew', async () => {
      await restart(enabled)
      writeFileSync(file(STORED), '{"schema":"ptc-capability-statistics/v0"}')
      await open('a')
      expect(warnings()).to.deep.equal(['the statistics of calls are collected anew: the statistics can not be used: their schema is not ptc-capability-statistics/v1; the document is kept as capability-statistics.json.damaged'])
      await session.run('await notes.add()')
      expect([samples(), existsSync(file(`${STORED}.damaged`))]).to.deep.equal([['a: notes.add'], true])
      await restart(enabled)
      await open('a')
      expect(samples()).to.deep.equal(['a: notes.add'])
    })
  })
})

// What a cell can see of its namespaces without calling anything is an input of it: a replay shows what there was, whatever was
// registered, closed or withdrawn since (R3).
import { expect } from 'chai'
import type { Member, Members } from '../../../plugins/capabilities/types.ts'
import type { HistoryEntry, Surface } from '../../../plugins/journal/types.ts'
import type { CellResult, ReplSession } from '../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { HostSource } from '../../harness/host-source.ts'
import { answerOf, temporaryFolder } from '../../harness/sessions.ts'

const codes = ({ diagnostics }: CellResult) => diagnostics.map(({ code }) => code)
const member: Member = { replay: 'recorded-value', call: (args) => args }
const failing: Member = { replay: 'recorded-value', call: () => { throw new Error('no') } }
const many = (...names: string[]): Members => Object.fromEntries(names.map((name) => [name, member]))

type Opened = Extract<HistoryEntry, { kind: 'cell-opened' }>
async function openedIn(graph: Graph, session = 's'): Promise<Opened[]> {
  const found: Opened[] = []
  for await (const entry of graph.ctx.ptcJournal.read(session)) if (entry.kind === 'cell-opened') found.push(entry)
  return found
}
/** Of each cell, whether its entry tells a surface. */
const telling = async (graph: Graph, session = 's') => (await openedIn(graph, session)).map(({ surface }) => surface !== undefined)
const membersOf = (surface: Surface | undefined, wanted: string) => surface?.find(({ name }) => name === wanted)?.members

describe('the surface of a cell', () => {
  let graph: Graph
  let session: ReplSession
  const plan = () => graph.ctx.capabilityPlan
  beforeEach(async () => {
    graph = await boot()
    session = await graph.kernel.open('s')
  })
  afterEach(() => graph.dispose())

  /** Runs a cell under one surface, and asks for what it found after `change` and a recovery. */
  async function survives(source: string, change: () => void, expected: unknown): Promise<void> {
    const first = await session.run(`var seen; ${source}`)
    expect([first.status, first.error]).to.deep.equal(['durable', undefined])
    const value = await session.run('seen')
    change()
    await session.reset()
    const after = await session.run('return seen')
    expect([codes(after), answerOf(after)]).to.deep.equal([[], { value: expected }])
    expect(answerOf(value)).to.deep.equal({ value: expected })
  }

  it('R3 keys, typeof and in are those of its time, when a member is there now', async () => {
    const withdraw = plan().register('notes', many('add', 'list'))
    await survives('seen = [Object.keys(notes), typeof notes.drop, "drop" in notes, typeof later]', () => {
      withdraw()
      plan().register('notes', many('add', 'drop', 'list'))
      plan().register('later', many('come'))
    }, [['add', 'list'], 'undefined', false, 'undefined'])
  })

  it('R3 and when a member, or its whole namespace, is gone', async () => {
    const withdraw = plan().register('notes', many('add', 'list'))
    const withdrawOther = plan().register('other', many('x'))
    await survives('seen = [Object.keys(notes), typeof notes.add, "x" in other]', () => {
      withdraw()
      withdrawOther()
      plan().register('notes', many('list'))
    }, [['add', 'list'], 'function', true])
  })

  it('R3 `tools` has the members of its time, with an owner and without', async () => {
    let withdraw = () => {}
    await survives('seen = Object.keys(tools)', () => { withdraw = plan().register('tools', many('bash', 'read')) }, ['edit_run_code'])
    const owned = await session.run('var owned = Object.keys(tools); owned')
    expect(answerOf(owned)).to.deep.equal({ value: ['bash', 'edit_run_code', 'read'] })
    withdraw()
    await session.reset()
    expect(answerOf(await session.run('return [seen, owned, Object.keys(tools)]')))
      .to.deep.equal({ value: [['edit_run_code'], ['bash', 'edit_run_code', 'read'], ['edit_run_code']] })
  })

  it('R3 a cell that noticed a closure is brought back: the closed member, a closed namespace, and what was opened again', async () => {
    plan().register('notes', many('add', 'list'))
    plan().register('files', many('read'))
    plan().configure({ managementEnabled: true })
    const own = plan().session('s')
    own.refresh()
    await session.run('let before = await notes.add(7)')
    own.close('notes.add')
    own.close('files')
    const noticed = await session.run('let caught; try { await notes.add(8) } catch (error) { caught = [error instanceof TypeError, error.message, typeof files] }; caught')
    expect(answerOf(noticed)).to.deep.equal({ value: [true, 'notes.add is not a function', 'undefined'] })
    own.reopen('notes.add')
    await session.run('let again = await notes.add(9)')
    own.close('notes')
    own.reopen('files')
    const count = await session.run('let last = [typeof notes, typeof files.read]; last')
    await session.reset()
    const after = await session.run('[before, caught, again, last]')
    expect([after.status, codes(after)]).to.deep.equal(['durable', []])
    expect(answerOf(after)).to.deep.equal({ value: [7, [true, 'notes.add is not a function', 'undefined'], 9, ['undefined', 'function']] })
    expect(answerOf(count)).to.deep.equal({ value: ['undefined', 'function'] })
    expect(await telling(graph)).to.deep.equal([true, true, true, true, false])
  })

  it('R3 the class of errors is that of its time: the name that it takes, and the property that it sets', async () => {
    const withdraw = plan().register('notes', { fail: failing }, { errorClass: { name: 'NotesError', memberNameProperty: 'which' } })
    const source = `try { await notes.fail() } catch (error) { seen = [error instanceof NotesError, error.name, error.which] }
      seen.push(typeof OtherError)`
    await survives(source, () => {
      withdraw()
      plan().register('notes', { fail: failing })
      plan().register('other', { fail: failing }, { errorClass: { name: 'OtherError', memberNameProperty: 'member' } })
    }, [true, 'NotesError', 'fail', 'undefined'])
  })

  it('R3 a name that a class of errors has taken since can still be declared', async () => {
    await survives('const NotesError = 5; seen = NotesError', () => {
      plan().register('notes', many('add'), { errorClass: { name: 'NotesError', memberNameProperty: 'which' } })
    }, 5)
  })

  it('R3 the order in which namespaces became globals is that of a replay', async () => {
    plan().register('aaa', many('x'))
    plan().register('zzz', many('x'))
    const source = 'seen = Object.getOwnPropertyNames(globalThis).filter((name) => ["aaa", "capabilities", "code", "repl", "tools", "zzz"].includes(name))'
    await survives(source, () => {}, ['aaa', 'capabilities', 'code', 'repl', 'tools', 'zzz'])
  })

  it('is that of one cell alone where a request brings namespaces', async () => {
    const namespaces = (...names: string[]) => ({ namespaces: { tools: { members: many(...names) } } })
    await session.run('let one = Object.keys(tools)', namespaces('a'))
    await session.run('let two = Object.keys(tools)', namespaces('a', 'b'))
    await session.run('let same = Object.keys(tools)', namespaces('b', 'a'))
    await session.run('let none = Object.keys(tools)')
    await session.reset()
    const after = await session.run('[one, two, same, none].map((keys) => keys.join())', namespaces('c'))
    expect([codes(after), after.value]).to.deep.equal([[], ['a,edit_run_code', 'a,b,edit_run_code', 'a,b,edit_run_code', 'edit_run_code']])
    expect(await telling(graph)).to.deep.equal([true, true, false, true, true])
  })

  it('belongs to a cell wherever the head has been since: after a restore, and after a contraction', async () => {
    await session.run('await repl.state({ action: "save", name: "start" })')
    const withdraw = plan().register('notes', many('add'))
    await session.run('let n = Object.keys(notes).length')
    withdraw()
    await session.run('await repl.state({ action: "restore", name: "start" })')
    plan().register('notes', many('add', 'list'))
    await session.run('let m = Object.keys(notes).length')
    await session.reset()
    const after = await session.run('return [typeof n, m]')
    expect([codes(after), answerOf(after)]).to.deep.equal([[], { value: ['undefined', 2] }])
    expect(await telling(graph)).to.deep.equal([true, true, true, true, false])
  })

  it('is told once, however many cells there are, and has all that a program sees', async () => {
    plan().register('big', many(...Array.from({ length: 5_000 }, (_, index) => `member_${index}`)), { errorClass: { name: 'BigError', memberNameProperty: 'm' } })
    for (let cell = 0; cell < 5; cell += 1) await session.run('Object.keys(big).length')
    await session.reset()
    expect(answerOf(await session.run('Object.keys(big).length'))).to.deep.equal({ value: 5_000 })
    const entries = await openedIn(graph)
    expect(entries.map(({ surface }) => surface !== undefined)).to.deep.equal([true, false, false, false, false, false])
    const { surface } = entries[0]!
    expect(surface!.map(({ name, soft }) => [name, soft])).to.deep.equal([['big', undefined], ['capabilities', true], ['code', true], ['repl', true], ['tools', true]])
    expect(surface![0]!.errorClass).to.deep.equal({ name: 'BigError', memberNameProperty: 'm' })
    expect(membersOf(surface, 'big')).to.have.length(5_000)
  })

  it('does not tell for which members an argument may be left out: that is not seen, and what was sent is recorded', async () => {
    const tool = (required: string[]): Members => ({ count: { ...member, parameters: { type: 'object', properties: { n: { type: 'number' } }, required } } })
    const withdraw = plan().register('tools', tool([]))
    await session.run('let sent = await tools.count()')
    withdraw()
    plan().register('tools', tool(['n']))
    await session.run('1')
    await session.reset()
    expect(answerOf(await session.run('sent'))).to.deep.equal({ value: {} })
    expect(await telling(graph)).to.deep.equal([true, false, false])
  })

  it('a rehearsal uses it as a recovery does', async () => {
    const withdraw = plan().register('notes', many('add'))
    await session.run('return Object.keys(notes)')
    withdraw()
    plan().register('notes', many('add', 'list'))
    expect(await graph.kernel.replay(graph.ctx.ptcJournal.read('s'))).to.deep.equal({ proven: true, replayed: 1 })
  })

  it('a history that does not tell it is replayed as before: with what was called, and what there is today', async () => {
    const withdraw = plan().register('notes', many('add', 'list'))
    await session.run('let n = await notes.add(1)')
    await session.run('Object.keys(notes).join()')
    withdraw()
    plan().register('notes', many('drop'))
    const entries: HistoryEntry[] = []
    for await (const entry of graph.ctx.ptcJournal.read('s')) entries.push(entry)
    const replay = (surface: unknown) => graph.kernel.replay(entries.map((entry) => entry.kind === 'cell-opened' ? { ...entry, surface } as HistoryEntry : entry))
    expect(await graph.kernel.replay(entries)).to.deep.equal({ proven: true, replayed: 2 })
    for (const untold of [undefined, null, 'notes', [{ name: 'notes', members: ['list', 'add'] }]]) {
      const second = (await openedIn(graph))[1]!.seq
      expect(await replay(untold), 'the call is enough for the first cell; the second looked').to.deep.equal({ proven: false, replayed: 1, cell: second, reason: 'the replay returned another value than the record' })
    }
  })
})

describe('the surface of a cell in a history with which an older version went on', () => {
  it('lacks nothing that the cell called: names are those of its record', async () => {
    const graph = await boot()
    try {
      const { capabilityPlan: plan, ptcJournal: journal } = graph.ctx
      const session = await graph.kernel.open('s')
      const withdraw = plan.register('notes', many('add'))
      await session.run('Object.keys(notes).join()')
      withdraw()
      const withdrawAgain = plan.register('notes', many('add', 'drop'))
      plan.register('other', many('x'))
      await session.run('[await notes.drop(2), await other.x(3)]')
      withdrawAgain()
      let cells = 0
      const entries: HistoryEntry[] = []
      for await (const entry of journal.read('s')) {
        if (entry.kind !== 'cell-opened' || (cells += 1) === 1) { entries.push(entry); continue }
        const { surface, ...older } = entry
        expect(surface).not.to.equal(undefined)
        entries.push(older)
      }
      expect(await graph.kernel.replay(entries)).to.deep.equal({ proven: true, replayed: 2 })
    } finally {
      await graph.dispose()
    }
  })
})

describe('the surface of a cell across processes', () => {
  it('R3 is known from the file: a fresh process with other members replays, and tells only what has changed', async () => {
    const folder = temporaryFolder()
    const inProcess = async (members: Members, use: (session: ReplSession, graph: Graph) => Promise<void>) => {
      const graph = await boot({ dir: folder.path })
      try {
        graph.ctx.capabilityPlan.register('notes', members)
        await use(await graph.kernel.open('s'), graph)
      } finally {
        await graph.dispose()
      }
    }
    try {
      await inProcess(many('add'), async (session) => { await session.run('let n = Object.keys(notes).length; n') })
      await inProcess(many('add'), async (session, graph) => {
        await session.run('n += Object.keys(notes).length')
        expect(await telling(graph)).to.deep.equal([true, false])
      })
      await inProcess(many('add', 'list'), async (session, graph) => {
        const result = await session.run('n += Object.keys(notes).length')
        expect([codes(result), answerOf(result)]).to.deep.equal([[], { value: 4 }])
        expect(await telling(graph)).to.deep.equal([true, false, true])
      })
    } finally {
      folder.remove()
    }
  })
})

describe('the surface of a cell on another machine', () => {
  it('R3 travels in an export', async () => {
    const [here, there] = [await boot(), await boot()]
    try {
      here.ctx.capabilityPlan.register('notes', many('add', 'list'))
      there.ctx.capabilityPlan.register('notes', many('drop'))
      await (await here.kernel.open('s')).run('let keys = Object.keys(notes).join(); keys')
      await there.ctx.ptcJournal.import((await here.ctx.ptcJournal.export('s')).lines())
      const result = await (await there.kernel.open('s')).run('[keys, Object.keys(notes).join()]')
      expect([codes(result), answerOf(result)]).to.deep.equal([[], { value: ['add,list', 'drop'] }])
      expect(await telling(there)).to.deep.equal([true, true])
    } finally {
      await here.dispose()
      await there.dispose()
    }
  })
})

describe('the surface of a cell in a history that a host keeps', () => {
  let graph: Graph
  let session: ReplSession
  beforeEach(async () => {
    graph = await boot()
    graph.ctx.ptcJournal.source(new HostSource())
    session = await graph.kernel.open('s')
  })
  afterEach(() => graph.dispose())

  const run = async (source: string, isKept: boolean) => {
    const { record } = await session.run(source)
    graph.ctx.ptcJournal.confirm('s', (await openedIn(graph)).at(-1)!.seq, isKept ? record : undefined)
  }

  it('is told again until the host has kept it', async () => {
    for (const isKept of [false, false, true, true, false, true]) await run('let {', isKept)
    expect(await telling(graph)).to.deep.equal([true, true, true, false, false, false])
  })

  it('is told again when what the model saw is given up', async () => {
    await run('let a = 1', true)
    await run('let b = 2', true)
    const hide = graph.ctx.ptcJournal.visibility(() => [])
    await run('let c = 3', true)
    hide()
    expect(await telling(graph)).to.deep.equal([true, false, true])
  })
})

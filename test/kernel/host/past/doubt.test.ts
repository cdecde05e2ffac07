// Calls whose answer was never seen: only an owner who declared `owner-replay` is asked again, after the replay and with the
// argument of then; a session goes on whatever it answers.
import { expect } from 'chai'
import type { NewEntry } from '../../../../plugins/journal/types.ts'
import type { CellResult } from '../../../../plugins/kernel/types.ts'
import { boot, type Graph } from '../../../harness/graph.ts'
import { answerOf } from '../../../harness/sessions.ts'

describe('a call in doubt', () => {
  let graph: Graph
  let asked: unknown[]
  beforeEach(async () => {
    asked = []
    graph = await boot()
    graph.ctx.capabilityPlan.register('mail', {
      send: { replay: 'recorded-value', call: (args) => { asked.push(args) } },
      find: { replay: 'owner-replay', call: (args, { session }) => { asked.push(args); return { found: 3, session } } },
      fail: { replay: 'owner-replay', call: () => { throw new RangeError('no such mail') } },
    })
    await (await graph.kernel.open('s')).run('let a = 1').then(() => graph.kernel.sessions()[0]!.close())
  })
  afterEach(() => graph.dispose())

  /** A history that broke off in the middle of a call, and the next cell. */
  async function after(member: string, args: unknown): Promise<CellResult> {
    const history = await graph.ctx.ptcJournal.history('s')
    const cell = history.append({ kind: 'cell-opened', source: 'await mail', cwd: '/' })
    history.append({ kind: 'call-opened', cell, call: 0, global: 'mail', member, args: { codec: 'ptc-value-graph/v1', root: args, nodes: [] } } satisfies NewEntry)
    await history.close()
    return (await graph.kernel.open('s')).run('a')
  }

  const told = ({ diagnostics }: CellResult) => diagnostics.filter(({ code }) => code !== 'PTC-R002')

  it('of any other owner is reported and not repeated', async () => {
    const result = await after('send', 'x')
    expect([answerOf(result), told(result).map(({ code }) => code), asked]).to.deep.equal([{ value: 1 }, ['PTC-R003'], []])
  })

  it('R1 of an owner who may be asked again is asked once, and its answer is told', async () => {
    const result = await after('find', 'x')
    const [note, ...others] = told(result)
    expect([answerOf(result), asked, others]).to.deep.equal([{ value: 1 }, ['x'], []])
    expect(note).to.include({ code: 'PTC-R004', severity: 'note', phase: 'recover', stateEffect: 'unchanged', dispatchState: 'completed' })
    expect(note!.message).to.equal('mail.find was called when the session broke off (argument "x"); its owner was asked again and answered {"found":3,"session":"s"}')
  })

  it('stays in doubt when the owner fails, with its reason', async () => {
    const result = await after('fail', 'x')
    const [warning] = told(result)
    expect(answerOf(result)).to.deep.equal({ value: 1 })
    expect(warning).to.include({ code: 'PTC-R003' })
    expect(warning!.cause).to.deep.equal({ message: 'asked again, its owner failed: no such mail' })
  })

  it('stays in doubt when the owner is gone', async () => {
    expect(told(await after('gone', 'x'))[0]).to.include({ code: 'PTC-R003' }).and.not.have.property('cause')
  })
})

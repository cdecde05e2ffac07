// What is said with the next request, given what the log and the model's view of it have.
import { expect } from 'chai'
import type { HostSession } from '../../../plugins/cordis-bridge/host/types.ts'
import { Deliveries } from '../../../plugins/cordis-bridge/messages/deliveries.ts'
import { messagesFor } from '../../../plugins/cordis-bridge/messages/follow.ts'
import { messageOf, type Told } from '../../../plugins/cordis-bridge/messages/message.ts'
import { SessionLog } from '../../../plugins/cordis-bridge/session/log.ts'
import { call, code, dispatch, message, record, result, sessionOf } from '../events.ts'

type Event = Parameters<typeof sessionOf>[0][number]
const settings = { tipsEnabled: true, tipCooldownMessages: 3, tipEscalationFailures: 2 }
const committed = (told: Told): Event => ({ type: 'user/message', data: messageOf(told), surfaceOp: 'append' })
const step: Event = { type: 'step/start', data: {} }
const rewrites = (...descriptions: string[]) => ({ dshPtcPlusRewrites: descriptions.map((description) => ({ kind: 'import', description })) })
const done = { version: 11, status: 'durable', diagnostics: [], completion: { kind: 'return', hasValue: false } }
const repeated = { version: 11, status: 'volatile', completion: { kind: 'throw' }, diagnostics: [{ code: 'PTC-W001', cause: { code: 'PTC-LOCAL', message: 'a is not defined' } }] }

/** What the messages of the next request are named and say; `began`: the event at which this life of the agent began. */
function next(events: readonly Event[], { hidden = [], began = events.length, catalog = '', off = false }: { hidden?: number[], began?: number, catalog?: string, off?: boolean } = {}) {
  const session: HostSession = sessionOf(events, hidden)
  return messagesFor({ deliveries: new Deliveries(session), beganAt: began }, off ? undefined : new SessionLog(session), catalog, settings)
    .map(({ source, content }) => [source.form, ...source.sections.map(({ name }) => name.replace('tools:ptc-plus-', '')), content[0]!.text] as const)
}
const brief = (...args: Parameters<typeof next>) => next(...args).map((one) => one.slice(0, -1).join(' '))

const raw = code('import a from "a"')
const lost = [message('c', raw), call('c', raw), result('c', 1, rewrites('reads a'))]

describe('what is said with the next request', () => {
  it('is nothing where nothing is to be said', () => {
    expect(next([])).to.deep.equal([])
    expect(next([message('c', raw), call('c', raw), result('c', 1, { ...record(done), ...rewrites('reads a') })])).to.deep.equal([])
  })

  it('is that nobody knows about the last rewritten cell', () => {
    const [form, name, text] = next(lost)[0]!
    expect([form, name]).to.deep.equal(['snapshot', 'rewrite-info'])
    expect(text).to.contain('run_code call 1 was adapted').and.to.contain('\n- reads a')
    expect(next([message('c', raw), call('c', raw), result('c', 1, rewrites('x'.repeat(5000)))])[0]!.at(-1)).to.match(/x{2047}…$/u)
  })

  it('is nothing of a rewritten cell that the model does not see, or whose rewrites are not as written', () => {
    expect(brief(lost, { hidden: [0] })).to.deep.equal([])
    expect(brief([message('c', raw), call('c', raw), result('c', 1, { dshPtcPlusRewrites: [{ kind: 'other', description: '' }] })])).to.deep.equal([])
  })

  const saying = (text: string) => committed({ form: 'snapshot', sections: [{ name: 'tools:ptc-plus-rewrite-info', text }] })
  const real = () => saying(next(lost)[0]!.at(-1)!.split('\n\n')[1]!)
  it('is not said twice, but again once the model does not see it any more', () => {
    expect(brief([...lost, real()])).to.deep.equal([])
    expect(brief([...lost, real()], { hidden: [3] })).to.deep.equal(['snapshot rewrite-info'])
    expect(brief([...lost, saying('something else')])).to.deep.equal(['snapshot rewrite-info'])
  })

  it('is taken back once it does not hold, and once only', () => {
    const later = [...lost, real(), message('d', raw), call('d', raw), result('d', 5, { ...record(done), ...rewrites('reads a') })]
    expect(brief(later)).to.deep.equal(['snapshot'])
    expect(brief([...later, committed({ form: 'snapshot', sections: [] })])).to.deep.equal([])
    expect(brief([...lost, real()], { off: true })).to.deep.equal(['snapshot'])
  })

  it('is the catalog of what every cell has, taken back when it is empty', () => {
    expect(next([], { catalog: 'a(): void' })).to.deep.equal([['catalog', 'user-binding-defaults', 'a(): void']])
    const said = committed({ form: 'catalog', sections: [{ name: 'tools:ptc-plus-user-binding-defaults', text: 'a(): void' }] })
    expect(brief([said], { catalog: 'a(): void' })).to.deep.equal([])
    expect(brief([said], { catalog: 'b(): void' })).to.deep.equal(['catalog user-binding-defaults'])
    expect(brief([said])).to.deep.equal(['catalog'])
  })

  it('is that results about the host\'s graph are old, until it was looked at again', () => {
    const inspect = (parent: string, id: string, isError: boolean): Event[] =>
      [dispatch(parent, id), dispatch(parent, id, true)].map((event) => ({ ...event, data: { ...event.data as object, name: 'cordis_inspect_list', isError } }))
    const before = [message('a', raw), call('a', raw), ...inspect('a', 'a:code:1', false), result('a', 1, record(done))]
    const again = (isError: boolean) => [...before, message('b', raw), call('b', raw), ...inspect('b', 'b:code:1', isError), result('b', 6, record(done))]
    const began = before.length
    expect(brief(before, { began: 0 }), 'the same life').to.deep.equal([])
    expect(brief(before, { began })).to.deep.equal(['snapshot cordis-recovery'])
    expect(brief(again(true), { began })).to.deep.equal(['snapshot cordis-recovery'])
    expect(brief(again(false), { began })).to.deep.equal([])
  })

  it('is a tip with its number over all tips of the log, seen or not', () => {
    const failing = [message('c', raw), call('c', raw), result('c', 1, record(repeated))]
    const tip = (ordinal: number) => committed({ form: 'notice', sections: [{ name: `tools:ptc-plus-tip/repeated-binding-failure/${ordinal}`, text: 'x' }] })
    expect(brief(failing)).to.deep.equal(['notice tip/repeated-binding-failure/1'])
    const later = [...failing, step, tip(1), step, step, step, message('d', raw), call('d', raw), result('d', 9, record(repeated))]
    expect(brief(later, { hidden: [4] })).to.deep.equal(['notice tip/repeated-binding-failure/2'])
    expect(brief([...failing, step, tip(1), step, message('d', raw), call('d', raw), result('d', 7, record(repeated))])).to.deep.equal([])
    expect(brief(failing, { off: true })).to.deep.equal([])
  })
})

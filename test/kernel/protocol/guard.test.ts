// W1: what a worker may say, rebuilt; and what is refused. One hostile message a row.
import { expect } from 'chai'
import { parseFromHelper, parseFromWorker } from '../../../plugins/kernel/protocol/guard.ts'

const envelope = { codec: 'ptc-value-graph/v1', root: 1, nodes: [] }
const done = { type: 'done', cell: 1, isFenced: true, completion: { kind: 'return', hasValue: true, value: envelope }, settles: [1, 0], wakes: [{ timer: 0, settle: 2 }], ambient: [['Date.now', 5]] }

const accepted: readonly (readonly [name: string, message: object])[] = [
  ['ready', { type: 'ready' }],
  ['call', { type: 'call', cell: 1, call: 0, global: 'notes', member: '__proto__', args: envelope }],
  ['output', { type: 'output', cell: 1, channel: 'stderr', text: 'x' }],
  ['volatile', { type: 'volatile', cell: 1, reason: 'fetch' }],
  ['done with a value', done],
  ['done without', { ...done, completion: { kind: 'return', hasValue: false } }],
  ['done with a withheld value', { ...done, completion: { kind: 'return', hasValue: false, withheld: 'a function' } }],
  ['done by a throw', { ...done, completion: { kind: 'throw', error: { kind: 'exception', name: 'Error', message: 'm' }, at: { cell: 1, line: 2, column: 3 } } }],
  ['done by an error of the kernel', { ...done, completion: { kind: 'throw', error: { kind: 'exception', message: 'm' }, origin: 'lease' } }],
  ['done diverged', { ...done, divergence: 'the replay called' }],
  ['completed', { type: 'completed', id: 4, names: [{ name: 'a', kind: 'number' }] }],
]

const refused: readonly (readonly [name: string, message: unknown])[] = [
  ['nothing', null], ['a list', []], ['a text', 'ready'], ['no type', {}],
  ['an unknown type', { type: 'exit' }],
  ['a type that is a property of every object', { type: 'constructor' }],
  ['a negative cell', { ...done, cell: -1 }], ['a cell that is no integer', { ...done, cell: 1.5 }], ['a cell as text', { ...done, cell: '1' }],
  ['settles that are no list', { ...done, settles: { 0: 1, length: 1 } }],
  ['a wake without a timer', { ...done, wakes: [{ settle: 0 }] }],
  ['an ambient read that is no pair', { ...done, ambient: [['a']] }],
  ['a kind of failure that only the host may claim', { ...done, completion: { kind: 'throw', error: { kind: 'timeout', message: '' } } }],
  ['an origin that there is not', { ...done, completion: { kind: 'throw', error: { kind: 'exception', message: 'm' }, origin: 'host' } }],
  ['a completion of no kind', { ...done, completion: { kind: 'break' } }],
  ['a value that is no envelope', { ...done, completion: { kind: 'return', hasValue: true, value: 5 } }],
  ['arguments without nodes', { type: 'call', cell: 1, call: 0, global: 'a', member: 'b', args: { codec: 'x', root: 1 } }],
  ['output that is no text', { type: 'output', cell: 1, channel: 'stdout', text: 5 }],
]

describe('W1 messages of a worker', () => {
  for (const [name, message] of accepted) {
    it(`takes ${name}, as a fresh object`, () => {
      const rebuilt = parseFromWorker(message)
      expect(rebuilt).to.deep.equal(message)
      expect(rebuilt).not.to.equal(message)
    })
  }
  for (const [name, message] of refused) {
    it(`refuses ${name}`, () => expect(parseFromWorker(message)).to.have.property('refused'))
  }

  it('drops what it does not know', () => {
    expect(parseFromWorker(JSON.parse('{"type":"ready","extra":1,"__proto__":{"polluted":true}}'))).to.deep.equal({ type: 'ready' })
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined)
  })

  it('reads an unknown channel as stdout and keeps a reason short and on one line', () => {
    expect(parseFromWorker({ type: 'output', cell: 1, channel: 'diagnostic', text: 'x' })).to.include({ channel: 'stdout' })
    expect(parseFromWorker({ type: 'volatile', cell: 1, reason: `a\nb${'c'.repeat(500)}` })).to.have.property('reason').that.matches(/^a bc+$/).and.has.length(200)
  })
})

const rejected = {
  type: 'rejected', cell: 1, rejection: {
    kind: 'rejected', error: { name: 'SyntaxError', message: 'm' },
    diagnostic: { code: 'PTC-C001', severity: 'error', phase: 'parse', message: 'm', stateEffect: 'unchanged', source: { cell: 'current', start: { line: 1, column: 1 } } },
  },
}
const ofHelper: readonly (readonly [name: string, message: unknown, taken: boolean])[] = [
  ['a rejection', rejected, true], ['a figure', { type: 'sampled', id: 1, activeMs: 2.5 }, true], ['an overflow', { type: 'overflow', cell: 1 }, true],
  ['a start', { type: 'started', cell: 1, activeMs: 0.5 }, true], ['a start without a figure', { type: 'started', cell: 1 }, false],
  ['an end', { type: 'worker-ended', reason: 'r' }, true], ['a directory', { type: 'entered', id: 1 }, true],
  ['a repair', { ...rejected, rejection: { ...rejected.rejection, repair: { anchor: 'f(', suffix: ')' } } }, true],
  ['no repair', { ...rejected, rejection: { ...rejected.rejection, repair: { anchor: '', suffix: ')' } } }, false],
  ['more than a repair', { ...rejected, rejection: { ...rejected.rejection, repair: { anchor: 'f(', suffix: 'x' } } }, false],
  ['an edit', { type: 'edited', id: 1, edited: { source: 's' } }, true], ['a refused edit', { type: 'edited', id: 1, edited: { refused: 'r' } }, true],
  ['an edit of nothing', { type: 'edited', id: 1, edited: {} }, false], ['no edit', { type: 'edited', id: 1 }, false],
  ['an end without a reason', { type: 'worker-ended' }, false], ['a figure that is none', { type: 'sampled', id: 1, activeMs: null }, false],
  ['a rejection that claims to have run', { ...rejected, rejection: { ...rejected.rejection, diagnostic: { ...rejected.rejection.diagnostic, stateEffect: 'unknown' } } }, false],
  ['a message of a worker', { type: 'ready' }, false], ['nothing', null, false],
]

describe('W1 messages of a helper', () => {
  for (const [name, message, taken] of ofHelper) {
    it(`${taken ? 'takes' : 'refuses'} ${name}`, () => {
      const rebuilt = parseFromHelper(message)
      if (taken) expect(rebuilt).to.deep.equal(message)
      else expect(rebuilt).to.have.property('refused')
    })
  }
})

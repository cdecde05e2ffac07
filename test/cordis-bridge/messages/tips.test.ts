// When a tip is due, by the log alone.
import { expect } from 'chai'
import type { GivenTip } from '../../../plugins/cordis-bridge/messages/deliveries.ts'
import { failureOf, tipFor, type TipSettings } from '../../../plugins/cordis-bridge/messages/tips.ts'
import { SessionLog, type LoggedCell } from '../../../plugins/cordis-bridge/session/log.ts'
import { call, code, record, result, sessionOf } from '../events.ts'

const failed = { completion: { kind: 'throw', error: { kind: 'exception', message: 'no' } }, diagnostics: [] as object[] }
const repeated = { ...failed, diagnostics: [{ code: 'PTC-X001', message: 'ReferenceError: a is not defined' }, { code: 'PTC-W001', cause: { code: 'PTC-LOCAL', message: 'ReferenceError: a is not defined' } }] }
const missing = { ...failed, diagnostics: [{ code: 'PTC-X001', message: 'Error: spawn rg ENOENT' }] }
const fine = { completion: { kind: 'return', hasValue: false }, diagnostics: [] }

/** Cells with these records; the call of the n-th is event 2n. */
const cellsWith = (...records: unknown[]): LoggedCell[] =>
  new SessionLog(sessionOf(records.flatMap((one, n) => [call(`c${n}`, code('1')), result(`c${n}`, 2 * n, record(one))]))).cells()
const given = (step: number, ordinal = 1, trigger = 'repeated-binding-failure', seq = 0): GivenTip => ({ trigger, ordinal, step, seq })
const settings: TipSettings = { tipsEnabled: true, tipCooldownMessages: 3, tipEscalationFailures: 2 }

describe('a tip', () => {
  const CASES: Readonly<Record<string, readonly [step: number, records: readonly unknown[], given: readonly GivenTip[], due: readonly [string, number, boolean] | null, settings?: Partial<TipSettings>]>> = {
    'comes with the first failure of its kind': [5, [repeated], [], ['repeated-binding-failure', 1, false]],
    // Contract 9: cooldown 3, tip at step 5.
    'does not come again at step 7': [7, [repeated, repeated], [given(5)], null],
    'comes again at step 8, with the next ordinal': [8, [repeated, repeated], [given(5)], ['repeated-binding-failure', 2, false]],
    'does not come when tips are switched off': [8, [repeated], [], null, { tipsEnabled: false }],
    'waits for tips of the other kind as well': [7, [missing], [given(5)], null],
    'counts ordinals by kind': [8, [missing], [given(5, 7)], ['platform-command-failure', 1, false]],
    'takes the ordinal after the highest': [30, [repeated], [given(5, 4), given(9, 2)], ['repeated-binding-failure', 5, true]],
    'is detailed after so many that did not help': [20, [repeated, repeated], [given(5), given(9, 2)], ['repeated-binding-failure', 3, true]],
    'is short again after a success': [20, [fine, repeated], [given(5, 1), given(9, 2)], ['repeated-binding-failure', 3, false]],
    'is not held by a shorter cooldown': [6, [repeated], [given(5)], ['repeated-binding-failure', 2, false], { tipCooldownMessages: 1 }],
    'is about the last cell only': [5, [repeated, fine], [], null],
    'is not about a failure that was told already': [20, [repeated], [given(5, 1, 'repeated-binding-failure', 9)], null],
    'is not about a cell without a record': [5, [undefined], [], null],
    'is not about an ordinary failure': [5, [{ ...failed, diagnostics: [{ code: 'PTC-X001', message: 'Error: no' }] }], [], null],
  }
  for (const [title, [step, records, before, due, changed]] of Object.entries(CASES)) {
    it(title, () => {
      const tip = tipFor(step, cellsWith(...records), before, { ...settings, ...changed })
      expect(tip === undefined ? null : [tip.trigger, tip.ordinal, tip.isDetailed]).to.deep.equal(due)
    })
  }

  const thrown = (message: string, more: object = {}) => ({ ...failed, diagnostics: [{ code: 'PTC-X001', message, ...more }] })
  const PLATFORM: readonly (readonly [what: string, record: object, is: boolean])[] = [
    ['a program that is not there', thrown('Error: spawn rg ENOENT'), true],
    ['by its cause', thrown('Error: it failed', { cause: { code: 'EACCES', message: 'spawnSync /bin/x' } }), true],
    ['a shell that knows no such command', thrown('Error: /bin/sh: 1: rg: not found'), true],
    ['a shell that says so on a later line', { ...thrown('Error: Command failed'), completion: { kind: 'throw', error: { kind: 'exception', message: 'Command failed: rg\nbash: line 1: rg: command not found' } } }, true],
    ['another system\'s words', thrown('Error: \'rg\' is not recognized as an internal or external command'), true],
    ['a path in the way', thrown('Error: ENOTDIR: not a directory, bad path'), true],
    ['a file that is not there', thrown('Error: ENOENT: no such file, open \'/a\''), false],
    ['a command that failed', thrown('Error: Command failed with exit code 2: exec rg'), false],
    ['a thing that was not found', thrown('Error: user: not found'), false],
    ['a limit', { ...failed, diagnostics: [{ code: 'PTC-X002', message: 'spawn rg ENOENT' }] }, false],
  ]
  for (const [what, one, is] of PLATFORM) it(`takes for a problem of the platform, or not: ${what}`, () => { expect(failureOf(cellsWith(one)[0]!)?.trigger === 'platform-command-failure').to.equal(is) })

  it('tells names from members', () => {
    const member = { ...failed, diagnostics: [{ code: 'PTC-W001', cause: { code: 'PTC-CAPABILITY', message: 'x' } }] }
    expect([repeated, member].map((one) => failureOf(cellsWith(one)[0]!)?.about)).to.deep.equal(['names', 'members'])
  })

  it('takes anything for a record', () => {
    for (const one of [null, 3, { diagnostics: 3 }, { diagnostics: [null, { code: 'PTC-W001' }, { code: 'PTC-X001', message: 3, cause: 4 }], completion: 5 }]) {
      expect(() => tipFor(1, cellsWith(one), [], settings)).not.to.throw()
    }
  })
})

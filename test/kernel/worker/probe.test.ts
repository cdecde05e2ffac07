// The startup probe: a realm that does not run cells as it should gets none (contract 1.7).
import { expect } from 'chai'
import { compileProbe } from '../../../plugins/kernel/worker/probe/cells.ts'
import { PROBE_GLOBAL, probe, type ProbeCells, type ProbeOutcome, type ProbeRunner } from '../../../plugins/kernel/worker/probe/conformance.ts'
import { watchProbe } from '../../../plugins/kernel/worker/probe/watch.ts'

const given = () => (globalThis as Record<string, unknown>)[PROBE_GLOBAL]

/** A realm as the probe wants it. */
const sound: ProbeRunner = async (_cells, name): Promise<ProbeOutcome> => {
  switch (name) {
    case 'receiver': return { value: true }
    case 'await': return { value: (given() as number) + 1 }
    case 'import': return { value: 'function' }
    case 'throw': case 'reject': return { thrown: given() }
    case 'promise': return { value: given() }
    case 'completion': return { value: (given() as number) * 2 }
    case 'nothing': return 'nothing'
  }
}

const breaking = (cell: string, outcome: () => ProbeOutcome): ProbeRunner => async (cells, name) => name === cell ? outcome() : sound(cells, name)

const broken: readonly (readonly [what: string, run: ProbeRunner, cell: string])[] = [
  ['the receiver is not the global object', breaking('receiver', () => ({ value: false })), 'receiver'],
  ['await answers the promise', breaking('await', () => ({ value: Promise.resolve(21) })), 'await'],
  ['import() rejects', breaking('import', () => ({ thrown: new Error('no loader') })), 'import'],
  ['a thrown value is wrapped', breaking('throw', () => ({ thrown: new Error(String(given())) })), 'throw'],
  ['a thrown null is swallowed', breaking('throw', () => given() === null ? 'nothing' : { thrown: given() }), 'throw'],
  ['a rejection is a value', breaking('reject', () => ({ value: given() })), 'reject'],
  ['0 becomes false', breaking('reject', () => ({ thrown: given() === 0 ? false : given() })), 'reject'],
  ['a returned promise is not awaited', breaking('promise', () => ({ value: Promise.resolve(given()) })), 'promise'],
  ['the last expression has no value', breaking('completion', () => 'nothing'), 'completion'],
  ['a statement has one', breaking('nothing', () => ({ value: undefined })), 'nothing'],
]

describe('the startup probe', () => {
  const cells = compileProbe() as ProbeCells

  it('is compiled, and a sound realm passes', async () => {
    expect(cells).not.to.have.property('failure')
    expect(await probe(cells, sound)).to.equal(undefined)
    expect(PROBE_GLOBAL in globalThis).to.equal(false)
  })

  for (const [what, run, cell] of broken) {
    it(`fails when ${what}`, async () => {
      expect(await probe(cells, run)).to.match(new RegExp(`^"${cell}" given`, 'u'))
      expect(PROBE_GLOBAL in globalThis).to.equal(false)
    })
  }


  it('that does not end is given up, one that fails is said, one that passes is left alone', async () => {
    const stuck = await new Promise<string>((resolve) => { watchProbe(5, resolve)({ type: 'probing' }) })
    expect(stuck).to.equal('the startup probe of the worker did not end within 5 ms')
    const failures: string[] = []
    const watch = watchProbe(60_000, (reason) => { failures.push(reason) })
    watch({ type: 'probing' }); watch({ type: 'probed' })
    expect(failures).to.deep.equal([])
    watch({ type: 'probing' }); watch({ type: 'probed', failure: 'odd' })
    expect(failures).to.deep.equal(['the worker failed its startup probe: odd'])
  })
})

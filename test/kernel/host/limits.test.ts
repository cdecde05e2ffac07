// The limits of the kernel: their defaults, their ranges, and who may set them (contract 1.6; K2).
import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { KernelError } from '../../../plugins/kernel/errors.ts'
import { cellLimits, DEFAULT_LIMITS, withLimits, workerLimits } from '../../../plugins/kernel/host/limits.ts'
import { Config } from '../../../plugins/kernel/index.ts'

const refusal = (work: () => unknown) => {
  try { work() } catch (error) { if (error instanceof KernelError) return error.message }
  return 'nothing was refused'
}

/** A limit's name, a value that it can not have, and what the message says of it. */
const refused: readonly (readonly [name: string, value: unknown, message: RegExp])[] = [
  ['computeMs', 0, /computeMs.*at least 1, not 0/], ['computeMs', -1, /not -1/], ['computeMs', 1.5, /not 1\.5/], ['computeMs', '5', /not 5/],
  ['computeMs', Number.NaN, /not NaN/], ['computeMs', Infinity, /not Infinity/], ['computeMs', null, /not null/], ['computeMs', {}, /integer/],
  ['maxWallMs', 2_147_483_648, /at most 2147483647/],
  ['sampleBoundMs', 0, /at least 1/], ['sampleBoundMs', 2_147_483_648, /at most 2147483647/],
  ['unmeasuredCellLimit', 0, /at least 1/],
  ['workerReclaimMs', 999, /at least 1000, not 999/], ['workerReclaimMs', 2_147_483_648, /at most/],
  ['startupProbeMs', 0, /at least 1/], ['startupProbeMs', 2_147_483_648, /at most/],
  ['nonsense', 1, /there is no such limit/], ['__proto__', 1, /there is no such limit/], ['constructor', 1, /there is no such limit/],
]

describe('limits', () => {
  for (const [name, value, message] of refused) {
    it(`${name} can not be ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`, () => {
      expect(refusal(() => withLimits(DEFAULT_LIMITS, Object.fromEntries([[name, value]])))).to.match(message)
    })
  }

  it('take their least value', () => {
    expect(withLimits(DEFAULT_LIMITS, { workerReclaimMs: 1_000, sampleBoundMs: 1, unmeasuredCellLimit: 1, startupProbeMs: 1 }))
      .to.deep.include({ workerReclaimMs: 1_000, sampleBoundMs: 1, unmeasuredCellLimit: 1, startupProbeMs: 1 })
  })

  it('of a worker are refused for a cell instead of being ignored', () => {
    for (const name of Object.keys(workerLimits(DEFAULT_LIMITS))) {
      expect(refusal(() => cellLimits(DEFAULT_LIMITS, { [name]: 5_000 })), name).to.match(/when the session is opened/)
    }
  })

  it('K2 are a copy: what the caller does to its own afterwards changes nothing', () => {
    const own = { sampleBoundMs: 10 }
    const snapshot = cellLimits(DEFAULT_LIMITS, own)
    own.sampleBoundMs = 20
    expect([snapshot.sampleBoundMs, DEFAULT_LIMITS.sampleBoundMs]).to.deep.equal([10, 1_000])
  })

  it('are all settings of the plugin, with the same defaults, and rows of the page', () => {
    const page = readFileSync(fileURLToPath(new URL('../../../docs/reference/limits.md', import.meta.url)), 'utf8')
    const settings = new Config({}) as Record<string, unknown>
    for (const [name, value] of Object.entries(DEFAULT_LIMITS)) {
      expect(settings[name], name).to.equal(value)
      expect(page, name).to.match(new RegExp(`^\\| \`${name}\` \\| ${value.toLocaleString('en')}[ |]`, 'mu'))
    }
  })
})

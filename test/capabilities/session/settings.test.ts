// Settings and their documents from untrusted hands: what is refused, and what may be left away.
import { expect } from 'chai'
import { CapabilityError } from '../../../plugins/capabilities/index.ts'
import { DEFAULT_POLICY } from '../../../plugins/capabilities/session/documents.ts'
import { DEFAULT_SETTINGS, MAX_PROFILES, parseSettings, PROFILES_SCHEMA } from '../../../plugins/capabilities/session/settings.ts'

const profiles = (...names: readonly unknown[]) => ({ profiles: { schema: PROFILES_SCHEMA, profiles: names.map(name => ({ name })) } })
const REFUSED: readonly object[] = [
  { managementEnabled: 1 }, { baseline: 'notes' }, { baseline: [1] }, { budgetBytes: 0 }, { budgetBytes: 1.5 }, { directoryBytes: 511 }, { other: 1 },
  { policy: null }, { policy: {} }, { policy: { schema: 'ptc-capability-policy/v2' } }, { policy: { ...DEFAULT_POLICY, extra: 1 } },
  { policy: { ...DEFAULT_POLICY, default: { availability: 'maybe' } } }, { policy: { ...DEFAULT_POLICY, namespaces: { notes: { disclosure: 'toString' } } } },
  { policy: { ...DEFAULT_POLICY, members: [] } }, { policy: { ...DEFAULT_POLICY, servers: { git: { other: 1 } } } }, { policy: { ...DEFAULT_POLICY, allocation: { budget: 'yes' } } },
  { profiles: null }, { profiles: { schema: 'ptc-capability-profiles/v2', profiles: [] } }, { profiles: { schema: PROFILES_SCHEMA, profiles: {} } },
  profiles(''), profiles(7), profiles('x'.repeat(65)), profiles('a', 'a'), profiles(...Array.from({ length: MAX_PROFILES + 1 }, (_, i) => `${i}`)),
  { profiles: { schema: PROFILES_SCHEMA, profiles: [{ name: 'a', managementEnabled: true }] } }, { profiles: { schema: PROFILES_SCHEMA, profiles: [{ name: 'a', budgetBytes: 0 }] } },
  { statistics: null }, { statistics: { enabled: 1 } }, { statistics: { other: 1 } }, { statistics: { windowSize: 0 } }, { statistics: { windowSize: 10_001 } },
  { statistics: { windowSize: 9 } }, { statistics: { minimumSamples: 0 } }, { statistics: { minimumSamples: 101 } }, { statistics: { minimumSamples: 1.5 } },
  { statistics: { fullThreshold: 0 } }, { statistics: { fullThreshold: 1.1 } }, { statistics: { fullThreshold: NaN } }, { policy: { ...DEFAULT_POLICY, allocation: { statistics: 1 } } },
  { profile: 'nobody' }, { profile: 7 }, { profile: undefined },
]

describe('settings of capability management', () => {
  for (const bad of REFUSED) {
    it(`refuses ${JSON.stringify(bad).slice(0, 100)}`, () => {
      expect(() => parseSettings({ ...DEFAULT_SETTINGS, ...bad })).to.throw(CapabilityError).with.property('code', 'bad-document')
    })
  }

  it('a document may leave away what it does not decide', () => {
    expect(parseSettings({ ...DEFAULT_SETTINGS, policy: { schema: DEFAULT_POLICY.schema } })).to.deep.equal(DEFAULT_SETTINGS)
    expect(parseSettings({ ...DEFAULT_SETTINGS, statistics: { enabled: true } }).statistics, 'contract 4.3')
      .to.deep.equal({ enabled: true, windowSize: 100, minimumSamples: 10, fullThreshold: 0.5 })
    const { managementEnabled: _m, statistics: _st, profiles: _ps, profile: _p, ...allocation } = DEFAULT_SETTINGS
    expect(parseSettings({ ...DEFAULT_SETTINGS, ...profiles('a'), profile: 'a' }).profiles.profiles).to.deep.equal([{ name: 'a', ...allocation }])
    expect(parseSettings({ ...DEFAULT_SETTINGS, ...profiles(...Array.from({ length: MAX_PROFILES }, (_, i) => `${i}`)) }).profiles.profiles).to.have.length(MAX_PROFILES)
  })
})

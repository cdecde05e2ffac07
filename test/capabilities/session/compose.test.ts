// Which members are declared, named or left to search: rules, baseline, budgets and statistics, row by row.
import { expect } from 'chai'
import { compose } from '../../../plugins/capabilities/session/compose.ts'
import { DEFAULT_POLICY, NO_STATISTICS, parseStatistics, type Policy, type Statistics } from '../../../plugins/capabilities/session/documents.ts'
import { DEFAULT_SETTINGS, type PlanSettings } from '../../../plugins/capabilities/session/settings.ts'

/** Each declaration takes 100 bytes. */
const SYMBOLS = ['mail.read', 'mail.send', 'notes.add', 'notes.list', 'tools.mcp__git__log', 'tools.mcp__git__push', 'tools.sh']
const CANDIDATES = SYMBOLS.map((symbol) => {
  const [namespace = '', member = ''] = symbol.split('.')
  return { namespace, member, bytes: 100 }
})
const policy = (rules: Partial<Policy>): Policy => ({ ...DEFAULT_POLICY, ...rules })
const short = (symbols: readonly string[]): string => symbols.map(symbol => symbol.replace('tools.mcp__git__', 'git.')).join(' ')

const ROWS: readonly (readonly [title: string, settings: Partial<PlanSettings>, full: string, directory: string, search: string])[] = [
  ['everything fits', {}, 'mail.read mail.send notes.add notes.list git.log git.push tools.sh', '', ''],
  ['the budget is exact', { budgetBytes: 300 }, 'mail.read mail.send notes.add', 'notes.list git.log git.push tools.sh', ''],
  ['one byte less', { budgetBytes: 299 }, 'mail.read mail.send', 'notes.add notes.list git.log git.push tools.sh', ''],
  ['a baseline of members and namespaces', { budgetBytes: 300, baseline: ['notes', 'tools.sh'] }, 'notes.add notes.list tools.sh', 'mail.read mail.send git.log git.push', ''],
  ['a baseline that the policy does not use', { budgetBytes: 100, baseline: ['notes'], policy: policy({ allocation: { baseline: false, budget: true, statistics: false } }) },
    'mail.read', 'mail.send notes.add notes.list git.log git.push tools.sh', ''],
  ['no budget', { budgetBytes: 1, policy: policy({ allocation: { baseline: true, budget: false, statistics: false } }) }, 'mail.read mail.send notes.add notes.list git.log git.push tools.sh', '', ''],
  ['a disabled namespace', { policy: policy({ namespaces: { mail: { availability: 'disabled' } } }) }, 'notes.add notes.list git.log git.push tools.sh', '', ''],
  ['a disabled server with a tool that is not', { policy: policy({ servers: { git: { availability: 'disabled' } }, members: { 'tools.mcp__git__log': { availability: 'enabled' } } }) },
    'mail.read mail.send notes.add notes.list git.log tools.sh', '', ''],
  ['rules by field: a member is full in a namespace of names', { policy: policy({ namespaces: { mail: { disclosure: 'directory' } }, members: { 'mail.send': { disclosure: 'full' } } }) },
    'mail.send notes.add notes.list git.log git.push tools.sh', 'mail.read', ''],
  ['what a rule declares leaves less to share', { budgetBytes: 200, policy: policy({ members: { 'tools.sh': { disclosure: 'full' } } }) },
    'mail.read tools.sh', 'mail.send notes.add notes.list git.log git.push', ''],
  ['what a rule declares is declared without a budget', { budgetBytes: 1, policy: policy({ namespaces: { notes: { disclosure: 'full' } } }) },
    'notes.add notes.list', 'mail.read mail.send git.log git.push tools.sh', ''],
  ['only by search', { policy: policy({ default: { availability: 'enabled', disclosure: 'search' }, members: { 'notes.add': { disclosure: 'host' } } }) },
    'notes.add', '', 'mail.read mail.send notes.list git.log git.push tools.sh'],
  ['a profile counts instead of what is beside it', { budgetBytes: 1, profiles: { schema: 'ptc-capability-profiles/v1', profiles: [
    { name: 'other', baseline: [], policy: DEFAULT_POLICY, budgetBytes: 1, directoryBytes: 512 }, { name: 'notes', baseline: ['notes'], policy: DEFAULT_POLICY, budgetBytes: 200, directoryBytes: 512 },
  ] }, profile: 'notes' }, 'notes.add notes.list', 'mail.read mail.send git.log git.push tools.sh', ''],
  ['nothing by default', { policy: policy({ default: { availability: 'disabled', disclosure: 'host' }, namespaces: { notes: { availability: 'enabled' } } }) }, 'notes.add notes.list', '', ''],
]

/** Ten sessions: seven have called notes.list, six git.log, five mail.send, four notes.add, and one something that is gone. */
const CALLED: Statistics = parseStatistics({ schema: 'ptc-capability-statistics/v1', samples: Array.from({ length: 10 }, (_, i) => ({ session: `s${i}`, symbols: [
  ...i < 7 ? ['notes.list'] : [], ...i < 6 ? ['tools.mcp__git__log'] : [], ...i < 5 ? ['mail.send'] : [], ...i < 4 ? ['notes.add'] : [], ...i === 9 ? ['gone.away'] : ['tools.run_code'],
] })) })
const statistics = { ...DEFAULT_SETTINGS.statistics, enabled: true }
const counted = policy({ allocation: { baseline: true, budget: true, statistics: true } })
const ALL = 'mail.read mail.send notes.add notes.list git.log git.push tools.sh'

const BY_CALLS: typeof ROWS = [
  ['the most called are declared, the others named, whatever the budget has left', { statistics, policy: counted }, 'mail.send notes.list git.log', 'mail.read notes.add git.push tools.sh', ''],
  ['within the budget, the most called first', { statistics, policy: counted, budgetBytes: 200 }, 'notes.list git.log', 'mail.read mail.send notes.add git.push tools.sh', ''],
  ['without a budget', { statistics, policy: policy({ allocation: { baseline: true, budget: false, statistics: true } }), budgetBytes: 1 },
    'mail.send notes.list git.log', 'mail.read notes.add git.push tools.sh', ''],
  ['the baseline before them', { statistics, policy: counted, budgetBytes: 200, baseline: ['tools.sh'] }, 'notes.list tools.sh', 'mail.read mail.send notes.add git.log git.push', ''],
  ['a rule before them', { statistics, policy: { ...counted, members: { 'notes.list': { disclosure: 'search' }, 'tools.sh': { disclosure: 'full' }, 'mail.send': { availability: 'disabled' } } } },
    'git.log tools.sh', 'mail.read notes.add git.push', 'notes.list'],
  ['a higher threshold', { statistics: { ...statistics, fullThreshold: 0.7 }, policy: counted }, 'notes.list', 'mail.read mail.send notes.add git.log git.push tools.sh', ''],
  ['no member reaches it', { statistics: { ...statistics, fullThreshold: 1 }, policy: counted }, '', ALL, ''],
  ['the window: of the last five two have called notes.list', { statistics: { ...statistics, windowSize: 5, minimumSamples: 5, fullThreshold: 0.4 }, policy: counted }, 'notes.list', 'mail.read mail.send notes.add git.log git.push tools.sh', ''],
  ['a sample short of the minimum', { statistics: { ...statistics, minimumSamples: 11 }, policy: counted }, ALL, '', ''],
  ['not enabled', { policy: counted }, ALL, '', ''],
  ['not in the policy', { statistics }, ALL, '', ''],
  ['the policy of a profile', { statistics, profile: 'by calls', profiles: { schema: 'ptc-capability-profiles/v1', profiles: [{ name: 'by calls', baseline: [], policy: counted, budgetBytes: 100, directoryBytes: 512 }] } },
    'notes.list', 'mail.read mail.send notes.add git.log git.push tools.sh', ''],
]

describe('composition of a session', () => {
  for (const [title, settings, full, directory, search] of BY_CALLS) {
    it(`4.3 by statistics: ${title}`, () => {
      const all = { ...DEFAULT_SETTINGS, managementEnabled: true, ...settings }
      const composed = compose(CANDIDATES, all, CALLED)
      expect([composed.full, composed.directory, composed.search].map(symbols => short(symbols).split(' ').sort().join(' ')))
        .to.deep.equal([full, directory, search].map(symbols => symbols.split(' ').sort().join(' ')))
      expect(compose([...CANDIDATES].reverse(), all, CALLED), 'the order of registration does not count').to.deep.equal(composed)
    })
  }

  for (const [title, settings, full, directory, search] of ROWS) {
    it(title, () => {
      const all = { ...DEFAULT_SETTINGS, managementEnabled: true, ...settings }
      const composed = compose(CANDIDATES, all, NO_STATISTICS)
      expect([short(composed.full), short(composed.directory), short(composed.search)]).to.deep.equal([full, directory, search])
      expect(compose([...CANDIDATES].reverse(), all, NO_STATISTICS), 'the order of registration does not count').to.deep.equal(composed)
    })
  }

  it('names fill the directory up to its bytes', () => {
    const many = Array.from({ length: 100 }, (_, i) => ({ namespace: 'n', member: `${i}`.padStart(2, '0'), bytes: 100 }))
    const { full, directory, search } = compose(many, { ...DEFAULT_SETTINGS, managementEnabled: true, budgetBytes: 1, directoryBytes: 512 }, NO_STATISTICS)
    expect([full.length, directory.length, search.length]).to.deep.equal([0, 85, 15]) // 6 bytes a name
  })

  it('management off: nothing is composed', () => {
    expect(compose(CANDIDATES, DEFAULT_SETTINGS, NO_STATISTICS)).to.deep.equal({ managed: false, full: [], directory: [], search: [] })
  })
})

// The settings of capability management. They are read when a session is composed, and not again until it is refreshed.
import { CapabilityError } from '../errors.ts'
import { closed, DEFAULT_POLICY, MAX_SAMPLES, parsePolicy, parseTargets, type Policy } from './documents.ts'

export const PROFILES_SCHEMA = 'ptc-capability-profiles/v1'
export const MAX_PROFILES = 100
const MAX_PROFILE_NAME = 64

/** What decides how much a session is offered and told. */
export interface Allocation {
  /** Members that are declared before others: symbols, or namespaces. */
  readonly baseline: readonly string[]
  readonly policy: Policy
  /** Bytes of UTF-8 for declarations, at least 1. */
  readonly budgetBytes: number
  /** Bytes of UTF-8 for the names of members that are not declared, at least 512. */
  readonly directoryBytes: number
}

/** Named allocations, to switch between. At most 100, each with a name of its own of 1 to 64 characters. */
export interface Profiles {
  readonly schema: typeof PROFILES_SCHEMA
  readonly profiles: readonly (Allocation & { readonly name: string })[]
}

/** Whether and how what sessions call is collected, and when it decides about those that begin (`policy.allocation.statistics`). */
export interface StatisticsSettings {
  /** Off by default: nothing is collected, and what was is not looked at. */
  readonly enabled: boolean
  /** The sessions that count: so many, those that have called something last. 1 to 10,000. */
  readonly windowSize: number
  /** With fewer of them nothing is decided. 1 to `windowSize`. */
  readonly minimumSamples: number
  /** The share of them that have called a member, above 0 and at most 1, from which on it is declared in full. */
  readonly fullThreshold: number
}

export interface PlanSettings extends Allocation {
  /** Off by default: the surface is what is registered, and closures are kept but not applied. */
  readonly managementEnabled: boolean
  readonly statistics: StatisticsSettings
  readonly profiles: Profiles
  /** The profile that counts instead of the allocation beside it, by its name; null: none. */
  readonly profile: string | null
}

const DEFAULT_ALLOCATION: Allocation = { baseline: [], policy: DEFAULT_POLICY, budgetBytes: 16_384, directoryBytes: 2_048 }
export const DEFAULT_SETTINGS: PlanSettings = {
  ...DEFAULT_ALLOCATION, managementEnabled: false, statistics: { enabled: false, windowSize: 100, minimumSamples: 10, fullThreshold: 0.5 },
  profiles: { schema: PROFILES_SCHEMA, profiles: [] }, profile: null,
}

const refuse = (document: string, detail: string): never => { throw new CapabilityError('bad-document', document, detail) }

export function allocationOf({ profiles, profile, ...own }: PlanSettings): Allocation {
  return profiles.profiles.find(({ name }) => name === profile) ?? own
}

export function parseSettings(value: unknown): PlanSettings {
  const { managementEnabled, statistics, profiles, profile, ...allocation } = closed('the settings', value, Object.keys(DEFAULT_SETTINGS))
  if (typeof managementEnabled !== 'boolean') return refuse('the settings', 'managementEnabled is not true or false')
  const parsed = parseProfiles(profiles)
  const isKnown = profile === null || parsed.profiles.some(({ name }) => name === profile)
  if (!isKnown) return refuse('the settings', `there is no profile ${JSON.stringify(profile)}`)
  return {
    ...parseAllocation('the settings', allocation), managementEnabled, statistics: parseStatisticsSettings(statistics),
    profiles: parsed, profile: profile as string | null,
  }
}

function parseStatisticsSettings(value: unknown): StatisticsSettings {
  const { enabled, windowSize, minimumSamples, fullThreshold } = {
    ...DEFAULT_SETTINGS.statistics, ...closed('statistics', value, Object.keys(DEFAULT_SETTINGS.statistics)),
  } as Readonly<Record<keyof StatisticsSettings, unknown>>
  if (typeof enabled !== 'boolean') return refuse('statistics', 'enabled is not true or false')
  const isCount = (count: unknown, most: number): count is number => Number.isSafeInteger(count) && (count as number) >= 1 && (count as number) <= most
  if (!isCount(windowSize, MAX_SAMPLES)) return refuse('statistics', `windowSize is not a whole number of 1 to ${MAX_SAMPLES}`)
  if (!isCount(minimumSamples, windowSize)) return refuse('statistics', 'minimumSamples is not a whole number of 1 to windowSize')
  if (typeof fullThreshold !== 'number' || !(fullThreshold > 0 && fullThreshold <= 1)) return refuse('statistics', 'fullThreshold is not a number above 0 and at most 1')
  return { enabled, windowSize, minimumSamples, fullThreshold }
}

function parseProfiles(value: unknown): Profiles {
  const { schema, profiles } = closed('the profiles', value, ['schema', 'profiles'])
  if (schema !== PROFILES_SCHEMA) return refuse('the profiles', `their schema is not ${PROFILES_SCHEMA}`)
  if (!Array.isArray(profiles) || profiles.length > MAX_PROFILES) return refuse('the profiles', `they are not a list of at most ${MAX_PROFILES}`)
  const parsed = profiles.map((profile: unknown) => {
    const { name, ...allocation } = closed('a profile', profile, ['name', ...Object.keys(DEFAULT_ALLOCATION)])
    if (typeof name !== 'string' || name === '' || name.length > MAX_PROFILE_NAME) return refuse('a profile', `its name is not a text of 1 to ${MAX_PROFILE_NAME} characters`)
    return { name, ...parseAllocation(`the profile ${name}`, allocation) }
  })
  if (new Set(parsed.map(({ name }) => name)).size < parsed.length) return refuse('the profiles', 'two have one name')
  return { schema, profiles: parsed }
}

function parseAllocation(document: string, value: { readonly [field: string]: unknown }): Allocation {
  const { baseline, policy, budgetBytes, directoryBytes } = { ...DEFAULT_ALLOCATION, ...value }
  const atLeast = (name: string, bytes: unknown, least: number): number =>
    Number.isSafeInteger(bytes) && (bytes as number) >= least ? bytes as number : refuse(document, `${name} is not a whole number of at least ${least}`)
  return {
    baseline: parseTargets('the baseline', baseline), policy: parsePolicy(policy),
    budgetBytes: atLeast('budgetBytes', budgetBytes, 1), directoryBytes: atLeast('directoryBytes', directoryBytes, 512),
  }
}

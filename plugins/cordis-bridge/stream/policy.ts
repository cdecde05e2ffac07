// What a request was assembled with: whether its model calls `run_code` alone, and the settings that hold for its calls. A restart of
// the bridge changes settings for requests that come later (contract 7.3), so what was assembled is remembered beside the bridge.
//
// Owns: the policy of each turn's and each agent's last request. Does not own: agents, and settings.
import type { Agent, Assembly } from '../host/types.ts'
import { RUN_CODE } from '../session/log.ts'

export interface Tolerance {
  /** Tools that are called in the wrong place are called by a cell. */
  readonly canonicalizeToolCalls: boolean
  /** A cell needs no description. */
  readonly autoDescribeRunCode: boolean
}

export interface Policy extends Tolerance {
  readonly agent: Agent
  /** Programs are the only way to the agent's tools. */
  readonly isCodeOnly: boolean
}

/** By the signal of the turn that asks, and by the agent whose calls follow. */
const ofTurns = new WeakMap<AbortSignal, Policy>()
const ofAgents = new WeakMap<Agent, Policy>()
/** How an agent's tools are presented, as its first assembly has it: what is added to a composition later does not change that. */
const compositions = new WeakMap<Agent, boolean>()

/** Sections with which the host says so: empty where tools can be called natively as well. The first that is there counts. */
const CODE_ONLY = ['tools:ptc-only', 'tools:code-only'] as const

function isCodeOnly({ sections, tools }: Assembly): boolean {
  for (const name of CODE_ONLY) {
    const section = sections.find((candidate) => candidate.name === name)
    if (section !== undefined) return section.text !== ''
  }
  return tools.length === 1
}

/** Remembers a request of a turn. One without `run_code` has no policy. */
export function pin(agent: Agent, signal: AbortSignal, assembly: Assembly, { canonicalizeToolCalls, autoDescribeRunCode }: Tolerance): void {
  if (!assembly.tools.some(({ name }) => name === RUN_CODE)) return unpin(agent, signal)
  if (!compositions.has(agent)) compositions.set(agent, isCodeOnly(assembly))
  const policy: Policy = { agent, isCodeOnly: compositions.get(agent)!, canonicalizeToolCalls, autoDescribeRunCode }
  ofTurns.set(signal, policy)
  ofAgents.set(agent, policy)
}

export function unpin(agent: Agent, signal: AbortSignal): void {
  ofTurns.delete(signal)
  ofAgents.delete(agent)
}

/** The agent gets another composition. */
export const recompose = (agent: Agent): void => { compositions.delete(agent) }

export function policyOf(signal: AbortSignal | undefined, sessionId: string | undefined): Policy | undefined {
  const policy = signal && ofTurns.get(signal)
  return policy !== undefined && policy.agent.session.id === sessionId ? policy : undefined
}

/** What the agent's last request was assembled with, and so what holds for the calls that came of it. */
export const lastPolicyOf = (agent: Agent | undefined): Policy | undefined => agent && ofAgents.get(agent)

// The contract of what programs may call: members with their declared shape, how a call reaches them, and what a
// program can read about them. Types only.
import type { PlanSettings } from './session/settings.ts'
import type { Environment, Statistics } from './session/documents.ts'

export type { Allocation, PlanSettings, Profiles, StatisticsSettings } from './session/settings.ts'
export type * from './session/documents.ts'

/** A JSON Schema document (draft 2020-12 vocabulary; only the parts that describe data are read). */
export type JsonSchema = { readonly [key: string]: unknown }

/**
 * What a replay does with a call of this member. `recorded-value`: the recorded answer stands for the call.
 * `owner-replay`: the owner may be asked again. `volatile`: a cell that calls it can not be replayed.
 */
export type ReplayKind = 'recorded-value' | 'owner-replay' | 'volatile' | 'unknown'
export type EffectKind = 'none' | 'read' | 'write' | 'external' | 'unknown'
export type Completeness = 'complete' | 'bounded' | 'incremental' | 'open-world' | 'unknown'

/** What a member learns about the call that it answers. */
export interface CallContext {
  readonly session: string
  /** Aborts when the cell ends, is interrupted or runs out of budget. */
  readonly signal: AbortSignal
  /** The cell's current directory, absolute. */
  readonly cwd: string
}

/**
 * One callable of a namespace. A program calls it with at most one argument. Arguments, answers and thrown errors are
 * plain data on the way (PTC Value V1): an error arrives in the program with its name and message.
 */
export interface Member {
  readonly description?: string
  /** Schema of the argument, which is held to it before `call` hears of it. Absent: the member takes none, and nothing is checked. */
  readonly parameters?: JsonSchema
  /** Schema of the answer. */
  readonly returns?: JsonSchema
  /** Stated by every owner, because a replay depends on it. */
  readonly replay: ReplayKind
  readonly effect?: EffectKind
  readonly completeness?: Completeness
  /** Default: those of the namespace. */
  readonly sourceRef?: string
  readonly revision?: string
  call(args: unknown, context: CallContext): unknown
}

export type Members = { readonly [name: string]: Member }

/** What is said about a member that somebody else dispatches. */
export type Declarations = { readonly [name: string]: Omit<Member, 'call'> }

/** `memberNameProperty` of an error carries the name of the member that failed. */
export interface ErrorClass { readonly name: string, readonly memberNameProperty: string }

/** Who answers for a call: the plugin that registered the namespace, or the host's dispatch of its tools. */
export type Authority = 'ptc-plus-program-binding' | 'dsh-tool-dispatch'

export interface NamespaceOptions {
  /** Default: `ptc-plus-program-binding`. */
  readonly authority?: Authority
  /** The class of the errors that failed calls reject with. */
  readonly errorClass?: ErrorClass
  /** Where the members come from, for whoever reads a contract: a package, a server, a file. 1 to 1,000 characters, as `revision`. */
  readonly sourceRef?: string
  /** Which state of that source they are of: a version, a commit. */
  readonly revision?: string
}

/**
 * Namespaces that one request brings along, by name. They exist for its cell alone, and their arguments are their owner's to check. Of
 * `tools`, members whose schema admits `{}` can be called without an argument.
 */
export type RequestNamespaces = { readonly [name: string]: NamespaceOptions & { readonly members: Members } }

/** What a cell is told about a namespace: names only, plain data. */
export interface NamespaceView {
  readonly name: string
  /** Sorted. */
  readonly members: readonly string[]
  readonly errorClass?: ErrorClass & { readonly extends?: 'TypeError' }
  /** Members of `tools` for which `x()` means `x({})`: their schema admits it (contract 1.8). Sorted. */
  readonly emptyObjectMembers?: readonly string[]
  /** Owner namespaces can not be shadowed by a cell; `capabilities`, `code` and `repl` can. */
  readonly soft?: boolean
}

export interface MemberContract {
  readonly namespace: string
  readonly name: string
  readonly description?: string
  readonly parameters: JsonSchema | null
  readonly returns: JsonSchema | null
  readonly completeness: Completeness
  readonly effect: EffectKind
  readonly authority: Authority
  readonly replay: ReplayKind
  /** As registered; absent when their owner has not said. */
  readonly sourceRef?: string
  readonly revision?: string
}

/** A contract as the explorer shows it. */
export interface InspectedContract extends MemberContract {
  /** The same for the same contract, in any process and however its schemas are spelled; 64 hexadecimal digits. */
  readonly fingerprint: string
}

/** One row of `find`. */
export interface Finding extends Pick<MemberContract, 'description' | 'completeness' | 'effect' | 'replay'> {
  /** `namespace.member`. */
  readonly symbol: string
}

/** A match whose contract does not fit into a page, and what to ask `inspect` for instead. */
export interface OversizedContract {
  readonly symbol: string
  /** Size of the contract as JSON. */
  readonly bytes: number
  readonly inspect: { readonly symbols: readonly string[] }
}

/** One page of `search`. Complete contracts only; none is ever cut. */
export interface SearchPage {
  readonly matches: readonly InspectedContract[]
  readonly oversized: readonly OversizedContract[]
  /** Matches on all pages together. */
  readonly total: number
  /** Bytes of UTF-8 of this whole page as JSON, this number included. */
  readonly usedBytes: number
  readonly budgetBytes: number
  /** Continues this query over this catalog; null on the last page. */
  readonly nextCursor: string | null
}

export interface CapabilityTreeNode { readonly namespace: string, readonly members: readonly string[] }

export interface Inspection {
  readonly symbols: readonly InspectedContract[]
  readonly omitted: number
  readonly unknown: readonly string[]
  readonly budget: number
}

/** What one cell may call, and how a call of it reaches its owner. */
export interface CellPlan {
  /** The namespaces of a cell of this session that starts now, sorted by name. Without a session: whatever there is. */
  view(session?: string): NamespaceView[]
  /**
   * Answers one call. Resolves to the member's answer; rejects with what the member threw, with `CapabilityError` `unknown-member`,
   * `closed` or `bad-schema`, or with a TypeError whose code is `bad-argument` when the schema does not admit the argument. The target resolves to an own member of a known namespace or to nothing (C2).
   */
  dispatch(namespace: string, member: string, args: unknown, context: CallContext): Promise<unknown>
  /** The declared replay kind, or `unknown`. */
  replayOf(namespace: string, member: string): ReplayKind
  tree(session?: string): CapabilityTreeNode[]
  find(text: string, session?: string): Finding[]
  inspect(request?: { symbols?: readonly string[], budget?: number }, session?: string): Inspection
  search(request: { query: string, budgetBytes?: number, limit?: number, cursor?: string }, session?: string): SearchPage
}

/** `ctx.capabilityPlan`: as a plan, what every cell may call. */
export interface CapabilityService extends CellPlan {
  /**
   * Adds a namespace to what programs may call, for the lifetime of the calling fiber; the disposer takes it away
   * earlier. One call declares, explains and dispatches. Throws `CapabilityError`: `bad-name`, `taken`, `bad-member`.
   */
  register(namespace: string, members: Members, options?: NamespaceOptions): () => void
  /**
   * Shows and declares members that the kernel dispatches itself: its own namespaces (`code`, `repl`), and what it adds to `tools`,
   * which an owner may register as well. For the lifetime of the calling fiber, as `register`. Throws `CapabilityError` `taken`,
   * `bad-member`.
   */
  explain(namespace: string, members: Declarations, options?: NamespaceOptions): () => void
  /** The plan of one cell that has these namespaces beside the registered ones. Throws as `register` does. */
  forCell(namespaces: RequestNamespaces): CellPlan
  /** Whether this session may call the member, as far as its plan goes. Also for namespaces that the kernel dispatches. */
  allows(session: string, namespace: string, member: string): boolean
  /** Whether this session has given up a member that requests bring along: their namespaces are not composed. False while management is off. */
  isClosed(session: string, namespace: string, member: string): boolean
  /** Whether the session is shown the member: it may call it, and the step admits it. */
  shows(session: string, namespace: string, member: string): boolean
  /** TypeScript for the reader of a program: namespaces, their members, and the classes of their errors. Byte-stable. */
  declaration(session?: string): string
  /**
   * The plan of a session. `stored`: a document that an earlier process answered for it, which replaces what is known here. Throws
   * `CapabilityError` `bad-document`.
   */
  session(id: string, stored?: unknown): SessionCapabilities
  /** What sessions have called. */
  readonly statistics: CallStatistics
  /**
   * For who runs programs: a live cell of the session has called these members, each as `namespace.member`, and has got an answer or an
   * error. Is collected while the statistics are enabled; symbols that the session can not call are left out.
   */
  called(session: string, symbols: readonly string[]): void
  /** Drops the plan of a session that is over; its document may have been kept. */
  forget(id: string): void
  /** The settings that count now. */
  readonly settings: PlanSettings
  /** Settings of management for sessions that start, or are refreshed, from now on. Throws `CapabilityError` `bad-document`. */
  configure(settings: Partial<PlanSettings>): void
}

/** What one session is offered and what it has given up. Takes effect while management is on. */
export interface SessionCapabilities {
  /** Sorted. */
  readonly closures: readonly string[]
  /**
   * Takes a member (`notes.add`), a namespace (`notes`) or an MCP server (`mcp.github`) away from the session's programs, explorer and
   * declaration at once; a cell that is running gets `closed`. Throws `CapabilityError` `bad-target`.
   */
  close(target: string): void
  reopen(target: string): void
  /** Composes again, from today's members and settings. Closures stay. */
  refresh(): void
  /**
   * For hosts: the names of `tools` that the step which begins admits; null: nobody says. Until the next call, the declaration and the
   * explorer have no others of `tools`, but for `run_code` and `edit_run_code`; programs and dispatch are not asked. A step only ever
   * takes away: what the session is not offered, or has closed, stays away. No document holds it. Throws `CapabilityError` `bad-document`.
   */
  admit(tools: readonly string[] | null): void
  /** All of it, as plain JSON. */
  readonly document: Environment
}

/** Which members sessions call, collected while the setting `statistics.enabled` is on, for sessions that begin later. */
export interface CallStatistics {
  readonly isCollecting: boolean
  /** All of it, as plain JSON. */
  readonly document: Statistics
  /** Replaces all of it; what the window does not hold is dropped, the oldest first. Throws `CapabilityError` `bad-document`, and changes nothing then. */
  set(document: unknown): void
  reset(): void
}

// What one session may call and is told about: what it was composed of, less what it has given up, less what is not registered now.
//
// Owns: the closures and the composition of one session, and the surface made from them. Does not own: namespaces, settings.
// Crosses by: `allows` (dispatch, kernel), `surface` (program, explorer, declaration), `document` (whoever keeps it).
// Invariants:
//   S1  A closure counts at once, everywhere.
//   S2  A composition changes by `refresh` only. What is registered later is not offered, what is withdrawn is gone, and what comes
//       back is back.
//   S3  A session that was composed while management was off has the surface of everybody, until it is refreshed.
//   S4  What a step does not admit is neither declared nor shown in it. That lasts as long as the step, and no document holds it.
import { EXPLORER } from '../explorer/members.ts'
import type { SessionCapabilities } from '../types.ts'
import { isClosed, isTransport, parseTarget, parseTools } from './closures.ts'
import { ENVIRONMENT_SCHEMA, parseEnvironment, type Composition, type Environment } from './documents.ts'

const TOOLS = 'tools'

export interface SessionHost {
  /** The composition of a session that starts now. */
  compose(): Composition
  /** The document of the session has changed, and with it what its surface shows. */
  changed(): void
  /** The surface has changed, and nothing that is kept. */
  readmitted(): void
}

export class SessionPlan implements SessionCapabilities {
  private readonly host: SessionHost
  private readonly given = new Set<string>()
  private admitted: ReadonlySet<string> | undefined
  private frozen: { readonly composition: Composition, readonly offered: ReadonlySet<string> } | undefined

  constructor(host: SessionHost, stored?: unknown) {
    this.host = host
    if (stored === undefined) return
    const { closures, composition } = parseEnvironment(stored)
    for (const target of closures) this.given.add(target)
    if (composition) this.freeze(composition)
  }

  get closures(): readonly string[] { return [...this.given].sort() }

  close(target: string): void {
    this.given.add(parseTarget(target))
    this.host.changed() // S1
  }

  reopen(target: string): void {
    this.given.delete(parseTarget(target))
    this.host.changed()
  }

  refresh(): void {
    this.freeze(this.host.compose())
    this.host.changed()
  }

  admit(tools: readonly string[] | null): void {
    this.admitted = tools === null ? undefined : new Set(parseTools(tools))
    this.host.readmitted()
  }

  /** Whether it has a surface of its own. */
  get differs(): boolean { return this.composition.managed || this.admitted !== undefined }

  /** Whether the declaration and the explorer have it (S4). Of the namespaces, only `tools` are the host's to admit. */
  shows(namespace: string, member: string): boolean {
    const isAdmitted = this.admitted === undefined || namespace !== TOOLS || isTransport(`${namespace}.${member}`) || this.admitted.has(member)
    return isAdmitted && this.allows(namespace, member)
  }

  get document(): Environment {
    return { schema: ENVIRONMENT_SCHEMA, closures: this.closures, composition: this.frozen?.composition ?? null }
  }

  /** Composed when it is first asked for (S2). */
  get composition(): Composition {
    if (this.frozen === undefined) this.refresh()
    return this.frozen!.composition
  }

  allows(namespace: string, member: string): boolean {
    if (!this.composition.managed || isTransport(`${namespace}.${member}`)) return true // S3
    // The explorer is not composed: it is how a session finds what it was not told about.
    return (namespace === EXPLORER || this.frozen!.offered.has(`${namespace}.${member}`)) && !isClosed(this.given, namespace, member)
  }

  /** Whether the session has given the member up: for members that its requests bring along, which are not composed. */
  isClosed(namespace: string, member: string): boolean {
    return this.composition.managed && isClosed(this.given, namespace, member)
  }

  private freeze(composition: Composition): NonNullable<SessionPlan['frozen']> {
    return this.frozen = { composition, offered: new Set([...composition.full, ...composition.directory, ...composition.search]) }
  }
}

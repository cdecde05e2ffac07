// Keeps what sessions may call, and what they have called, beside their histories, so that both outlive the process. The plan itself
// stores nothing; the kernel is the one that has a session's history open, and with it the right to write there.
//
// Owns: which plans are kept, and what is known to be stored of them. Does not own: the plans (capabilities), the files (journal).
// Crosses by: events of the capability plan; `adopt`, `called` and `release` from sessions.
// Invariants:
//   D1  A plan is on disk before the call returns that changed it, or somebody has been told that it is not.
//   D2  A session that has begun is not composed again by a restart.
import type { Context } from 'cordis'
import type { CapabilityService, Environment } from '../../../capabilities/types.ts'
import type { Diagnostic, Documents, History, JournalService, RecordedCall } from '../../../journal/types.ts'
import { messageOf } from '../../errors.ts'
import { KeptDocument } from './document.ts'

interface KeptPlan { readonly document: KeptDocument, readonly documents: Documents }

export class KeptPlans {
  private readonly capabilities: CapabilityService
  private readonly journal: JournalService
  private readonly plans = new Map<string, KeptPlan>()
  private readonly statistics = new KeptDocument('capability-statistics')
  private readonly warn: (message: string) => void

  constructor(ctx: Context, capabilities: CapabilityService, journal: JournalService) {
    this.capabilities = capabilities
    this.journal = journal
    this.warn = message => { ctx.logger.warn(message) }
    ctx.on('capability-plan/session-changed', session => { this.save(session) })
    ctx.on('capability-plan/statistics-changed', () => { this.saveStatistics() })
  }

  /**
   * Gives a session that is being opened its plan back; `hasBegun`: it has had a cell. Answers what was wrong. Throws `JournalError` `io`
   * when the document can not be read.
   */
  adopt({ id, documents }: History, hasBegun: boolean): Diagnostic[] {
    this.readStatistics()
    if (documents === undefined) return []
    const { closures, composition } = this.capabilities.session(id).document
    const document = new KeptDocument('capability-environment')
    // What was closed before the session was opened stays closed.
    const give = (stored: Environment): void => {
      this.capabilities.session(id, stored)
      for (const target of closures) this.capabilities.session(id).close(target)
    }
    const damage = document.read(documents, stored => { give(stored as Environment) })
    // Only a plan that somebody has customized is stored; the others had the surface of everybody.
    const isUnmanaged = hasBegun && !document.isStored && damage === undefined && composition === null
    if (isUnmanaged) give({ schema: 'ptc-capability-environment/v5', closures, composition: { managed: false, full: [], directory: [], search: [] } }) // D2
    this.plans.set(id, { document, documents })
    if (damage === undefined) {
      this.save(id)
      return []
    }
    // At once: without a document the next process would take it for one that began unmanaged.
    this.capabilities.session(id).refresh()
    this.warn(`session ${id}: ${damagedText(damage)}`)
    return [damaged(damage)]
  }

  /** A live cell has ended. */
  called(session: string, calls: readonly RecordedCall[]): void {
    if (calls.length === 0 || !this.capabilities.statistics.isCollecting) return
    this.readStatistics()
    this.capabilities.called(session, calls.map(({ global, member }) => `${global}.${member}`))
  }

  /** The session closes. Its plan is dropped, because what is stored is what counts when it is opened again. */
  release(session: string): void {
    if (this.plans.has(session) && this.save(session)) this.capabilities.forget(session)
    this.plans.delete(session)
  }

  private save(session: string): boolean {
    const plan = this.plans.get(session)
    if (plan === undefined) return false
    const { document, documents } = plan
    const environment = this.capabilities.session(session).document
    const isCustomized = environment.closures.length > 0 || environment.composition?.managed === true
    if (!isCustomized && !document.isStored) return true
    return this.attempt(`what session ${session} may call`, () => { document.write(documents, environment) })
  }

  /** Other processes collect as well: what they have stored counts. */
  private readStatistics(): void {
    const documents = this.journal.documents()
    if (documents === undefined || !this.capabilities.statistics.isCollecting) return
    this.attempt('the statistics of calls', () => {
      const damage = this.statistics.read(documents, (stored) => { this.capabilities.statistics.set(stored) })
      if (damage !== undefined) this.warn(`the statistics of calls are collected anew: ${damage.reason}; the document is kept as ${damage.aside}`)
    })
  }

  private saveStatistics(): void {
    const documents = this.journal.documents()
    if (documents === undefined) return
    this.attempt('the statistics of calls', () => { this.statistics.write(documents, this.capabilities.statistics.document) })
  }

  /** Whether it worked. D1. */
  private attempt(what: string, work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      this.warn(`${what} could not be kept, so it may be different after a restart: ${messageOf(error)}`)
      return false
    }
  }
}

const damagedText = ({ reason, aside }: { readonly reason: string, readonly aside: string }): string =>
  `what the session may call was composed anew, and what was closed in it may be open: ${reason.replaceAll(/\s+/gu, ' ')}; the document is kept as ${aside}`

function damaged(damage: { readonly reason: string, readonly aside: string }): Diagnostic {
  return {
    code: 'PTC-P001', severity: 'warning', phase: 'recover', stateEffect: 'rolled-back', message: damagedText(damage),
    help: ['Close again what has to be closed. A document that was repaired counts when it has its old name again and the session is opened.'],
  }
}

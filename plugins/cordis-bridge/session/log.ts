// Reads the host's log of a session: which cells its model asked for, and what is written down about each. The log is untrusted
// input here; what does not hang together is distrusted, never thrown.
import type { HostSession, SessionEvent } from '../host/types.ts'
import { boundariesOf, derivedCallId, derivedOf, fieldsOf, rewritesOf, textOf, type Boundary, type Fields } from './evidence.ts'

export type { Boundary }

/** Keys of a settled result's private metadata. */
export const JOURNAL_KEY = 'dshPtcPlus'
export const BOUNDARIES_KEY = 'dshPtcPlusRecoveryBoundaries'
/** Only on the result of a session's first cell. */
export const LOCALITY_KEY = 'dshPtcPlusLocality'
/** Only on results of cells that could see other namespaces than the cell before. */
export const SURFACE_KEY = 'dshPtcPlusSurface'

export const RUN_CODE = 'run_code'

/** The time zone and the locale in which a session began. */
export interface Locality { readonly timeZone: string, readonly locale: string }

/** A call that a cell's program made, as the host logs it while it happens. */
export interface Dispatch { readonly id: string, readonly name: string, readonly args: unknown, settled: boolean, failed?: boolean }

/**
 * One `run_code` call of the log, of the model or of an edit. `seq` is its event's, and its identity: that of `tool/call`, or, of
 * the cell that an edit has made, that of the event with which the host logs a nested call.
 */
export interface LoggedCell {
  readonly seq: number
  readonly callId: string
  /** As the model wrote them. */
  readonly rawArguments: string
  readonly source: string
  readonly description?: string
  readonly dispatches: Dispatch[]
  settled: boolean
  /** The record of the result's metadata, unread; undefined when there is none. */
  record: unknown
  boundaries: readonly Boundary[]
  /** What was changed in it before it ran. */
  rewrites: readonly string[]
  locality?: Locality
  /** Unread; absent: that of the cell before. */
  surface?: unknown
  /** Why nothing that is said about it can be trusted. */
  distrust?: string
  /** Of the cell that an edit has made: the cell that edited, and, once that has settled, which one it edited. */
  readonly root?: LoggedCell
  editOf?: number
}

export const eventsOf = (session: HostSession): readonly SessionEvent[] => session.snapshotEvents?.() ?? session.events ?? []

function argumentsOf(raw: string): { source: string, description?: string } {
  try {
    const { code, description } = fieldsOf(JSON.parse(raw))
    return { source: textOf(code), ...typeof description === 'string' ? { description } : {} }
  } catch {
    return { source: '' }
  }
}

/** The call id that a result answers, by its message. */
function answeredId(data: Fields): string {
  const { source, content } = fieldsOf(data.message)
  const block = fieldsOf(Array.isArray(content) ? content[0] : undefined)
  return textOf(fieldsOf(source).callId ?? block.callId ?? block.id)
}

const isParseRejected = (record: unknown): boolean => {
  const { diagnostics } = fieldsOf(record)
  return Array.isArray(diagnostics) && diagnostics.some((diagnostic) => fieldsOf(diagnostic).phase === 'parse')
}

class Reading {
  readonly cells = new Map<number, LoggedCell>()
  /** Contract 3.6: what has settled last in the open turn. */
  editable: LoggedCell | undefined
  private readonly open = new Map<string, LoggedCell>()
  /** Results by their own event, for copies that take their place in the model's view. */
  private readonly results = new Map<number, LoggedCell>()
  private readonly dispatches = new Map<string, Dispatch>()

  step(event: SessionEvent): void {
    const data = fieldsOf(event.data)
    switch (event.type) {
      case 'turn/start': case 'turn/end': this.editable = undefined; return
      case 'tool/call': return this.call(event.seq, data)
      case 'tool/result': return this.result(event, data)
      case 'tool/code-dispatch-start': case 'tool/ptc-dispatch-start': return this.dispatch(event.seq, data)
      case 'tool/code-dispatch': case 'tool/ptc-dispatch': return this.dispatched(data)
    }
  }

  private call(seq: number, { name, callId, arguments: raw }: Fields): void {
    if (name !== RUN_CODE) return
    const cell: LoggedCell = {
      seq, callId: textOf(callId), rawArguments: textOf(raw), ...argumentsOf(textOf(raw)), dispatches: [], settled: false, record: undefined, boundaries: [], rewrites: [],
    }
    this.cells.set(seq, cell)
    this.open.set(cell.callId, cell)
  }

  private result({ seq, sourceEventSeqs = [], surfaceOp }: SessionEvent, data: Fields): void {
    const [cited] = sourceEventSeqs
    // A copy that replaces one result in the model's view says nothing new about what happened.
    if (typeof surfaceOp === 'object') {
      const replaced = surfaceOp.start === surfaceOp.end ? this.results.get(surfaceOp.start) : undefined
      if (replaced !== undefined) this.results.set(seq, replaced)
      return
    }
    const byId = this.open.get(answeredId(data))
    const cell = sourceEventSeqs.length === 1 && cited !== undefined ? this.cells.get(cited) : byId
    // What an edit has made has no result of its own.
    if (cell === undefined || cell.root !== undefined) return
    if (byId !== undefined && byId !== cell) byId.distrust ??= 'its result cites another call'
    if (cell.settled) { cell.distrust ??= 'it has two results'; return }
    const meta = fieldsOf(data.meta)
    cell.settled = true
    cell.record = meta[JOURNAL_KEY]
    cell.boundaries = boundariesOf(meta[BOUNDARIES_KEY])
    cell.rewrites = rewritesOf(meta)
    const { timeZone, locale } = fieldsOf(meta[LOCALITY_KEY])
    if (typeof timeZone === 'string' && typeof locale === 'string') cell.locality = { timeZone, locale }
    if (Object.hasOwn(meta, SURFACE_KEY)) cell.surface = meta[SURFACE_KEY]
    this.open.delete(cell.callId)
    this.results.set(seq, cell)
    this.editable = this.settleDerived(cell, meta) ?? cell
  }

  /** A cell that an edit has made settles with the cell that edited. Answers it if it can be edited in turn. */
  private settleDerived(root: LoggedCell, meta: Fields): LoggedCell | undefined {
    const cell = this.open.get(derivedCallId(root.callId))
    if (cell?.root !== root) return undefined
    this.open.delete(cell.callId)
    const evidence = derivedOf(meta)
    if (evidence?.startSeq !== root.seq || evidence.executionStartSeq !== cell.seq || evidence.code !== cell.source) {
      // Refused before it ran. Where it has called something, nobody can say what became of it, and its calls are not forgotten.
      if (cell.dispatches.length === 0) this.cells.delete(cell.seq)
      return undefined
    }
    const { record, boundaries, targetCallSeq: editOf, surface } = evidence
    Object.assign(cell, { settled: true, record, boundaries, editOf }, surface === undefined ? {} : { surface })
    return isParseRejected(record) ? undefined : cell
  }

  private dispatch(seq: number, { parentCallId, subCallId, name, arguments: args }: Fields): void {
    const parent = this.open.get(textOf(parentCallId))
    if (parent !== undefined && parent.root === undefined && name === RUN_CODE && subCallId === derivedCallId(parent.callId)) return this.derive(seq, parent, fieldsOf(args))
    const started: Dispatch = { id: textOf(subCallId), name: textOf(name), args, settled: false }
    parent?.dispatches.push(started)
    this.dispatches.set(started.id, started)
  }

  private derive(seq: number, root: LoggedCell, { code, description }: Fields): void {
    const cell: LoggedCell = {
      seq, callId: derivedCallId(root.callId), rawArguments: root.rawArguments, source: textOf(code), description: textOf(description), root,
      dispatches: [], settled: false, record: undefined, boundaries: [], rewrites: [],
    }
    this.cells.set(seq, cell)
    this.open.set(cell.callId, cell)
  }

  private dispatched({ subCallId, isError }: Fields): void {
    const started = this.dispatches.get(textOf(subCallId))
    if (started === undefined) return
    started.settled = true
    if (typeof isError === 'boolean') started.failed = isError
  }
}

/** The log of one session as the cells in it, read as it grows. */
export class SessionLog {
  readonly session: HostSession
  private readonly reading = new Reading()
  private nextSeq = 0

  constructor(session: HostSession) { this.session = session }

  /** Every `run_code` call so far, oldest first. */
  cells(): LoggedCell[] {
    const events = eventsOf(this.session)
    const first = events[0]?.seq ?? 0
    for (const event of events.slice(Math.max(0, this.nextSeq - first))) {
      this.reading.step(event)
      this.nextSeq = event.seq + 1
    }
    return [...this.reading.cells.values()]
  }

  /** The cell that an edit is about now, whether the model can still see it or not. */
  get editable(): LoggedCell | undefined {
    this.cells()
    return this.reading.editable
  }

  /** The call that runs now, or undefined when the log does not have it, or has more than one of its id. */
  openCall(callId: string): LoggedCell | undefined {
    const open = this.cells().filter((cell) => cell.callId === callId && !cell.settled)
    return open.length === 1 ? open[0] : undefined
  }
}

// What one case works with: a place, the histories that it opened there, and short hands for entries and for what must fail.
import assert from 'node:assert/strict'
import type { CellRecord, Envelope, History, HistoryEntry, HistorySource, NewEntry } from '../types.ts'
import type { JournalErrorCode } from '../errors.ts'
import type { Capability, Place } from './index.ts'
import { OtherProcess } from './other-process.ts'

export interface Case {
  /** May begin with the invariant that it is about. */
  readonly title: string
  readonly needs?: Capability
  test(trial: Trial): Promise<void>
}

export const opened = (source = 'let x = 1'): NewEntry => ({ kind: 'cell-opened', source, cwd: '/home/me' })

export const envelope = (root: unknown): Envelope => ({ codec: 'ptc-value-graph/v1', root, nodes: [] })

export const durable: CellRecord = {
  version: 11, languageSemantics: 'stateful-v1', moduleTransform: 'native-root-v1+amaro@1.2.1', cwd: '/home/me',
  namespaces: ['code', 'repl', 'tools'], userBindingsFingerprint: null, userBindingNames: null, status: 'durable',
  calls: [], wakes: [], ambient: [], operations: [], confirms: [], diagnostics: [], completion: { kind: 'return', hasValue: false },
}

export const settled = (cell: number): NewEntry => ({ kind: 'cell-settled', cell, record: durable })

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** The sources of opened cells, and the kinds of other entries. */
export const sourcesOf = (entries: readonly HistoryEntry[]): string[] => entries.map((entry) => entry.kind === 'cell-opened' ? entry.source : entry.kind)

/** Errors are told by their code: a store may have another copy of the class. */
export async function refused(code: JournalErrorCode, work: () => unknown): Promise<Error> {
  let thrown: unknown
  try {
    await work()
  } catch (error) {
    thrown = error
  }
  assert.ok(thrown instanceof Error, `a JournalError ${code} was due, and ${thrown === undefined ? 'nothing was thrown' : `${String(thrown)} is no error`}`)
  assert.equal((thrown as Error & { code?: unknown }).code, code, thrown.stack)
  return thrown
}

export class Trial {
  readonly place: Place
  readonly largeBytes: number
  private readonly handed: History[] = []
  private readonly others: OtherProcess[] = []

  constructor(place: Place, largeBytes: number) {
    this.place = place
    this.largeBytes = largeBytes
  }

  /** What is opened here is closed when the case ends. */
  async open(id: string, source: HistorySource = this.place.source): Promise<History> {
    const history = await source.open(id)
    this.handed.push(history)
    return history
  }

  read(id = 'one', source: HistorySource = this.place.source): Promise<HistoryEntry[]> {
    return all(source.read(id))
  }

  /** A session with three cells, closed. */
  async three(id = 'one'): Promise<HistoryEntry[]> {
    const history = await this.open(id)
    for (const source of ['a', 'b', 'c']) history.append(opened(source))
    await history.close()
    return this.read(id)
  }

  /** Another process over the same place. */
  async other(flags: readonly string[] = []): Promise<OtherProcess> {
    const other = new OtherProcess(this.place.module!, flags)
    this.others.push(other)
    await other.ready
    return other
  }

  async end(): Promise<void> {
    for (const history of this.handed) await history.close()
    await Promise.all(this.others.map((other) => other.kill()))
    await this.place.end()
  }
}

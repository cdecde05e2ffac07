// `dsh-ptc-plus/testing`: what every place where histories live must do, as named cases that any test framework can run.
// A store says how to make an empty place and, by name, what can not happen to it (a memory has no torn tails). Such
// cases are answered in `left`, so that a report can show them; nothing is skipped silently.
import assert from 'node:assert/strict'
import type { HistorySource } from '../types.ts'
import { DAMAGE } from './cases/damage.ts'
import { DOCUMENTS } from './cases/documents.ts'
import { DISK } from './cases/disk.ts'
import { ENTRIES } from './cases/entries.ts'
import { LARGE } from './cases/large.ts'
import { OPENING } from './cases/opening.ts'
import { WHOLE } from './cases/whole.ts'
import { Trial, type Case } from './trial.ts'

/**
 * What a store can be put through. `reopen`: histories outlive the source object. `other-process`: another process can open
 * the same place. `large`: that process can write and read histories larger than it may use memory. `adopt`, `inspect`,
 * `writer` and `documents`: the source has that optional member. The others are named after what is done to the place.
 */
export type Capability =
  | 'reopen' | 'other-process' | 'large' | 'torn-tail' | 'damage' | 'read-only' | 'disk-full' | 'power-cut' | 'adopt' | 'inspect' | 'writer' | 'documents'

/** One way in which the storage can fail an append. */
export type Fault = 'write' | 'short-write' | 'sync'

/** What a power cut leaves of bytes that were written and not synced: none, some, or their room without their content. */
export type Remains = 'nothing' | 'half' | 'zeros'

/** An empty place for histories, and what the suite may do to it. */
export interface Place {
  readonly source: HistorySource
  /** Another source over the same place, as the next process would have it. */
  again(): HistorySource
  /** `torn-tail`, `damage`: the stored bytes of a session that nobody has open. */
  readonly bytes?: { read(id: string): Buffer, write(id: string, bytes: Buffer): void }
  /** `disk-full`: a source over the same place whose next append fails, and with `also` the first two attempts to take it back. */
  failing?(fault: Fault, also?: boolean): HistorySource
  /** `power-cut`: a source over the same place, and what undoes its writes to one session that were not synced. */
  unplugged?(): { readonly source: HistorySource, cut(id: string, remains: Remains): void }
  /** `read-only`: runs `during` while nothing can be written to the place. */
  readOnly?(during: () => Promise<void>): Promise<void>
  /**
   * `other-process`, `large`: the module that another process imports, as a URL. It exports `openSource(options)`, which
   * answers a source over this place; `options` is JSON.
   */
  readonly module?: { readonly url: string, readonly options: unknown }
  end(): Promise<void>
}

export interface ContractOptions {
  /** What the store has not. Everything else is tested. */
  readonly gaps: readonly Capability[]
  /** Size of the history of the `large` cases, bytes. Default, and least: 192 MiB. */
  readonly largeBytes?: number
}

export interface Contract {
  /** Run each in a test of its own: it makes its place, and resolves, or rejects with an assertion error. */
  readonly cases: readonly { readonly title: string, run(): Promise<void> }[]
  /** The cases that a gap leaves out. */
  readonly left: readonly { readonly title: string, readonly gap: Capability }[]
}

const ALL: readonly Case[] = [...ENTRIES, ...OPENING, ...DAMAGE, ...DISK, ...DOCUMENTS, ...WHOLE, ...LARGE]

export function sourceContract(make: () => Promise<Place>, { gaps, largeBytes = 192 * 1024 * 1024 }: ContractOptions): Contract {
  const isLeft = ({ needs }: Case) => needs !== undefined && gaps.includes(needs)
  const declared: Case = { title: 'declares what it has, no more and no less', async test({ place }) { checkDeclared(place, gaps) } }
  return {
    cases: [declared, ...ALL.filter((one) => !isLeft(one))].map(({ title, test }) => ({
      title,
      async run() {
        const trial = new Trial(await make(), largeBytes)
        try {
          await test(trial)
        } finally {
          await trial.end()
        }
      },
    })),
    left: ALL.filter(isLeft).map(({ title, needs }) => ({ title, gap: needs! })),
  }
}

/** Where a capability shows; `reopen` is a promise, and `large` needs no more than another process. */
const SHOWN: { readonly [C in Exclude<Capability, 'reopen' | 'large'>]: (place: Place) => unknown } = {
  'other-process': ({ module }) => module,
  'torn-tail': ({ bytes }) => bytes,
  'damage': ({ bytes }) => bytes,
  'read-only': ({ readOnly }) => readOnly,
  'disk-full': ({ failing }) => failing,
  'power-cut': ({ unplugged }) => unplugged,
  'adopt': ({ source }) => source.adopt,
  'inspect': ({ source }) => source.inspect,
  'writer': ({ source }) => source.writer,
  'documents': ({ source }) => source.documents,
}

function checkDeclared(place: Place, gaps: readonly Capability[]): void {
  for (const [capability, shown] of Object.entries(SHOWN)) {
    const isGap = gaps.includes(capability as Capability)
    const isShared = capability === 'torn-tail' || capability === 'damage'
    if (shown(place) === undefined) assert.ok(isGap, `${capability} can not be tested: declare it as a gap, or let the place have what it takes`)
    else if (!isShared) assert.ok(!isGap, `${capability} is declared as a gap, but it is there`)
  }
  if (gaps.includes('other-process')) assert.ok(gaps.includes('large'), 'large needs another process')
}

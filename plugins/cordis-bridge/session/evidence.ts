// What a settled result's private metadata says beside the record of its own cell: boundaries of a recovery, and the cell that an
// edit has made, which is no call of the model and so has no result of its own. Untrusted input: what is not as written is nothing.

export type Fields = { readonly [key: string]: unknown }

export const fieldsOf = (value: unknown): Fields => typeof value === 'object' && value !== null ? value as Fields : {}
export const textOf = (value: unknown): string => typeof value === 'string' ? value : ''
export const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Which cell was edited: `{ targetCallSeq }`. */
export const EDIT_KEY = 'dshPtcPlusEdit'
/** What ran because of it: `{ code, description }`. */
export const DERIVED_RUN_KEY = 'dshPtcPlusDerivedRun'
/** What became of that: `{ startSeq, executionStartSeq, record, boundaries?, surface? }`. */
export const DERIVED_CELL_KEY = 'dshPtcPlusDerivedCell'

export interface Boundary { readonly failedCallSeq: number, readonly frontierCallSeq: number | null }

/** The id of the call that runs what a cell's edit has made; the cell's own is `callId`. */
export const derivedCallId = (callId: string): string => `${callId}:derived`

export function boundariesOf(listed: unknown): Boundary[] {
  if (!Array.isArray(listed)) return []
  return listed.flatMap((item) => {
    const { failedCallSeq, frontierCallSeq } = fieldsOf(item)
    return isIndex(failedCallSeq) && (frontierCallSeq === null || isIndex(frontierCallSeq)) ? [{ failedCallSeq, frontierCallSeq }] : []
  })
}

/** The evidence of a derived run (contract 6.5). `startSeq` is the call of the cell that edited, `executionStartSeq` that of the run. */
export interface DerivedEvidence {
  readonly targetCallSeq: number
  readonly code: string
  readonly description: string
  readonly startSeq: number
  readonly executionStartSeq: number
  /** Unread. */
  readonly record: unknown
  readonly boundaries: readonly Boundary[]
  /** Unread. */
  readonly surface?: unknown
}

const isClosed = (fields: Fields, names: readonly string[]) => Object.keys(fields).every((name) => names.includes(name))

/** What was changed in a cell before it ran: a list of `{ kind, description, source? }`. Their descriptions. */
export const REWRITES_KEY = 'dshPtcPlusRewrites'

const KINDS: readonly unknown[] = ['import', 'export', 'redeclaration']

export function rewritesOf(meta: Fields): string[] {
  const listed = meta[REWRITES_KEY]
  if (!Array.isArray(listed)) return []
  const rewrites = listed.map(fieldsOf)
  const isWhole = rewrites.every((rewrite) => isClosed(rewrite, ['kind', 'description', 'source']) && KINDS.includes(rewrite.kind) && typeof rewrite.description === 'string')
  return isWhole ? rewrites.map(({ description }) => textOf(description)) : []
}

export function derivedOf(meta: Fields): DerivedEvidence | undefined {
  const [edit, run, cell] = [EDIT_KEY, DERIVED_RUN_KEY, DERIVED_CELL_KEY].map((key) => fieldsOf(meta[key])) as [Fields, Fields, Fields]
  if (!isClosed(edit, ['targetCallSeq']) || !isClosed(run, ['code', 'description']) || !isClosed(cell, ['startSeq', 'executionStartSeq', 'record', 'boundaries', 'surface'])) return undefined
  const { targetCallSeq } = edit
  const { code, description } = run
  const { startSeq, executionStartSeq, record, boundaries, surface } = cell
  if (!isIndex(targetCallSeq) || !isIndex(startSeq) || !isIndex(executionStartSeq) || typeof code !== 'string' || typeof description !== 'string' || record === undefined) return undefined
  return { targetCallSeq, code, description, startSeq, executionStartSeq, record, boundaries: boundariesOf(boundaries), ...surface === undefined ? {} : { surface } }
}

// The edits of one running cell, where cells are the session's own: the first that is accepted takes the target, and when the cell
// has ended, a further cell runs what came of it.
//
// Owns: the claim. Does not own: the target (`timeline.ts`), the running of cells (`session.ts`).
// Invariants: one derived cell per cell, and none after a derived one, so that an edit which makes an edit comes to an end;
// a cell whose calls are not recorded has scheduled nothing.
import type { CellResult, Edit, EditOwner, EditTarget } from '../../types.ts'
import type { HelperProcess } from '../helper/helper-process.ts'
import { answerEdit } from './answer.ts'
import type { EditTimeline } from './timeline.ts'

export interface Derivation {
  readonly source: string
  readonly description: string
  readonly derived: { readonly of: number, readonly by?: number }
  readonly edits: EditOwner
}

/** Of a cell that an edit has made. */
export const NO_EDITS: EditOwner = {
  capture: () => ({ none: 'a cell that an edit has made can not edit; do it in a cell of its own' }),
  claim: () => false,
  callOf: () => undefined,
}

type Run = (derivation: Derivation) => Promise<CellResult>

export class CellEdits implements EditOwner {
  private readonly timeline: EditTimeline
  private readonly isByHost: boolean
  private claimed: { readonly target: EditTarget, readonly source: string } | undefined

  /** `isByHost`: the cells are in a host's log. A further cell of ours would not be, so the host has to bring its own `EditOwner`. */
  constructor(timeline: EditTimeline, isByHost: boolean) {
    this.timeline = timeline
    this.isByHost = isByHost
  }

  capture(): EditTarget | { readonly none: string } {
    if (this.isByHost) return { none: 'this host does not take edits; send the whole cell again' }
    if (this.claimed !== undefined) return { none: 'an edit of this cell is waiting to run; a cell makes one edit' }
    return this.timeline.target ?? { none: 'there is no cell to edit: none of this session has settled' }
  }

  claim(target: EditTarget, source: string): boolean {
    if (this.claimed !== undefined) return false
    this.claimed = { target, source }
    return true
  }

  callOf(cell: number): number | undefined { return this.isByHost ? undefined : cell }

  /** After the cell: its result, with that of the cell that it has scheduled. `by`: the cell that edited, unless a person did. */
  async follow(result: CellResult, by: number | undefined, run: Run): Promise<CellResult> {
    const { claimed } = this
    if (claimed === undefined || result.record.completion === undefined) return result
    const derived = await this.run(by, run)
    return derived === undefined ? result : { ...result, derived }
  }

  /** Runs what was claimed; undefined when nothing was. */
  async run(by: number | undefined, run: Run): Promise<CellResult['derived']> {
    if (this.claimed === undefined) return undefined
    const { target: { callSeq: target }, source } = this.claimed
    const derived = { of: target, ...by === undefined ? {} : { by } }
    return { target, source, result: await run({ source, description: `edit of run_code call ${target}`, derived, edits: NO_EDITS }) }
  }
}

/** An edit that no cell makes: it is answered like one, and what comes of it runs at once. */
export async function editNow(request: unknown, edits: CellEdits, helper: HelperProcess | undefined, run: Run): Promise<Edit> {
  const receipt = await answerEdit(request, edits, async (source, operation) => await helper?.edit(source, operation) ?? { refused: 'the session could not be brought back' })
  const derived = await edits.run(undefined, run)
  return { receipt, ...derived === undefined ? {} : { derived } }
}

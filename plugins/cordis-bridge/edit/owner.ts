// The edits of one running cell of a host's session: which cell is meant is what the host's log says, and what comes of the edit is
// kept until the cell has ended, for the host to run.
//
// Owns: the claim. Does not own: the log, and the run (`derived-run.ts`).
import type { EditOwner, EditTarget } from '../../kernel/types.ts'
import type { LoggedCell, SessionLog } from '../session/log.ts'
import { callSeqOf } from '../session/source.ts'
import { visibility } from '../session/visible.ts'

/** An edit that was accepted: `source` is to run. */
export interface Claim { readonly target: EditTarget, readonly source: string }

export class HostedEdits implements EditOwner {
  private readonly log: SessionLog
  /** One edit makes no other: so an edit comes to an end. */
  private readonly isDerived: boolean
  private claimed: Claim | undefined

  constructor(log: SessionLog, { root }: LoggedCell) {
    this.log = log
    this.isDerived = root !== undefined
  }

  /** What is to run once the cell has ended. */
  get scheduled(): Claim | undefined { return this.claimed }

  capture(): EditTarget | { readonly none: string } {
    if (this.isDerived) return { none: 'a cell that an edit has made can not edit; do it in a cell of its own' }
    if (this.claimed !== undefined) return { none: 'an edit of this cell is waiting to run; a cell makes one edit' }
    const cell = this.log.editable
    if (cell === undefined) return { none: 'there is no cell to edit: none has settled in this turn; send the whole cell' }
    if (!visibility(this.log.session)(cell)) return { none: `run_code call ${cell.seq} is not in the conversation any more; send the whole cell` }
    return { callSeq: cell.seq, source: cell.source }
  }

  callOf(cell: number): number | undefined { return this.isDerived ? undefined : callSeqOf(cell) }

  claim(target: EditTarget, source: string): boolean {
    if (this.claimed !== undefined) return false
    this.claimed = { target, source }
    return true
  }
}

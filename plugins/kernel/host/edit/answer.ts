// Answers one call of `edit_run_code` (contract 6.4): what is wrong is said in a receipt, never thrown, and nothing runs yet. Whose
// cell is edited and who runs what comes of it is the owner's part.
import { EditRefusal, excerpt } from '../../edit/refusal.ts'
import { parseOperation, parseRequest } from '../../edit/request.ts'
import type { Edited, Operation } from '../../edit/types.ts'
import type { EditOwner, EditReceipt, EditTarget } from '../../types.ts'

const rejected = (reason: string): EditReceipt => ({ accepted: false, scheduled: false, reason })

/** As every text about an edit names the cell: its call and its first line. */
function nameOf({ callSeq, source }: EditTarget): string {
  const line = /\S.*/u.exec(source)?.[0] ?? ''
  return `run_code call ${callSeq} (${excerpt(line, 80)})`
}

/** `edit` is `editSource`, wherever it runs. Rejects only when that can not answer. */
export async function answerEdit(args: unknown, owner: EditOwner, edit: (source: string, operation: Operation) => Promise<Edited>): Promise<EditReceipt> {
  const captured = owner.capture()
  const target = 'none' in captured ? undefined : captured
  const reject = (reason: string) => rejected(target === undefined ? reason : `${nameOf(target)}: ${reason}`)
  try {
    const request = parseRequest(args)
    if (target === undefined) return reject('none' in captured ? captured.none : '')
    const edited = await edit(target.source, parseOperation(request))
    if ('refused' in edited) return reject(edited.refused)
    const { expectedTarget } = request
    if (expectedTarget !== undefined && expectedTarget !== target.callSeq) {
      return reject(`the edit expects run_code call ${expectedTarget}, but only the most recently settled cell can be edited; send the whole cell with run_code instead`)
    }
    if (!owner.claim(target, edited.source)) return reject('another edit of it is waiting to run')
    return { accepted: true, scheduled: true, target_call_seq: target.callSeq }
  } catch (error) {
    if (error instanceof EditRefusal) return reject(error.message)
    throw error
  }
}

// What holds of a session that the model can not know from results (contract 9.3). Pure.
import { fieldsOf } from '../session/evidence.ts'
import type { LoggedCell } from '../session/log.ts'
import { CORDIS_RECOVERY, cut, REWRITE_INFO, type Section } from './message.ts'
import { cordisRecoveryText, rewriteText } from './texts.ts'

/** UTF-16 units of what is said about one rewrite. */
const DESCRIPTION = 2_048

const STATUSES: readonly unknown[] = ['durable', 'volatile', 'discarded', 'noop']

/** Whether the result says what became of the cell. */
const isAccountedFor = ({ record }: LoggedCell): boolean => STATUSES.includes(fieldsOf(record).status) && Number.isSafeInteger(fieldsOf(record).version)

/** The last cell that was rewritten before it ran, and of which nobody knows whether it ended. */
function rewriteInfo(cells: readonly LoggedCell[], isVisible: (cell: LoggedCell) => boolean): Section[] {
  const last = cells.findLast(({ settled, rewrites }) => settled && rewrites.length > 0)
  if (last === undefined || isAccountedFor(last) || !isVisible(last)) return []
  return [{ name: REWRITE_INFO, text: rewriteText(last.seq, last.rewrites.map((description) => cut(description, DESCRIPTION))) }]
}

/** Tools of the host's own graph were called in another life of the agent, until one has been looked at in this. */
function cordisRecovery(cells: readonly LoggedCell[], beganAt: number): Section[] {
  const called = (isSuccess: boolean, prefix: string) => ({ dispatches }: LoggedCell) =>
    dispatches.some(({ name, failed }) => name.startsWith(prefix) && (!isSuccess || failed === false))
  const [before, since] = [cells.filter(({ seq }) => seq < beganAt), cells.filter(({ seq }) => seq >= beganAt)]
  if (!before.some(called(false, 'cordis_')) || since.some(called(true, 'cordis_inspect'))) return []
  return [{ name: CORDIS_RECOVERY, text: cordisRecoveryText }]
}

/** `beganAt`: the first event that this life of the agent has added to the log. */
export function stateOf(cells: readonly LoggedCell[], isVisible: (cell: LoggedCell) => boolean, beganAt: number): Section[] {
  return [...rewriteInfo(cells, isVisible), ...cordisRecovery(cells, beganAt)]
}

// When a tip is due (contract 9.3): the last cell has failed in a way that more of the same will not help, and nothing was said about
// it just before. Pure: the log decides, so a session that was resumed or forked goes on as it was.
import { fieldsOf, textOf } from '../session/evidence.ts'
import type { LoggedCell } from '../session/log.ts'
import type { GivenTip } from './deliveries.ts'
import { cut } from './message.ts'

export type Trigger = 'repeated-binding-failure' | 'platform-command-failure'

export interface Failure {
  readonly trigger: Trigger
  readonly about: 'names' | 'members' | 'platform'
  /** One line of what failed. */
  readonly cause: string
}

export interface Tip extends Failure { readonly ordinal: number, readonly isDetailed: boolean }

export interface TipSettings {
  readonly tipsEnabled: boolean
  /** Requests from one tip to the next. */
  readonly tipCooldownMessages: number
  /** So many tips without a success in between make the next one of their trigger detailed. */
  readonly tipEscalationFailures: number
}

/** UTF-16 units of a text that are looked at, and that are shown. */
const LOOKED_AT = 4_096
const SHOWN = 300

const CODE = /\b(?:ENOENT|ENOTDIR|EACCES|EINVAL|UNKNOWN)\b/u
const COMMAND = /\b(?:spawn|exec)\w*|\bshell\b|\bpath\b/iu
const NOT_FOUND = /\bcommand not found\b|\bis not recognized as\b|(?:^|\s)\S*sh: (?:(?:line )?\d+: )?\S+: not found$/imu

const isPlatform = (text: string) => NOT_FOUND.test(text) || (CODE.test(text) && COMMAND.test(text))

/** Why the cell failed, if a tip can help. */
export function failureOf({ record }: LoggedCell): Failure | undefined {
  const { diagnostics, completion } = fieldsOf(record)
  if (!Array.isArray(diagnostics)) return undefined
  const all = diagnostics.map(fieldsOf)
  const repeated = all.find(({ code }) => code === 'PTC-W001')
  if (repeated !== undefined) {
    const { code, message } = fieldsOf(repeated.cause)
    return { trigger: 'repeated-binding-failure', about: code === 'PTC-CAPABILITY' ? 'members' : 'names', cause: cut(textOf(message), SHOWN) }
  }
  const thrown = all.find(({ code }) => code === 'PTC-X001')
  if (thrown === undefined) return undefined
  const cause = fieldsOf(thrown.cause)
  const texts = [textOf(thrown.message), `${textOf(cause.code)} ${textOf(cause.message)}`, textOf(fieldsOf(fieldsOf(completion).error).message)]
  return texts.some((text) => isPlatform(text.slice(0, LOOKED_AT)))
    ? { trigger: 'platform-command-failure', about: 'platform', cause: cut(texts[0]!, SHOWN) } : undefined
}

const isSuccess = ({ record }: LoggedCell): boolean => fieldsOf(fieldsOf(record).completion).kind === 'return'

/** The tip that goes with request `step`, if one is due. `cells`: in the order of the log. */
export function tipFor(step: number, cells: readonly LoggedCell[], given: readonly GivenTip[], settings: TipSettings): Tip | undefined {
  if (!settings.tipsEnabled) return undefined
  const last = cells.findLast(({ settled }) => settled)
  const failure = last === undefined ? undefined : failureOf(last)
  if (last === undefined || failure === undefined) return undefined
  if (given.some((tip) => step - tip.step < settings.tipCooldownMessages)) return undefined
  const before = given.filter(({ trigger }) => trigger === failure.trigger)
  // Nothing has failed since.
  if (before.some(({ seq }) => seq > last.seq)) return undefined
  const success = cells.findLast((cell) => cell.settled && isSuccess(cell))?.seq ?? -1
  const unresolved = before.filter(({ seq }) => seq > success).length
  return {
    ...failure, ordinal: Math.max(0, ...before.map(({ ordinal }) => ordinal)) + 1, isDetailed: unresolved >= settings.tipEscalationFailures,
  }
}

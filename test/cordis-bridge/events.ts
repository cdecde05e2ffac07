// Logs of a host's session, written by hand: events in order, numbered from 0.
import type { HostSession, SessionEvent } from '../../plugins/cordis-bridge/host/types.ts'
import { BOUNDARIES_KEY, JOURNAL_KEY } from '../../plugins/cordis-bridge/session/log.ts'

type Event = Omit<SessionEvent, 'seq'>

export const message = (callId: string, raw: string, name = 'run_code'): Event =>
  ({ type: 'assistant/message', data: { message: { content: [{ type: 'tool-call', id: callId, name, arguments: raw }] } }, surfaceOp: 'append' })
export const call = (callId: string, raw: string, name = 'run_code'): Event => ({ type: 'tool/call', data: { callId, name, arguments: raw } })
export const result = (callId: string, cites: number, meta: object = {}): Event =>
  ({ type: 'tool/result', data: { message: { source: { callId } }, meta }, sourceEventSeqs: [cites], surfaceOp: 'append' })
export const dispatch = (parentCallId: string, subCallId: string, settled = false): Event =>
  ({ type: `tool/code-dispatch${settled ? '' : '-start'}`, data: { parentCallId, subCallId, name: 'pay', arguments: { amount: 5 } } })

/** The run of an edit, as the log has it while the cell that edited is running. */
export const derivedCall = (parentCallId: string, source: string, kind: 'code' | 'ptc' = 'code'): Event =>
  ({ type: `tool/${kind}-dispatch-start`, data: { parentCallId, subCallId: `${parentCallId}:derived`, name: 'run_code', arguments: { code: source, description: 'An edit.' } } })
/** What its result carries with it. */
export const derivedMeta = (targetCallSeq: number, startSeq: number, executionStartSeq: number, source: string, value: unknown) => ({
  dshPtcPlusEdit: { targetCallSeq }, dshPtcPlusDerivedRun: { code: source, description: 'An edit.' }, dshPtcPlusDerivedCell: { startSeq, executionStartSeq, record: value },
})

export const code = (source: string) => JSON.stringify({ code: source, description: 'A cell.' })
export const record = (value: unknown, boundaries?: readonly object[]) => ({ [JOURNAL_KEY]: value, ...boundaries ? { [BOUNDARIES_KEY]: boundaries } : {} })

/** A session whose model sees every message, but for those whose numbers are hidden. */
export function sessionOf(events: readonly Event[], hidden: readonly number[] = []): HostSession {
  const numbered = events.map((event, seq) => ({ ...event, seq }))
  const nodes = numbered.filter(({ surfaceOp, seq }) => surfaceOp !== undefined && !hidden.includes(seq)).map(({ seq }) => seq)
  return { id: 'log', seq: numbered.length, header: { cwd: '/work' }, events: numbered, surface: { nodes }, append() { throw new Error('this log is only read') } }
}

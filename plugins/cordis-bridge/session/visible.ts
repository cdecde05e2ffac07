// Which cells the model still sees: those whose call, as it was written, is in a message of the session's visible surface. A name
// that the model can not know of is not kept for it.
import type { HostSession } from '../host/types.ts'
import { eventsOf, RUN_CODE, type LoggedCell } from './log.ts'

const keyOf = (id: unknown, raw: unknown) => JSON.stringify([id, raw])

/**
 * Whether a cell's call is on the surface: same id, same name, same text of the arguments. What an edit has made is seen as long as
 * the cell that edited.
 */
export function visibility(session: HostSession): (cell: LoggedCell) => boolean {
  const events = eventsOf(session)
  const first = events[0]?.seq ?? 0
  const seen = new Set<string>()
  for (const seq of session.surface?.nodes ?? []) {
    const event = events[seq - first]
    if (event?.type !== 'assistant/message') continue
    const { message } = event.data as { readonly message?: { readonly content?: unknown } }
    for (const block of Array.isArray(message?.content) ? message.content as Record<string, unknown>[] : []) {
      if (block?.type === 'tool-call' && block.name === RUN_CODE) seen.add(keyOf(block.id, block.arguments))
    }
  }
  return ({ root, callId, rawArguments }) => seen.has(keyOf(root?.callId ?? callId, rawArguments))
}

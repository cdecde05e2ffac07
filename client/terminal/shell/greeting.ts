// One line about a session: what its history can bring back and what is lost. It reads the history and starts nothing;
// the session itself is brought back by its first cell.
import type { LostCell } from '../../../plugins/journal/types.ts'
import type { ReplSession } from '../../../plugins/kernel/types.ts'
import type { App } from '../compose.ts'

export async function greeting(app: Pick<App, 'journal'>, session: Pick<ReplSession, 'id' | 'policy'>): Promise<string> {
  const fold = app.journal.newFold()
  for await (const entry of app.journal.read(session.id)) fold.add(entry)
  const { path, lost, inDoubt } = fold.frontier()
  return [
    `session ${session.id}`,
    path.length === 0 ? 'empty' : `${cells(path.length)} to bring back`,
    ...lost.length > 0 ? [`${cells(lost.length)} lost (${reasons(lost)})`] : [],
    ...inDoubt.length > 0 ? [`${inDoubt.length} ${inDoubt.length === 1 ? 'call' : 'calls'} in doubt`] : [],
    ...session.policy === 'stateful' ? [] : [session.policy],
  ].join(', ')
}

function cells(count: number): string {
  return `${count} ${count === 1 ? 'cell' : 'cells'}`
}

/** The reasons, the most frequent first, and no more than three of them. */
function reasons(lost: readonly LostCell[]): string {
  const counts = new Map<string, number>()
  for (const { reason, detail } of lost) {
    const text = detail === undefined ? reason : `${reason}: ${detail}`
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1]).map(([text]) => text)
  return sorted.length > 3 ? `${sorted.slice(0, 3).join('; ')}; ...` : sorted.join('; ')
}

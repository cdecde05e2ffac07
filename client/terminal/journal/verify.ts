// `ptc journal SESSION --verify`: is every line of a history intact, do its records hold what they must, do they add up, and
// do they still replay? Reads only: the session may be open elsewhere, its file stays as it is, and no call goes out.
import type { Frontier, Problem } from '../../../plugins/journal/types.ts'
import type { App } from '../compose.ts'
import type { Sink } from '../streams.ts'
import { noHistory } from './print.ts'

export interface VerifyOptions { readonly json: boolean, readonly out: Sink, readonly signal: AbortSignal }

/** One thing that is wrong, as `--json` prints it. */
type Finding = Omit<Problem, 'check'> & { readonly check: Problem['check'] | 'replay' }

/** Resolves with the exit status: 1 when anything is wrong. Throws for a session without a history. */
export async function verify({ journal, kernel }: App, session: string, { json, out, signal }: VerifyOptions): Promise<number> {
  const { lines, cells, problems, corrupt, frontier, lineOf } = await journal.audit(session)
  if (lines === 0) throw noHistory(session)
  const findings: Finding[] = [...problems]
  let replayed = 0
  if (!corrupt) {
    const verdict = await kernel.replay(journal.read(session), { signal })
    replayed = verdict.replayed
    if (!verdict.proven) {
      const after = frontier.path.length - verdict.replayed - 1
      const rest = after > 0 ? ` (${after} later cell${after === 1 ? '' : 's'} not tried)` : ''
      findings.push({ line: lineOf.get(verdict.cell) ?? 0, check: 'replay', cell: verdict.cell, message: `${verdict.reason}${rest}` })
    }
  }
  const summary = { session, ok: findings.length === 0, lines, cells, durable: frontier.path.length, replayed: corrupt ? null : replayed, lost: frontier.lost }
  for (const line of json ? [...findings, summary].map(item => JSON.stringify(item)) : [...findings.map(textOf), summaryOf(summary, findings.length)]) {
    await out.write(`${line}\n`)
  }
  return findings.length === 0 ? 0 : 1
}

const oneLine = (text: string) => text.replace(/\s*[\r\n]+\s*/gu, ' ')

function textOf({ line, check, cell, message }: Finding): string {
  return `line ${line}: ${check}: ${cell === undefined ? '' : `cell #${cell}: `}${oneLine(message)}`
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

interface Summary {
  readonly session: string
  readonly lines: number
  readonly cells: number
  readonly durable: number
  readonly replayed: number | null
  readonly lost: Frontier['lost']
}

function summaryOf({ session, lines, cells, durable, replayed, lost }: Summary, problems: number): string {
  const replay = replayed === null ? 'not replayed, because it can not be opened' : `${replayed} of ${durable} durable replayed`
  // Not a fault: the session said so when these cells ended.
  const gone = lost.length === 0 ? '' : `, ${plural(lost.length, 'cell')} that no replay brings back`
  return `session ${JSON.stringify(session)}: ${plural(lines, 'line')}, ${plural(cells, 'cell')}, ${replay}${gone}; ${problems === 0 ? 'nothing is wrong' : plural(problems, 'problem')}`
}

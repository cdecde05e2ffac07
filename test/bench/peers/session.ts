// What is measured of a peer, and how, wherever it runs.
import { TWENTY_ANSWER, twenty } from '../cell.ts'
import { measure } from '../measure.ts'

export interface PeerSession {
  run(code: string): Promise<unknown>
  /** Takes types out, for a peer that has no TypeScript of its own; it is part of the measured time. */
  readonly erase?: (code: string) => string
  /** Cells are plain scripts, without `await` at the top. */
  readonly isScript?: boolean
  /** Gives programs a function of the host, for a peer that can. */
  echo?(call: (value: unknown) => Promise<unknown>): unknown
}

/** Medians, milliseconds. */
export interface Measured { readonly one: number, readonly twenty: number, readonly calls?: number }

export async function measureSession(session: PeerSession): Promise<Measured> {
  const erase = session.erase ?? ((code: string) => code)
  for (let i = 0; i < 20; i += 1) await session.run('1+1')
  const one = await measure(100, () => session.run('1+1'))
  const cell = async (i: number) => {
    const answer = await session.run(erase(twenty(i)))
    if (answer !== TWENTY_ANSWER && String(answer).replaceAll(/['"]/gu, '') !== TWENTY_ANSWER) throw new Error(`the cell answered ${String(answer)}`)
  }
  for (let i = 0; i < 10; i += 1) await cell(i)
  const cells = await measure(50, (i) => cell(100 + i))
  if (session.echo === undefined) return { one, twenty: cells }
  await session.echo(async (value) => value)
  const calls = '(async () => { for (let i = 0; i < 1000; i++) await echo(i); return 1 })()'
  return { one, twenty: cells, calls: await measure(5, () => session.run(session.isScript ? calls : `await ${calls}`)) / 1_000 }
}

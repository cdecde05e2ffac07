// The two ways in which a session runs the cells of a program.
import { Realm } from '../../harness/realm.ts'
import { createSession, shutdown } from '../adapter.ts'
import type { Observation } from './native.ts'
import { cellsOf, finalOf, type Program } from './program.ts'
import { CONSOLE, SHOW } from './show.ts'

export interface Engine {
  run(program: Program): Promise<Observation>
  /** The next program gets a session of its own. */
  renew(): Promise<void>
  close(): Promise<void>
}

function textsOf(program: Program): { cells: string[], last: string } {
  return { cells: [`hideTexts(${program.lowered})`, ...cellsOf(program)], last: `return ${finalOf(program)}` }
}

/** Compiled cells in a realm of this process. Names are unique per program, so a realm serves several. */
export class RealmEngine implements Engine {
  private realm: Realm | undefined
  private programs = 0

  async run(program: Program): Promise<Observation> {
    if (this.realm === undefined || (this.programs += 1) % 50 === 0) await this.renew()
    const realm = this.realm!
    realm.evaluate('lines.length = 0')
    const { cells, last } = textsOf(program)
    for (const cell of [...cells, last]) {
      const { rejected, thrown, value } = await realm.run(cell)
      if (rejected !== undefined) return { lines: [], rejected: rejected.error.message }
      const lines = [...realm.evaluate('lines') as string[]]
      if (thrown !== undefined) return { lines, thrown: thrown.name }
      if (cell === last) return { lines, values: [...value as string[]] }
    }
    throw new Error('unreachable')
  }

  async renew(): Promise<void> {
    this.realm = new Realm()
    this.realm.evaluate(CONSOLE + SHOW)
  }

  async close(): Promise<void> {}
}

type Session = Awaited<ReturnType<typeof createSession>>

/** The real kernel: host, helper and worker. */
export class KernelEngine implements Engine {
  private session: Session | undefined
  private programs = 0

  async run(program: Program): Promise<Observation> {
    if (this.session === undefined || (this.programs += 1) % 100 === 0) await this.renew()
    const session = this.session!
    const { cells, last } = textsOf(program)
    const lines: string[] = []
    for (const cell of [...cells, last]) {
      const outcome = await session.run(cell)
      lines.push(...outcome.logs)
      if (!outcome.ok && outcome.phase === 'parse') return { lines: [], rejected: outcome.errorMessage ?? '' }
      if (!outcome.ok) return { lines, thrown: outcome.errorName ?? `thrown ${outcome.errorMessage}` }
      if (cell === last) return { lines, values: outcome.value as string[] }
    }
    throw new Error('unreachable')
  }

  async renew(): Promise<void> {
    await this.session?.close()
    this.session = await createSession({ timeoutMs: 20_000 })
    await this.session.run(SHOW)
  }

  async close(): Promise<void> {
    await this.session?.close()
    await shutdown()
  }
}

// Runs the cell of an execution in its session's kernel and leaves what the execution's result has to carry.
import type { CellResult } from '../../kernel/types.ts'
import type { Execution, Executions } from '../execution.ts'
import type { Json, PtcRunRequest, Tools } from '../host/types.ts'
import { BOUNDARIES_KEY, JOURNAL_KEY, LOCALITY_KEY, SURFACE_KEY } from '../session/log.ts'
import { withCallSeqs } from '../session/source.ts'
import { descriptionMeta } from '../stream/description.ts'
import { namespacesOf } from '../tools.ts'

/** As the host's log takes it: no undefined, no shared objects. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as Json

/** `timeoutMs` null asks for no limit on the elapsed time. */
const FOR_EVER = 2_147_483_647

type Request = Pick<PtcRunRequest, 'bindings' | 'signal' | 'timeoutMs' | 'cwd'>

export async function runCell(executions: Executions, execution: Execution, tools: Tools, { bindings, signal, timeoutMs, cwd }: Request): Promise<CellResult> {
  const { agent, hosted, cell, edits, root } = execution
  // An edit runs on what its cell has left, so that cell counts from here on.
  if (root !== undefined) hosted.settle(root.cell, root.meta?.[JOURNAL_KEY])
  const { result, account } = await hosted.run({
    cell, edits, namespaces: namespacesOf(bindings, (tool) => tools.get(tool, agent)),
    ...signal === undefined ? {} : { signal }, ...cwd === undefined ? {} : { cwd },
    ...timeoutMs === undefined ? {} : { limits: { maxWallMs: timeoutMs ?? FOR_EVER } },
  })
  const { record, boundaries, notes, surface } = account
  if (record !== undefined) {
    executions.settled(execution, {
      [JOURNAL_KEY]: plain(withCallSeqs(record)), ...descriptionMeta(cell.description),
      ...boundaries.length > 0 ? { [BOUNDARIES_KEY]: plain(boundaries) } : {}, ...notes === undefined ? {} : { [LOCALITY_KEY]: plain(notes) },
      ...surface === undefined ? {} : { [SURFACE_KEY]: plain(surface) },
    })
  }
  return result
}

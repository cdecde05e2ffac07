// Benchmarks of long histories: reading and folding one, and a recovery whose path is short.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileSource } from '../../plugins/journal/file-store.ts'
import { encodeLine } from '../../plugins/journal/line.ts'
import { fold } from '../../plugins/journal/fold.ts'
import type { CellRecord, HistoryEntry } from '../../plugins/journal/types.ts'
import { callOf, durable, Script } from '../journal/history.ts'
import { boot } from './graph.ts'
import { measure, type Row } from './measure.ts'

const RECORDS = 100_000

function long(record: CellRecord): HistoryEntry[] {
  const script = new Script()
  for (let i = 0; i < RECORDS; i += 1) script.cell(record, 'const v = await tools.add(1)')
  return script.entries
}

export async function journalRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ptc-bench-'))
  try {
    return await rowsIn(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function rowsIn(folder: string): Promise<Row[]> {
  const entries = long({ ...durable, calls: [callOf(0)] })
  const folding = await measure(5, () => fold(entries).path.length)
  writeFileSync(join(folder, 'read.ndjson'), Buffer.concat(entries.map((entry) => encodeLine(JSON.stringify(entry)))))
  const source = new FileSource({ dir: folder })
  const reading = await measure(3, async () => { for await (const _ of source.read('read')) void _ })
  return [
    ['fold of a history of 100,000 records', folding, `${(folding / RECORDS * 1000).toFixed(1)} us a record`],
    ['reading that history from disk', reading, 'checksums and JSON of 200,000 lines'],
    await shortPath(folder),
  ]
}

async function shortPath(folder: string): Promise<Row> {
  const graph = await boot({ dir: join(folder, 'short') })
  const recovery = async (id: string, behind: number) => {
    const first = await graph.kernel.open(id)
    const { record } = await first.run("await repl.state({ action: 'save', name: 'base' }); undefined")
    await first.close()
    const history = await graph.ctx.ptcJournal.history(id)
    const left: CellRecord = { ...record, calls: [], operations: [{ action: 'restore', name: 'base' }] }
    for (let i = 0; i < behind; i += 1) history.append({ kind: 'cell-settled', cell: history.append({ kind: 'cell-opened', source: '0', cwd: '/' }), record: left })
    await history.close()
    const session = await graph.kernel.open(id)
    return measure(5, async () => { await session.reset(); await session.recover() })
  }
  const [short, long] = [await recovery('short', 0), await recovery('long', 10_000)]
  await graph.dispose()
  return ['recovery to a checkpoint 10,000 cells ago', long, `${short.toFixed(1)} ms without them`]
}

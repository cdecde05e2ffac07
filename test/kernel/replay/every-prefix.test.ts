// Would catch: a history that breaks off somewhere and then proves more, less or something else than what was confirmed until
// there. One session of all kinds of cells is recorded; its file is cut after every entry and inside of lines. What each cut
// proves is worked out here from statuses and operations alone and compared with the fold; samples recover for real.
import { expect } from 'chai'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HistoryEntry } from '../../../plugins/journal/types.ts'
import type { CellResult } from '../../../plugins/kernel/types.ts'
import { decodeLine } from '../../../plugins/journal/line.ts'
import { boot, type Graph } from '../../harness/graph.ts'
import { temporaryFolder } from '../../harness/sessions.ts'
import { Notes } from './notes.ts'
import { script, view } from './script.ts'

const EVERY = 5
const MOST_RECOVERIES = 60

/** What a prefix proves: cells by `seq`, the calls in doubt, and whether something has to be reported as lost. */
interface Proof { readonly path: readonly number[], readonly inDoubt: readonly string[], readonly open: boolean }

describe('every prefix of a history', function () {
  this.timeout(240_000)
  const folder = temporaryFolder()
  const notes = new Notes()
  /** Values of the probes of each cell, by the cell's `seq`. */
  const seen = new Map<number, ReadonlyMap<string, string>>()
  const folded = { cuts: 0, torn: 0, recovered: 0 }
  let graph: Graph
  let lines: Buffer[]
  let entries: HistoryEntry[]
  let dispatched = 0

  before(async () => {
    graph = await boot({ dir: folder.path, kernel: { spareHelper: true } })
    notes.register(graph.ctx)
    const session = await graph.kernel.open('whole')
    const results: CellResult[] = []
    for (const { source, status, limits, reset } of script) {
      if (reset) await session.reset()
      const result = await session.run(source, limits === undefined ? {} : { limits })
      expect(result.status, `${source}: ${result.error?.message}`).to.equal(status)
      results.push(result)
    }
    await session.close()
    const file = readFileSync(join(folder.path, 'whole.ndjson'))
    lines = split(file)
    entries = lines.map((line) => JSON.parse(decodeLine(line.subarray(0, -1))!.toString()) as HistoryEntry)
    const cells = entries.filter(({ kind }) => kind === 'cell-opened')
    expect(cells).to.have.length(script.length)
    for (const [index, { seq }] of cells.entries()) {
      const { probes } = script[index]!
      const values = results[index]!.value as string[]
      seen.set(seq, new Map(probes.map((probe, at) => [probe, values[at]!])))
    }
    dispatched = notes.dispatched
  })
  after(async () => { await graph.dispose(); folder.remove() })

  it('J2 proves what was confirmed until there, after every entry and inside of lines', async () => {
    expect(script.length).to.be.at.least(60)
    for (let count = 0; count <= lines.length; count += 1) {
      const proof = proofOf(entries.slice(0, count))
      check(proof, await foldOf('fold', Buffer.concat(lines.slice(0, count))))
      folded.cuts += 1
      for (const keep of cutsOf(lines[count])) {
        check(proof, await foldOf('fold', Buffer.concat([...lines.slice(0, count), lines[count]!.subarray(0, keep)])))
        folded.torn += 1
      }
    }
  })

  it('J3 R1 recovers what it proves, and says what it does not bring back', async () => {
    let torn = 0
    for (let count = 0; count <= lines.length && folded.recovered < MOST_RECOVERIES; count += EVERY) {
      await recoverCut(count, undefined)
      if (count % (4 * EVERY) === 0 && count < lines.length) { await recoverCut(count, lines[count]!.length >> 1); torn += 1 }
    }
    expect(notes.dispatched, 'R1').to.equal(dispatched)
    console.log(`      ${script.length} cells, ${lines.length} entries; folded ${folded.cuts} cuts between and ${folded.torn} inside of lines; recovered ${folded.recovered}, ${torn} of them torn`)
  })

  async function foldOf(name: string, bytes: Buffer) {
    writeFileSync(join(folder.path, `${name}.ndjson`), bytes)
    const read: HistoryEntry[] = []
    for await (const entry of graph.ctx.ptcJournal.read(name)) read.push(entry)
    return graph.ctx.ptcJournal.fold(read)
  }

  async function recoverCut(count: number, keep: number | undefined): Promise<void> {
    const name = keep === undefined ? `cut-${count}` : `torn-${count}`
    const tail = keep === undefined ? [] : [lines[count]!.subarray(0, keep)]
    writeFileSync(join(folder.path, `${name}.ndjson`), Buffer.concat([...lines.slice(0, count), ...tail]))
    const proof = proofOf(entries.slice(0, count))
    const frontier = graph.ctx.ptcJournal.fold(entries.slice(0, count))
    const session = await graph.kernel.open(name)
    const state = stateOf(proof.path)
    const unknown = allNames().filter((root) => !namesOf(proof.path).has(root))
    const result = await session.run(`return [[${[...state.keys()].map(view).join(', ')}], [${unknown.map((root) => `typeof ${root}`).join(', ')}]]`)
    const [values, absent] = result.value as [string[], string[]]
    const where = `cut ${name} of ${entries[count - 1]?.kind}`
    expect(values, where).to.deep.equal([...state.values()])
    expect(absent.filter((type) => type !== 'undefined'), `${where}: ${unknown.join()}`).to.deep.equal([])
    const codes = result.diagnostics.map(({ code }) => code)
    const expected = [...keep === undefined ? [] : ['PTC-J001'], ...frontier.lost.length > 0 ? ['PTC-R002'] : [], ...proof.inDoubt.map(() => 'PTC-R003')]
    expect(codes, where).to.deep.equal(expected)
    expect(result.status, where).to.equal('durable')
    await session.close()
    folded.recovered += 1
  }

  function stateOf(path: readonly number[]): Map<string, string> {
    const state = new Map<string, string>()
    for (const cell of path) for (const [probe, value] of seen.get(cell)!) { state.delete(probe); state.set(probe, value) }
    // A class that was declared anew answers for its new self only.
    return state
  }

  const namesOf = (path: readonly number[]) => new Set(path.flatMap((cell) => [...seen.get(cell)!.keys()].map(rootOf)))
  const allNames = () => [...namesOf([...seen.keys()])]
})

const rootOf = (expression: string) => /^[\w$]+/u.exec(expression)![0]

function split(file: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let from = 0; from < file.length;) {
    const end = file.indexOf(10, from) + 1
    found.push(file.subarray(from, end))
    from = end
  }
  return found
}

/** Where a line is cut: one byte in, in the middle, and before its line feed; a short one also at some places between. */
function cutsOf(line: Buffer | undefined): number[] {
  if (line === undefined) return []
  const cuts = [1, line.length >> 1, line.length - 1]
  return line.length < 300 ? [...cuts, 9, 20, line.length - 2] : cuts
}

/** The rules of the contract (3.2, 3.4, 3.5) once more, in the shortest way and without the tree of the fold. */
function proofOf(entries: readonly HistoryEntry[]): Proof {
  let path: number[] = []
  const checkpoints = new Map<string, number[]>()
  let open: number | undefined
  const calls = new Set<string>()
  for (const entry of entries) {
    if (entry.kind === 'cell-opened') open = entry.seq
    else if (entry.kind === 'call-opened') calls.add(`${entry.cell}.${entry.call}`)
    else if (entry.kind === 'call-settled') calls.delete(`${entry.cell}.${entry.call}`)
    else if (entry.kind === 'cell-settled') {
      const { status, operations } = entry.record
      calls.clear()
      open = undefined
      const before = path
      if (status === 'durable') path = [...path, entry.cell]
      for (const { action, name } of operations) {
        if (action === 'save') checkpoints.set(name!, status === 'durable' ? [...before, entry.cell] : before)
        else if (action === 'delete') checkpoints.delete(name!)
        else path = name === undefined ? before : checkpoints.get(name)!
      }
    }
  }
  return { path, inDoubt: [...calls], open: open !== undefined }
}

function check({ path, inDoubt, open }: Proof, frontier: ReturnType<Graph['ctx']['ptcJournal']['fold']>): void {
  expect(frontier.path.map(({ cell }) => cell)).to.deep.equal(path)
  expect(frontier.head).to.equal(path.at(-1) ?? null)
  expect(frontier.inDoubt.map(({ cell, call }) => `${cell}.${call}`)).to.deep.equal(inDoubt)
  expect(frontier.lost.some(({ reason }) => reason === 'unsettled')).to.equal(open)
}

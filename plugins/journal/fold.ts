// Folds a history to what it proves: the path of durable records that a cold kernel replays, the named checkpoints, and
// what can not be brought back. It is kept as an object so that a live session adds entries as it writes them.
//
// Owns: the tree of durable records, the head, the checkpoints, the lost suffix, the cells that are still open. What a cell said is
// kept by a fold with contents only; one without is for a session that lives long, and `withContents` reads the path again.
// Does not own: the entries (a source's), replay and the decision to write a boundary (the kernel's).
// Crosses by: `add(entry)` and `frontier()`.
// Invariants:
//   J2  the head moves only on a durable record, a restore, or a contraction
//   J3  an entry that can not be trusted contracts the frontier; nothing throws
//   F1  a frontier is a snapshot: entries that are added later do not change it
//   F2  folding costs the same for every entry, however long the history is
import type {
  CellRecord, Fold, FoldedCell, Frontier, HistoryEntry, InDoubtCall, LostCell, PathCell, StateOperation,
  Surface,
} from './types.ts'
import { parseEntry } from './entry.ts'
import type { ReadEntry } from './entry.ts'
import { journalError } from './errors.ts'
import { Cells, PASSED, SETTLED } from './fold/cells.ts'
import { parseRecord } from './record.ts'
import { surfaceAfter } from './schema/surface.ts'

interface Contents { readonly source: string, readonly record: CellRecord, readonly surface?: Surface }

/** A durable record in the tree. Small, because there may be a hundred thousand of them. */
class Node {
  readonly cell: number
  readonly up: Node | null
  /** Most cells have one child or none. */
  down: Node | Set<Node> | 'dropped' | null = null

  constructor(cell: number, up: Node | null) {
    this.cell = cell
    this.up = up
  }
}

class FullNode extends Node {
  readonly contents: Contents

  constructor(cell: number, up: Node | null, contents: Contents) {
    super(cell, up)
    this.contents = contents
  }
}

interface OpenCell {
  readonly cell: number
  readonly source: string
  readonly cwd: string
  readonly surface: Surface | undefined
  /** Once it has one; each is null once its answer is there. */
  calls: Map<number, InDoubtCall | null> | null
  /** What was wrong with an entry about it: its record will not be trusted. */
  distrust: string | null
}

type Known = OpenCell | Node | typeof SETTLED | typeof PASSED

/** Hears of every entry that the fold does not trust, also of those that it later has no reason to report as lost. */
export type Distrusted = (cell: number, detail: string, check: 'schema' | 'fold') => void

type Kind<K extends ReadEntry['kind']> = Extract<ReadEntry, { readonly kind: K }>

const cellOf = (node: Node | null): number | null => node === null ? null : node.cell

const contentsOf = (source: string, record: CellRecord, surface: Surface | undefined): Contents =>
  ({ source, record, ...surface !== undefined && { surface } })

const pathCell = (node: Node): PathCell => ({ cell: node.cell, parent: cellOf(node.up) })
const foldedCell = (node: Node): FoldedCell => ({ ...pathCell(node), ...(node as FullNode).contents })

class HistoryFold<C extends PathCell> implements Fold<C> {
  private readonly cells = new Cells<Known>()
  /** In the order in which they were opened. Short: cells run one after the other. */
  private readonly open = new Map<number, OpenCell>()
  private readonly checkpoints = new Map<string, Node | null>()
  private readonly lost = new Map<number, LostCell>()
  private readonly roots = new Set<Node>()
  private head: Node | null = null
  private lastSeq = -1
  private snapshot: Frontier<C> | null = null
  private seen: Surface | undefined
  private readonly look: (node: Node) => C
  private readonly keepsContents: boolean
  private readonly onDistrust: Distrusted | undefined

  /** `look` is what the path shows of a cell. */
  constructor(look: (node: Node) => C, keepsContents: boolean, onDistrust?: Distrusted) {
    this.look = look
    this.keepsContents = keepsContents
    this.onDistrust = onDistrust
  }

  /** Takes anything: that it has the shape of an entry is checked here (J3). */
  add(value: HistoryEntry): void {
    this.snapshot = null
    const entry = parseEntry(value)
    if ('invalid' in entry) {
      const cell = entry.cell ?? [...this.open.keys()].at(-1) ?? entry.seq ?? Math.max(this.lastSeq, 0)
      this.lastSeq = Math.max(this.lastSeq, entry.seq ?? 0)
      this.distrust(cell, entry.invalid, 'schema')
    } else if (entry.seq <= this.lastSeq) {
      const { kind } = entry
      const about = kind === 'cell-opened' ? entry.seq : kind === 'boundary' ? entry.failed : entry.cell
      this.distrust(about, `a ${kind} entry is out of order`)
    } else {
      this.lastSeq = entry.seq
      this.step(entry)
    }
  }

  /** A cell that was opened and is not settled counts as unsettled, the running one too: ask before it is opened. */
  frontier(): Frontier<C> {
    return this.snapshot ??= snapshotOf(this.look, this.head, this.checkpoints, this.lost, this.open)
  }

  get surface(): Surface | undefined { return this.seen }

  private step(entry: ReadEntry): void {
    switch (entry.kind) {
      case 'cell-opened': return this.openCell(entry)
      case 'call-opened': return this.openCall(entry)
      case 'call-settled': return this.settleCall(entry)
      case 'cell-settled': return this.settleCell(entry)
      case 'boundary': return this.contract(entry)
    }
  }

  private openCell(entry: Kind<'cell-opened'>): void {
    const { seq, source, cwd } = entry
    this.seen = surfaceAfter(this.seen, entry)
    const cell: OpenCell = { cell: seq, source, cwd, surface: this.seen, calls: null, distrust: null }
    this.cells.add(seq, cell)
    this.open.set(seq, cell)
  }

  private openCall({ cell, call, global, member, args }: Kind<'call-opened'>): void {
    const known = this.open.get(cell)
    if (!known || known.calls?.has(call)) return this.distrust(cell, `call ${call} was opened twice or outside of its cell`)
    const calls = known.calls ??= new Map<number, InDoubtCall | null>()
    calls.set(call, { cell, call, global, member, args })
  }

  private settleCall({ cell, call, ok }: Kind<'call-settled'>): void {
    // The late answer of a cell that ended without a node: true, and of no consequence.
    if (typeof this.cells.get(cell) === 'string') return
    const known = this.open.get(cell)
    if (!known) return this.distrust(cell, `call ${call} was settled outside of its cell`)
    const opened = known.calls?.get(call)
    // A call that was refused before its dispatch has failed without having been opened.
    if (opened === null || (opened === undefined && ok)) return this.distrust(cell, `call ${call} was settled without being open`)
    const calls = known.calls ??= new Map<number, InDoubtCall | null>()
    calls.set(call, null)
  }

  private settleCell({ cell, record: unread }: Kind<'cell-settled'>): void {
    const known = this.open.get(cell)
    if (!known) {
      const state = this.cells.get(cell)
      return this.distrust(cell, state === undefined ? 'settled without having been opened'
        : state === PASSED ? 'settled after a later cell' : 'settled twice')
    }
    this.close(known, SETTLED)
    const record = parseRecord(unread, known.cwd)
    if ('invalid' in record) {
      this.onDistrust?.(cell, record.invalid, 'schema')
      return this.lose(cell, 'invalid', record.invalid)
    }
    // Cells run one at a time: what was opened earlier and is not settled by now never will be.
    if (record.status !== 'noop') for (const other of this.open.values()) if (other.cell < cell) this.close(other, PASSED)
    for (const seq of record.confirms) this.passOver(seq)
    if (known.distrust !== null) return this.lose(cell, 'invalid', known.distrust)
    if (record.status === 'durable') return this.grow(known, record)
    if (record.status === 'noop' || (record.status === 'discarded' && record.volatileReason === undefined)) return
    this.lose(cell, record.status, record.volatileReason)
    this.apply(record.operations, null)
  }

  /** A cell that another one's record says has never run: true only while no call of it is known. */
  private passOver(seq: number): void {
    const cell = this.open.get(seq)
    if (cell && cell.calls === null) this.close(cell, PASSED)
  }

  private close({ cell }: OpenCell, state: typeof SETTLED | typeof PASSED): void {
    this.open.delete(cell)
    this.cells.set(cell, state)
  }

  /** J2. A durable record re-establishes trust: what was lost before it has been reported or was left behind. */
  private grow({ cell, source, surface }: OpenCell, record: CellRecord): void {
    const unknown = this.unknownRestore(record.operations)
    if (unknown !== null) return this.distrust(cell, `restores the unknown checkpoint ${unknown}`)
    const node = this.keepsContents ? new FullNode(cell, this.head, contentsOf(source, record, surface)) : new Node(cell, this.head)
    this.attach(node)
    this.cells.set(cell, node)
    this.head = node
    this.lost.clear()
    this.apply(record.operations, node)
  }

  private attach(node: Node): void {
    const { up } = node
    if (up === null) this.roots.add(node)
    else if (up.down === null) up.down = node
    else if (up.down instanceof Set) up.down.add(node)
    else if (up.down instanceof Node) up.down = new Set([up.down, node])
  }

  private detach(node: Node): void {
    const { up } = node
    if (up === null) this.roots.delete(node)
    else if (up.down instanceof Set) up.down.delete(node)
    else if (up.down === node) up.down = null
  }

  private unknownRestore(operations: readonly StateOperation[]): string | null {
    const names = new Map<string, boolean>()
    for (const { action, name } of operations) {
      if (name === undefined) continue
      if (action !== 'restore') names.set(name, action === 'save')
      else if (!(names.get(name) ?? this.checkpoints.has(name))) return name
    }
    return null
  }

  /** In call order. `node` is the durable cell that asked; null for a volatile one, which can not save. */
  private apply(operations: readonly StateOperation[], node: Node | null): void {
    // A program that restores has left its state on purpose: nobody has to be told that it is gone.
    if (operations.some(({ action }) => action === 'restore')) this.lost.clear()
    for (const { action, name } of operations) {
      if (name === undefined) this.head = node === null ? this.head : node.up
      else if (action === 'delete') this.checkpoints.delete(name)
      else if (action === 'restore') this.head = this.checkpoints.has(name) ? this.checkpoints.get(name) ?? null : this.head
      else if (node !== null) this.checkpoints.set(name, node)
    }
  }

  private contract({ failed, frontier }: Kind<'boundary'>): void {
    const cell = this.cells.get(failed)
    if (cell instanceof Node) {
      // Whether or not the boundary names the right frontier: the only state before a node is its parent's.
      this.drop(cell)
    } else if (cell === undefined || frontier !== cellOf(this.head)) {
      // It speaks of a history that is not this one, so nothing in this one is certain to be what its replay saw.
      this.onDistrust?.(failed, 'a boundary speaks of another history', 'fold')
      for (const root of this.roots) this.drop(root)
      this.head = null
    }
    this.lose(failed, 'contracted')
  }

  /** J3. The cell and what was built on it are not trusted any more. */
  private distrust(seq: number, detail: string, check: 'schema' | 'fold' = 'fold'): void {
    this.onDistrust?.(seq, detail, check)
    const open = this.open.get(seq)
    if (open) open.distrust ??= detail
    this.lose(seq, 'invalid', detail)
    const cell = this.cells.get(seq)
    if (cell instanceof Node) this.drop(cell)
  }

  private drop(top: Node): void {
    const falling = [top]
    for (let node = falling.pop(); node; node = falling.pop()) {
      this.cells.set(node.cell, SETTLED)
      this.lose(node.cell, 'contracted')
      if (node.down instanceof Set) falling.push(...node.down)
      else if (node.down instanceof Node) falling.push(node.down)
      node.down = 'dropped'
    }
    this.detach(top)
    if (this.head?.down === 'dropped') this.head = top.up
    for (const [name, node] of this.checkpoints) if (node?.down === 'dropped') this.checkpoints.delete(name)
  }

  private lose(cell: number, reason: LostCell['reason'], detail?: string): void {
    if (!this.lost.has(cell)) this.lost.set(cell, { cell, reason, ...detail !== undefined && { detail } })
  }
}

/** F1: copies what changes; the path is walked when somebody looks at it, over links that never change. */
function snapshotOf<C extends PathCell>(
  look: (node: Node) => C, head: Node | null, checkpoints: ReadonlyMap<string, Node | null>, lost: ReadonlyMap<number, LostCell>,
  open: ReadonlyMap<number, OpenCell>,
): Frontier<C> {
  const all = new Map(lost)
  const inDoubt: InDoubtCall[] = []
  for (const { cell, calls } of open.values()) {
    if (!all.has(cell)) all.set(cell, { cell, reason: 'unsettled' })
    for (const call of calls?.values() ?? []) if (call !== null) inDoubt.push(call)
  }
  let path: C[] | undefined
  return {
    head: cellOf(head),
    get path() {
      if (path === undefined) {
        path = []
        for (let node = head; node !== null; node = node.up) path.push(look(node))
        path.reverse()
      }
      return path
    },
    checkpoints: new Map([...checkpoints].map(([name, node]) => [name, cellOf(node)])),
    lost: [...all.values()].sort((a, b) => a.cell - b.cell),
    inDoubt,
  }
}

/** An empty fold. `add` never throws. */
export function createFold(onDistrust?: Distrusted): Fold {
  return new HistoryFold(foldedCell, true, onDistrust)
}

/** An empty fold that keeps of each cell where it stands, and not what it said. */
export function createIndex(): Fold<PathCell> {
  return new HistoryFold(pathCell, false)
}

/** The frontier of a fold without contents with those of its path, from the entries that were folded. */
export async function withContents(frontier: Frontier<PathCell>, entries: AsyncIterable<HistoryEntry>): Promise<Frontier> {
  const cells = new Map(frontier.path.map((cell) => [cell.cell, cell]))
  const opened = new Map<number, { readonly source: string, readonly cwd: string, readonly surface: Surface | undefined }>()
  let surface: Surface | undefined
  const path: FoldedCell[] = []
  if (cells.size > 0) {
    for await (const entry of entries) {
      if (entry.kind === 'cell-opened') {
        surface = surfaceAfter(surface, entry)
        if (cells.has(entry.seq)) opened.set(entry.seq, { source: entry.source, cwd: entry.cwd, surface })
      }
      const from = entry.kind === 'cell-settled' ? opened.get(entry.cell) : undefined
      if (entry.kind !== 'cell-settled' || from === undefined) continue
      opened.delete(entry.cell)
      const record = parseRecord(entry.record, from.cwd)
      if (!('invalid' in record)) path.push({ ...cells.get(entry.cell)!, ...contentsOf(from.source, record, from.surface) })
    }
  }
  const { head, checkpoints, lost, inDoubt } = frontier
  if (path.length < cells.size) throw journalError('io', 'reading the history', 'cells that were in it are not there any more')
  return { head, path, checkpoints, lost, inDoubt }
}

/** Folds a whole history. Never throws because of an entry (J3). */
export function fold(entries: Iterable<HistoryEntry>): Frontier {
  const folding = createFold()
  for (const entry of entries) folding.add(entry)
  return folding.frontier()
}

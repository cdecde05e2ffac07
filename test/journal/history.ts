// Short hands for histories in tests: a valid record to alter, and a script of entries that numbers itself.
import type { CellRecord, Envelope, HistoryEntry, NewEntry, RecordedCall, StateOperation } from '../../plugins/journal/types.ts'

export const envelope = (root: unknown): Envelope => ({ codec: 'ptc-value-graph/v1', root, nodes: [] })

export const callOf = (settle: number): RecordedCall => ({
  global: 'tools', member: 'add', args: envelope(1), settle, ok: true, value: envelope(2),
})

const common = {
  version: 11, languageSemantics: 'stateful-v1', moduleTransform: 'native-root-v1+amaro@1.2.1', cwd: '/home/me',
  namespaces: ['code', 'repl', 'tools'], userBindingsFingerprint: null, userBindingNames: null,
  calls: [], wakes: [], ambient: [], operations: [], confirms: [], diagnostics: [],
} as const

export const durable: CellRecord = { ...common, status: 'durable', completion: { kind: 'return', hasValue: false } }
export const volatile: CellRecord = { ...durable, status: 'volatile', volatileReason: 'import node:fs' }
export const discarded: CellRecord = { ...common, status: 'discarded' }
export const noop: CellRecord = { ...common, status: 'noop' }
/** The fate of a cell that was ended while a call had no answer. */
export const cutOff: CellRecord = { ...discarded, volatileReason: 'tools.never' }

/** A record of version 10 with the policies of its language spelled out. */
export const version10 = {
  version: 10, languageSemantics: 'stateful-v1', moduleTransform: 'stateful-module-v2+amaro@1.1.11',
  bindingPolicy: { variableRedeclarations: true, functionClassRedeclarations: true },
  rewritePolicy: { autoRewriteImports: true, autoStripExports: true, autoSplitRedeclarations: true },
  moduleSemantics: { defaultExportBinding: 'live-readonly', importExpressionBoundary: 'statement-safe' },
  userBindingsFingerprint: null, userBindingsReusePolicy: 'implementation-v1', userBindingsShadowPolicy: 'per-name',
  userBindingNames: null, status: 'durable', calls: [], operations: [], confirms: [], diagnostics: [],
  completion: { kind: 'return', hasValue: false },
} as const

export const doing = (...operations: StateOperation[]): CellRecord => ({ ...durable, operations })

/** Builds a history entry by entry; `open` and `cell` answer the cell's `seq`. */
export class Script {
  readonly entries: HistoryEntry[] = []

  add(entry: NewEntry): number {
    const seq = this.entries.length + 1
    this.entries.push({ seq, at: 0, ...entry })
    return seq
  }

  open(source = 'x'): number {
    return this.add({ kind: 'cell-opened', source, cwd: '/home/me' })
  }

  /** `record` is not always one: the fold is given damaged ones, too. */
  settle(cell: number, record: unknown): number {
    return this.add({ kind: 'cell-settled', cell, record: record as CellRecord })
  }

  cell(record: unknown, source?: string): number {
    const cell = this.open(source)
    this.settle(cell, record)
    return cell
  }

  boundary(failed: number, frontier: number | null): number {
    return this.add({ kind: 'boundary', failed, frontier })
  }

  call(cell: number, call: number): number {
    return this.add({ kind: 'call-opened', cell, call, global: 'tools', member: 'never', args: envelope(call) })
  }

  answer(cell: number, call: number, ok = true): number {
    return this.add({ kind: 'call-settled', cell, call, ok })
  }
}

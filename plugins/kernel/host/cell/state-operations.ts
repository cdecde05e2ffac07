// `repl.state`: what a cell asks of its own history (contract 3.5). Answers are receipts; what was asked takes effect when the
// cell settles, in call order, by what its record says.
//
// Owns: the operations of one cell. Does not own: checkpoints, which the fold derives from records.
import type { StateOperation } from '../../../journal/types.ts'
import type { NamespaceView } from '../../../capabilities/types.ts'

export const STATE_NAMESPACE: NamespaceView = Object.freeze({ name: 'repl', members: Object.freeze(['state']), soft: true })

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u

export class StateOperations {
  private readonly operations: StateOperation[] = []
  private known: Set<string> | undefined
  private readonly checkpoints: () => Iterable<string>
  private readonly volatileReason: () => string | undefined

  /** `checkpoints` answers the names that exist; `volatileReason` says why the session can not be replayed, if so. */
  constructor(checkpoints: () => Iterable<string>, volatileReason: () => string | undefined) {
    this.checkpoints = checkpoints
    this.volatileReason = volatileReason
  }

  private get names(): Set<string> { return this.known ??= new Set(this.checkpoints()) }

  get restores(): boolean { return this.operations.some(({ action }) => action === 'restore') }

  /** The part of them that a record of this status keeps: what can not be replayed can not be saved. */
  recorded(status: string): StateOperation[] {
    if (status === 'durable') return [...this.operations]
    return status === 'volatile' ? this.operations.filter(({ action }) => action !== 'save') : []
  }

  /** Answers one call; throws what the program is to see. */
  answer(args: unknown): object {
    if (typeof args !== 'object' || args === null || Array.isArray(args)) throw new TypeError('repl.state takes { action: list | save | restore | delete, name? }')
    const { action, name, ...others } = args as { action?: unknown, name?: unknown }
    if (Object.keys(others).length > 0) throw new TypeError(`repl.state does not know ${Object.keys(others).join(', ')}`)
    if (action === 'list') {
      if (name !== undefined) throw new TypeError('list takes no name')
      return this.list()
    }
    if (action === 'restore' && name === undefined) {
      this.operations.push({ action })
      return { action, restored: true }
    }
    if (action !== 'save' && action !== 'restore' && action !== 'delete') throw new TypeError(`${JSON.stringify(action)} is no action: list, save, restore or delete`)
    if (typeof name !== 'string' || !NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a checkpoint: 1 to 64 letters, digits, dots, dashes or underscores`)
    return this[action](name)
  }

  private list(): object {
    const reason = this.volatileReason()
    const names = [...this.names].sort()
    return reason === undefined ? { names, mode: 'durable' } : { names, mode: 'volatile', volatileReason: reason }
  }

  private save(name: string): object {
    const reason = this.volatileReason()
    if (reason !== undefined) throw new Error(`the state can not be saved: the session is volatile (${reason})`)
    this.operations.push({ action: 'save', name })
    this.names.add(name)
    return { action: 'save', name, saved: true }
  }

  private restore(name: string): object {
    if (!this.names.has(name)) throw new Error(`there is no checkpoint ${name}`)
    this.operations.push({ action: 'restore', name })
    return { action: 'restore', name, restored: true }
  }

  private delete(name: string): object {
    this.operations.push({ action: 'delete', name })
    this.names.delete(name)
    return { action: 'delete', name, deleted: true }
  }
}

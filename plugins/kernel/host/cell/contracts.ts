// What the explorer and the declaration say about the namespaces that the kernel dispatches itself. The members are
// nested-run.ts and state-operations.ts, which read their arguments themselves.
import type { Declarations } from '../../../capabilities/types.ts'

const CHECKPOINT = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$', description: 'Name of a checkpoint.' }
const action = (name: string) => ({ const: name })
const closed = (properties: Readonly<Record<string, object>>, required: readonly string[]) =>
  ({ type: 'object', properties, required, additionalProperties: false })

export const CODE_CONTRACTS: Declarations = {
  run: {
    description: 'Runs source isolated from this session, in a process of its own. For source that is held as data; to run code, write it.',
    parameters: closed({ code: { type: 'string' }, description: { type: 'string' } }, ['code', 'description']),
    returns: closed({ logs: { type: 'array', items: { type: 'string' } }, result: {} }, ['logs']),
    replay: 'recorded-value', effect: 'external', completeness: 'complete',
  },
}

export const STATE_CONTRACTS: Declarations = {
  state: {
    description: 'Lists, saves, restores or deletes checkpoints of this session. What was asked takes effect when the cell has ended.',
    parameters: {
      oneOf: [
        closed({ action: action('list') }, ['action']),
        closed({ action: { enum: ['save', 'delete'] }, name: CHECKPOINT }, ['action', 'name']),
        closed({ action: action('restore'), name: CHECKPOINT }, ['action']),
      ],
    },
    returns: {
      oneOf: [
        closed({ names: { type: 'array', items: { type: 'string' } }, mode: { enum: ['durable', 'volatile'] }, volatileReason: { type: 'string' } }, ['names', 'mode']),
        closed({ action: action('save'), name: { type: 'string' }, saved: { const: true } }, ['action', 'name', 'saved']),
        closed({ action: action('restore'), name: { type: 'string' }, restored: { const: true } }, ['action', 'restored']),
        closed({ action: action('delete'), name: { type: 'string' }, deleted: { const: true } }, ['action', 'name', 'deleted']),
      ],
    },
    replay: 'recorded-value', effect: 'write', completeness: 'complete',
  },
}

// The explorer as members like any others, so that a question of a program is dispatched, recorded and replayed like any other call.
// Declares the shapes of questions and answers; reading them is request.ts, answering them lookup.ts and search.ts.
import type { CellPlan, JsonSchema, Members } from '../types.ts'
import { parseNothing } from './request.ts'

/** The namespace under which programs ask. It does not list itself. */
export const EXPLORER = 'capabilities'
/** A bad question is a bad argument, in a program as in the host. */
export const EXPLORER_ERROR = Object.freeze({ name: 'CapabilityExplorationError', memberNameProperty: 'operation', extends: 'TypeError' } as const)

const TEXT: JsonSchema = { type: 'string' }
const COUNT: JsonSchema = { type: 'integer', minimum: 1 }
const NATURAL: JsonSchema = { type: 'integer', minimum: 0 }
const TEXTS: JsonSchema = { type: 'array', items: TEXT }
const SCHEMA: JsonSchema = { anyOf: [{ type: 'object' }, { type: 'null' }], description: 'JSON Schema, or null when nothing is declared.' }

const oneOf = (...values: string[]): JsonSchema => ({ type: 'string', enum: values })
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
function record(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties).filter(name => !optional.includes(name)), additionalProperties: false }
}

const COMPLETENESS = oneOf('complete', 'bounded', 'incremental', 'open-world', 'unknown')
const EFFECT = oneOf('none', 'read', 'write', 'external', 'unknown')
const REPLAY = oneOf('recorded-value', 'owner-replay', 'volatile', 'unknown')
const CONTRACT = record({
  namespace: TEXT, name: TEXT, description: TEXT, parameters: SCHEMA, returns: SCHEMA,
  completeness: COMPLETENESS, effect: EFFECT, authority: TEXT, replay: REPLAY,
  sourceRef: { ...TEXT, description: 'Where the member comes from.' }, revision: { ...TEXT, description: 'Which state of that source it is of.' },
  fingerprint: { ...TEXT, description: 'The same as long as the contract is the same.' },
}, ['description', 'sourceRef', 'revision'])
const $defs = { Contract: CONTRACT }
const CONTRACTS = listOf({ $ref: '#/$defs/Contract' })

/** `service` answers for the session that asks. */
export function explorerMembers(service: Pick<CellPlan, 'tree' | 'find' | 'inspect' | 'search'>): Members {
  const common = { replay: 'recorded-value', effect: 'none', completeness: 'complete' } as const
  return {
    tree: {
      ...common,
      description: 'Lists the namespaces that can be called here, with the names of their members.',
      returns: listOf(record({ namespace: TEXT, members: TEXTS })),
      call(args, { session }) {
        parseNothing(args)
        return service.tree(session)
      },
    },
    find: {
      ...common,
      description: 'Finds members by symbol, namespace, name, or words next to each other in a name or description. A miss is no proof of absence.',
      parameters: TEXT,
      returns: listOf(record({ symbol: TEXT, description: TEXT, completeness: COMPLETENESS, effect: EFFECT, replay: REPLAY }, ['description'])),
      call: (args, { session }) => service.find(args as string, session),
    },
    inspect: {
      ...common,
      description: 'Shows the contracts of members: what they take and answer, what they do, and what a replay does with a call.',
      parameters: record({
        symbols: { ...TEXTS, description: 'As namespace.member. Without them: all.' },
        budget: { ...COUNT, description: 'How many contracts at most. Default: 50.' },
      }, ['symbols', 'budget']),
      returns: { ...record({ symbols: CONTRACTS, omitted: NATURAL, unknown: TEXTS, budget: COUNT }), $defs },
      call: (args, { session }) => service.inspect(args as { symbols?: readonly string[], budget?: number }, session),
    },
    search: {
      ...common,
      description: 'Searches contracts by words, English or Chinese, in names, descriptions and parameters, best first, in pages of bounded size.',
      parameters: record({
        query: TEXT,
        budgetBytes: { type: 'integer', minimum: 512, description: 'Bytes of the whole answer as JSON. Default: 16384.' },
        limit: { ...COUNT, description: 'How many matches a page looks at. Default: 10.' },
        cursor: { ...TEXT, description: 'nextCursor of the page before, for the same query.' },
      }, ['budgetBytes', 'limit', 'cursor']),
      returns: {
        ...record({
          matches: { ...CONTRACTS, description: 'Complete contracts.' },
          oversized: {
            ...listOf(record({ symbol: TEXT, bytes: COUNT, inspect: record({ symbols: TEXTS }) })),
            description: 'Matches whose contract does not fit into budgetBytes, each with what to ask inspect for.',
          },
          total: NATURAL, usedBytes: COUNT, budgetBytes: COUNT,
          nextCursor: { type: ['string', 'null'], description: 'null: there is no more.' },
        }),
        $defs,
      },
      call: (args, { session }) => service.search(args as { query: string }, session),
    },
  }
}

// `tools.edit_run_code`: what programs and readers are told about it, and its place among a cell's namespaces. `tools` belongs to
// the host, where there is one: then the kernel adds its member. Where there is none, `tools` is a soft namespace of this one
// member, which a session name hides.
import type { Declarations, NamespaceView } from '../../../capabilities/types.ts'
import { EDIT_LIMITS } from '../../edit/limits.ts'

export const EDIT = { global: 'tools', member: 'edit_run_code' } as const

const text = { type: 'string' }
const whole = (minimum: number, maximum?: number) => ({ type: 'integer', minimum, ...maximum === undefined ? {} : { maximum } })
const closed = (properties: Readonly<Record<string, object>>, required = Object.keys(properties)) =>
  ({ type: 'object', properties, required, additionalProperties: false })
const listOf = (items: object) => ({ type: 'array', items, minItems: 1, maxItems: EDIT_LIMITS.edits })

const EXACT = listOf(closed({ old_string: { ...text, description: 'Occurs exactly once.' }, new_string: text }))
const REGEX = listOf(closed({
  pattern: text, flags: { ...text, description: 'Some of gimsu. Matching is always global.' },
  replacement: { ...text, description: 'With $1, $<name>, $&.' }, expected_matches: whole(1, EDIT_LIMITS.matches),
}))
const GUARD = { expected_target_call_seq: { ...whole(0), description: 'Refuse when another cell than this one is edited.' } }

export const EDIT_CONTRACTS: Declarations = {
  [EDIT.member]: {
    description: 'Edits the source of the most recently settled run_code cell and, after this cell, runs all of it again. Effects of the first run stay.',
    parameters: { oneOf: [closed({ edits: EXACT, ...GUARD }, ['edits']), closed({ regex_edits: REGEX, ...GUARD }, ['regex_edits'])] },
    returns: {
      oneOf: [
        closed({ accepted: { const: true }, scheduled: { const: true }, target_call_seq: whole(0) }),
        closed({ accepted: { const: false }, scheduled: { const: false }, reason: text }),
      ],
    },
    replay: 'recorded-value', effect: 'external', completeness: 'complete',
  },
}

/** Not listed in records: whether `tools` was an owner's in its time is what a record tells by listing it. */
export const SOFT_TOOLS: NamespaceView = Object.freeze({ name: EDIT.global, members: Object.freeze([EDIT.member]), soft: true })

/** Whether the member of these namespaces is the kernel's. An owner may bring its own, which is then dispatched like any other. */
export function isKernelEdit(owned: readonly NamespaceView[]): boolean {
  return !owned.some(({ name, members }) => name === EDIT.global && members.includes(EDIT.member))
}

/** By the owner's view, which does not change, so that the same namespace is the same object in every cell. */
const shared = new WeakMap<NamespaceView, NamespaceView>()

function withMember(view: NamespaceView): NamespaceView {
  const known = shared.get(view)
  if (known !== undefined) return known
  const made = Object.freeze({ ...view, members: Object.freeze([...view.members, EDIT.member].sort()) })
  shared.set(view, made)
  return made
}

/** `owned`: the namespaces of owners. */
export function withEdit(owned: readonly NamespaceView[]): NamespaceView[] {
  if (!isKernelEdit(owned)) return [...owned]
  if (!owned.some(({ name }) => name === EDIT.global)) return [...owned, SOFT_TOOLS]
  return owned.map((view) => view.name === EDIT.global ? withMember(view) : view)
}

/** For source that is no cell of the session. */
export function withoutEdit(views: readonly NamespaceView[]): NamespaceView[] {
  return views.filter((view) => view !== SOFT_TOOLS).map((view) => view.name === EDIT.global ? { ...view, members: view.members.filter((member) => member !== EDIT.member) } : view)
}

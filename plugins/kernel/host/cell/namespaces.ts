// Which namespaces a cell is given: those of owners, and the kernel's own. A replay gets those of its record.
import type { CapabilityService, CellPlan, NamespaceView } from '../../../capabilities/types.ts'
import type { CellRecord, FoldedCell, SeenNamespace, Surface } from '../../../journal/types.ts'
import { EDIT, SOFT_TOOLS, withEdit } from '../edit/member.ts'
import { CODE_NAMESPACE } from './nested-run.ts'
import { STATE_NAMESPACE } from './state-operations.ts'

const byName = (one: { readonly name: string }, other: { readonly name: string }): number => one.name < other.name ? -1 : 1

/** What programs may call: the owners' namespaces and the kernel's own. By name, as in a replay: programs can ask in which order globals came. */
export function withKernelNamespaces(owners: readonly NamespaceView[]): NamespaceView[] {
  return [...withEdit(owners), STATE_NAMESPACE, CODE_NAMESPACE].sort(byName)
}

/** What a cell of this session that starts now may call. */
export function namespacesNow(plan: CellPlan, session: string, capabilities: Pick<CapabilityService, 'allows'>): NamespaceView[] {
  const isOwn = (view: NamespaceView) => view === STATE_NAMESPACE || view === CODE_NAMESPACE
  return withKernelNamespaces(plan.view(session)).filter((view) => !isOwn(view) || capabilities.allows(session, view.name, view.members[0]!))
}

/** The names that a record lists. */
export function listedNames(views: readonly NamespaceView[]): string[] {
  return views.filter((view) => view !== SOFT_TOOLS).map(({ name }) => name)
}

const isSameClass = (one: SeenNamespace['errorClass'], other: SeenNamespace['errorClass']): boolean =>
  one === other || (one?.name === other?.name && one?.memberNameProperty === other?.memberNameProperty && one?.extends === other?.extends)

/** To a list of members, the one that it was last found to be equal to: there may be thousands, and the same ones in every cell. */
const equals = new WeakMap<readonly string[], readonly string[]>()

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  if (one === other || equals.get(one) === other) return true
  if (one.length !== other.length || one.some((name, index) => name !== other[index])) return false
  equals.set(one, other)
  return true
}

/**
 * What a program can see of these namespaces, which are in name order, unless that is what is `known`. For which members an argument
 * may be left out is not of it: what such a call meant is in its record.
 */
export function changedSurface(views: readonly NamespaceView[], known: Surface | undefined): Surface | undefined {
  const isKnown = known?.length === views.length && views.every(({ name, members, errorClass, soft = false }, index) => {
    const other = known[index]!
    return name === other.name && soft === (other.soft ?? false) && isSameClass(errorClass, other.errorClass) && isSameList(members, other.members)
  })
  if (isKnown) return undefined
  return views.map(({ name, members, errorClass, soft }) => ({ name, members, ...errorClass === undefined ? {} : { errorClass }, ...soft === true ? { soft } : {} }))
}

/** With the members that were called: of a history that does not say which there were, and of one that others went on with. */
function withCalled(view: SeenNamespace | NamespaceView | undefined, name: string, calls: CellRecord['calls']): NamespaceView {
  const members = view?.members ?? []
  const called = new Set(calls.filter(({ global }) => global === name).map(({ member }) => member))
  const missing = [...called].filter((member) => !members.includes(member))
  return view !== undefined && missing.length === 0 ? view : { ...view, name, members: [...members, ...missing].sort() }
}

/** The namespaces of a cell's time (R3): as its history tells them, or else those that it called and those of today. */
export function recordedNamespaces({ record: { namespaces, calls }, surface }: FoldedCell, today: readonly NamespaceView[]): NamespaceView[] {
  const isListed = (view: NamespaceView | SeenNamespace) => view.name !== EDIT.global || view.soft !== true
  const of = (views: readonly SeenNamespace[] | readonly NamespaceView[] | undefined, name: string) =>
    views?.find((view) => view.name === name && isListed(view))
  const listed = namespaces.map((name) => withCalled(of(surface, name) ?? of(today, name), name, calls))
  if (namespaces.includes(EDIT.global)) return listed
  return [...listed, surface?.find((view) => view.name === EDIT.global && !isListed(view)) ?? SOFT_TOOLS].sort(byName)
}

// Which namespaces a cell is given: those of owners, and the kernel's own. A replay gets those of its record.
import type { CapabilityService, CellPlan, NamespaceView } from '../../../capabilities/types.ts'
import type { CellRecord } from '../../../journal/types.ts'
import { EDIT, SOFT_TOOLS, withEdit } from '../edit/member.ts'
import { CODE_NAMESPACE } from './nested-run.ts'
import { STATE_NAMESPACE } from './state-operations.ts'

/** What programs may call: the owners' namespaces and the kernel's own. */
export function withKernelNamespaces(owners: readonly NamespaceView[]): NamespaceView[] {
  return [...withEdit(owners), STATE_NAMESPACE, CODE_NAMESPACE]
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

/** The namespaces of a record's time (R3), with the members that it called and those that the namespace has today. */
export function recordedNamespaces({ namespaces, calls }: CellRecord, today: readonly NamespaceView[]): NamespaceView[] {
  const listed = namespaces.map((name) => {
    const view = today.find((candidate) => candidate.name === name && candidate !== SOFT_TOOLS)
    const called = calls.filter(({ global }) => global === name).map(({ member }) => member)
    return { ...view, name, members: [...new Set([...view?.members ?? [], ...called])].sort() }
  })
  return namespaces.includes(EDIT.global) ? listed : [...listed, SOFT_TOOLS]
}

// Names inside enums and namespaces. An exported variable of a namespace and a member of an enum live on an object, so a
// bare reference to one reads it from there; also in a later body that adds to the same enum or namespace.
import type { Reference, Scope } from '../analysis/scopes.ts'
import { replace, type Draft } from '../draft.ts'
import { identifierEnd, member } from '../text.ts'

/** What enum or namespace bodies of one name have exported so far, and what the nested ones have. */
export interface Merged {
  readonly exported: Set<string>
  readonly nested: Map<string, Merged>
}

export function createMerged(): Merged { return { exported: new Set(), nested: new Map() } }

/** One body. */
export interface Qualifier {
  /** The variable that holds the object while the body runs. */
  readonly object: string
  /** Names of this body that only exist on the object. */
  readonly own: Set<string>
  /** Names that earlier bodies have put there. */
  readonly earlier: ReadonlySet<string>
  readonly merged: Merged
}

export interface Qualifiers {
  readonly bodies: Map<Scope, Qualifier>
  /** By the scope in which they are declared and their name, those that no namespace exports. */
  readonly locals: Map<Scope, Map<string, Merged>>
}

export function qualifyReferences(draft: Draft, qualifiers: Qualifiers): void {
  const names = new Set<string>()
  for (const { own, earlier } of qualifiers.bodies.values()) {
    for (const name of own) names.add(name)
    for (const name of earlier) names.add(name)
  }
  for (const name of names) {
    for (const reference of draft.analysis.references.get(name) ?? []) {
      const qualifier = reference.type ? null : qualifierOf(name, reference, qualifiers)
      if (qualifier === null) continue
      const { start } = reference.node
      const target = member(qualifier.object, name)
      replace(draft, start, identifierEnd(draft.text, reference.node), reference.shorthand ? `${name}: ${target}` : target)
    }
  }
}

function qualifierOf(name: string, { scope }: Reference, qualifiers: Qualifiers): Qualifier | null {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const qualifier = qualifiers.bodies.get(at)
    if (at.bindings.has(name)) return qualifier?.own.has(name) === true ? qualifier : null
    if (qualifier?.earlier.has(name) === true) return qualifier
  }
  return null
}

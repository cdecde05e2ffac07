// The object behind an enum or a namespace: where its name lives, and whether the declaration makes a new object or adds to
// one that is there. Both forms become `void ((object) => { ... })(object);`, which needs no semicolon before it.
import type { Lowered } from '../analysis/analyze.ts'
import type { Scope } from '../analysis/scopes.ts'
import type { Node } from '../ast.ts'
import { declareName, type Draft } from '../draft.ts'
import { REALM, sessionName } from '../isolation/names.ts'
import { member } from '../text.ts'
import { createMerged, type Merged, type Qualifiers } from './qualify.ts'

export interface Holder {
  /** What declares the name, if anything has to. */
  readonly declaration: string
  /** The expression that assigns the name and yields the object. */
  readonly object: string
}

/** `extend` tells whether the declaration adds to an object that the session has under this name. */
export function holder(draft: Draft, { scope, exporter }: Lowered, id: Node, qualifiers: Qualifiers, extend: string): Holder {
  const { name } = id
  const isRepeated = scope.bindings.get(name)!.some((declaration) => declaration.id.start < id.start)
  if (scope.kind === 'root') {
    declareName(draft, name, 'variable', id.start)
    draft.vars.add(name)
    // A declaration of such a name does not add to what the realm has there, only to what the session has.
    const isNew = !isRepeated && REALM.has(name) && draft.request.isolated?.includes(name) !== true
    const object = isNew ? '{}' : extend
    return { declaration: '', object: `${sessionName(draft, name)} = ${draft.abi}.d(${JSON.stringify(name)}, ${object})` }
  }
  const declaration = isRepeated ? '' : `let ${name}; `
  const outer = exporter === null ? undefined : qualifiers.bodies.get(scope)
  const made = isRepeated ? name : '{}'
  if (outer === undefined) return { declaration, object: isRepeated ? `${name} ??= {}` : `${name} = {}` }
  const slot = member(outer.object, name)
  return { declaration, object: `${name} = ${slot} ??= ${made}` }
}

/** What bodies of this name have exported before, in this cell. */
export function mergedOf(name: string, scope: Scope, isExported: boolean, { bodies, locals }: Qualifiers): Merged {
  let known = isExported ? bodies.get(scope)?.merged.nested : locals.get(scope)
  if (known === undefined) locals.set(scope, known = new Map())
  let merged = known.get(name)
  if (merged === undefined) known.set(name, merged = createMerged())
  return merged
}

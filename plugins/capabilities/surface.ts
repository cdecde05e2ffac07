// What a session may call, in the three ways in which it is told: the names of a cell's globals, the catalog of the explorer, and the
// declaration that a model reads. All of them are made from one list of namespaces, so that they can not disagree.
import { errorClassText } from './declare/declaration.ts'
import { Catalog } from './explorer/catalog.ts'
import { EXPLORER } from './explorer/members.ts'
import type { Namespace } from './namespace.ts'
import type { NamespaceView } from './types.ts'

/** What a reader is told of what can be called. Absent: of everything, in full. */
export interface Told { readonly shows?: (namespace: string, member: string) => boolean, readonly disclosed?: Disclosed }

/** Of the members of a surface, those that are declared, and those that are named. The others have to be searched for. */
export interface Disclosed { readonly full: ReadonlySet<string>, readonly directory: ReadonlySet<string> }

export class Surface {
  private readonly callable: readonly Namespace[]
  private readonly all: readonly Namespace[]
  private readonly disclosed: Disclosed | undefined
  private readonly made: { catalog?: Catalog, declaration?: string } = {}

  /** `explained`: namespaces that others dispatch. They are shown and declared, and not a part of the view. */
  constructor(callable: readonly Namespace[], explained: readonly Namespace[], { shows, disclosed }: Told = {}) {
    this.callable = inNameOrder(callable)
    const all = inNameOrder(joined(callable, explained))
    this.all = shows === undefined ? all : all.flatMap(namespace => namespace.part(member => shows(namespace.name, member)) ?? [])
    this.disclosed = disclosed
  }

  view(): NamespaceView[] {
    return this.callable.map(({ view }) => view)
  }

  get catalog(): Catalog {
    return this.made.catalog ??= new Catalog(this.all.filter(({ name }) => name !== EXPLORER).map(({ segment }) => segment))
  }

  get declaration(): string {
    return this.made.declaration ??= this.written()
  }

  private written(): string {
    const isDeclared = (name: string, member: string): boolean =>
      this.disclosed === undefined || name === EXPLORER || this.disclosed.full.has(`${name}.${member}`)
    const declared = this.all.flatMap(namespace => namespace.targets.size === 0 ? namespace : namespace.part(member => isDeclared(namespace.name, member)) ?? [])
    const classes = new Map(declared.flatMap(({ traits: { errorClass } }) => errorClass ? [[errorClass.name, errorClassText(errorClass)]] : []))
    return [...classes.values(), ...declared.map(({ declaration }) => declaration.text), ...this.directory()].join('\n')
  }

  /** Members that are not declared: by name, or by number. */
  private directory(): string[] {
    const { disclosed } = this
    if (disclosed === undefined) return []
    const lines: string[] = []
    let unnamed = 0
    for (const { name, targets } of this.all) {
      if (name === EXPLORER) continue
      const others = [...targets.keys()].filter(member => !disclosed.full.has(`${name}.${member}`))
      const named = others.filter(member => disclosed.directory.has(`${name}.${member}`))
      if (named.length > 0) lines.push(`//   ${name}: ${named.join(', ')}\n`)
      unnamed += others.length - named.length
    }
    return [
      ...lines.length > 0 ? [`// capabilities.inspect({ symbols }) shows how to call these:\n${lines.join('')}`] : [],
      ...unnamed > 0 ? [`// ${unnamed} more: capabilities.search({ query })\n`] : [],
    ]
  }
}

function joined(callable: readonly Namespace[], explained: readonly Namespace[]): Namespace[] {
  const byName = new Map(callable.map(namespace => [namespace.name, namespace]))
  for (const namespace of explained) byName.set(namespace.name, byName.get(namespace.name)?.joined(namespace) ?? namespace)
  return [...byName.values()]
}

const inNameOrder = (namespaces: readonly Namespace[]): Namespace[] => [...namespaces].sort((a, b) => a.name < b.name ? -1 : 1)

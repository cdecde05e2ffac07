// What one session may call, in the three ways in which it is told: the names of a cell's globals, the catalog of the explorer, and the
// declaration that a model reads. All of them are made from one list of namespaces, so that they can not disagree.
import { errorClassText } from './declare/declaration.ts'
import { Catalog } from './explorer/catalog.ts'
import { EXPLORER } from './explorer/members.ts'
import type { Namespace } from './namespace.ts'
import type { NamespaceView } from './types.ts'

export class Surface {
  private readonly callable: readonly Namespace[]
  private readonly explained: readonly Namespace[]
  private readonly made: { catalog?: Catalog, declaration?: string } = {}

  /** `explained`: namespaces that others dispatch. They are shown and declared, and not a part of the view. */
  constructor(callable: Iterable<Namespace>, explained: Iterable<Namespace>) {
    this.callable = inNameOrder(callable)
    this.explained = [...explained]
  }

  view(): NamespaceView[] {
    return this.callable.map(({ view }) => view)
  }

  get catalog(): Catalog {
    const shown = inNameOrder([...this.callable, ...this.explained]).filter(({ name }) => name !== EXPLORER)
    return this.made.catalog ??= new Catalog(shown.map(({ segment }) => segment))
  }

  get declaration(): string {
    if (this.made.declaration !== undefined) return this.made.declaration
    const all = inNameOrder([...this.callable, ...this.explained])
    const classes = new Map(all.flatMap(({ traits: { errorClass } }) => errorClass ? [[errorClass.name, errorClassText(errorClass)]] : []))
    return this.made.declaration = [...classes.values(), ...all.map(({ text }) => text)].join('\n')
  }
}

const inNameOrder = (namespaces: Iterable<Namespace>): Namespace[] => [...namespaces].sort((a, b) => a.name < b.name ? -1 : 1)

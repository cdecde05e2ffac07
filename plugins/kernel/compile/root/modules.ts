// `import` and `export` in a cell. Static imports leave the body and become one virtual module, which the engine links before
// anything runs; the session's aliases read from it. An export is a declaration like any other.
import { holderOf } from '../analysis/scopes.ts'
import { isAnonymous, listOf, type Node } from '../ast.ts'
import { after, declareName, finish, replace, type Draft } from '../draft.ts'
import { erasedEnd, lineEnds } from '../text.ts'
import { isTypeOnly } from '../typescript/type-only.ts'
import { naming, quoted } from './variables.ts'

export function rootModuleItems(draft: Draft): void {
  const linked = new Linked(draft)
  for (const item of listOf(draft.program)) {
    switch (item.type) {
      case 'ImportDeclaration': if (item.importKind !== 'type') linked.add(item); break
      case 'ExportAllDeclaration': if (item.exportKind !== 'type') linked.add(item); break
      case 'ExportNamedDeclaration': if (item.exportKind !== 'type' && !isTypeOnly(item)) exportNamed(draft, item, linked); break
      case 'ExportDefaultDeclaration': if (item.declaration!.type !== 'TSInterfaceDeclaration') exportDefault(draft, item); break
      case 'TSExportAssignment': assignDefault(draft, item, item.expression); break
    }
  }
  draft.imports = linked.module()
}

/** The virtual module, each import on the line where the cell has it. */
class Linked {
  private readonly draft: Draft
  private code = ''
  private line = 0
  private any = false
  private readonly aliases = new Map<string, string>()

  constructor(draft: Draft) { this.draft = draft }

  add(item: Node): void {
    const { draft } = this
    const { text } = draft
    const line = lineEnds(text.slice(0, item.start)).length
    replace(draft, item.start, item.end, `;${lineEnds(text.slice(item.start, item.end))}`)
    const clause = item.type === 'ImportDeclaration' ? this.clause(item) : ''
    if (clause === null) return
    this.any = true
    this.code += '\n'.repeat(Math.max(0, line - this.line))
    this.line = Math.max(line, this.line)
    const attributes = (item.attributes ?? []).map(({ key, value }) => (
      `${text.slice(key.start, key.end)}: ${text.slice((value as Node).start, (value as Node).end)}`
    ))
    const phase = item.phase == null ? '' : `${item.phase} `
    this.code += `import ${phase}${clause}${text.slice(item.source!.start, item.source!.end)}`
    this.code += `${attributes.length === 0 ? '' : ` with { ${attributes.join(', ')} }`}; `
  }

  module(): Draft['imports'] {
    if (!this.any) return null
    const exported = [...this.aliases].map(([name, local]) => name === local ? name : `${local} as ${name}`)
    return { code: `${this.code}\nexport { ${exported.join(', ')} };`, aliases: [...this.aliases.keys()] }
  }

  /** What stands between `import` and the specifier, or null when the whole import was only about types. */
  private clause(item: Node): string | null {
    const used = item.specifiers.filter((specifier) => specifier.importKind !== 'type' && !isTypeUse(this.draft, specifier.local))
    if (used.length === 0) return item.specifiers.length === 0 ? '' : null
    const parts: string[] = []
    const named: string[] = []
    for (const specifier of used) {
      const local = this.alias(specifier.local)
      if (specifier.type === 'ImportDefaultSpecifier') parts.push(local)
      else if (specifier.type === 'ImportNamespaceSpecifier') parts.push(`* as ${local}`)
      else named.push(`${this.draft.text.slice(specifier.imported.start, specifier.imported.end)} as ${local}`)
    }
    if (named.length > 0) parts.push(`{ ${named.join(', ')} }`)
    return `${parts.join(', ')} from `
  }

  /** Of several imports of one name the last one counts; the others are linked under names of ours. */
  private alias({ name, start }: Node): string {
    declareName(this.draft, name, 'import', start)
    const local = this.aliases.has(name) ? this.draft.fresh() : name
    this.aliases.set(name, local)
    return local
  }
}

/** An imported name that the cell uses only as a type is not imported, also when its import does not say so. */
export function isTypeUse({ analysis }: Draft, { name }: Node): boolean {
  // A parameter or variable of the same name hides the import from expressions, not from types.
  const references = analysis.references.get(name)?.filter(({ scope, type }) => type || holderOf(name, scope) === analysis.root) ?? []
  return references.length > 0 && references.every(({ type }) => type)
}

function exportNamed(draft: Draft, item: Node, linked: Linked): void {
  if (item.declaration != null) {
    if (item.declaration.type.startsWith('TS')) return
    return dropUntil(draft, item.start, item.declaration.start)
  }
  if (item.source != null) return linked.add(item)
  replace(draft, item.start, item.end, `;${lineEnds(draft.text.slice(item.start, item.end))}`)
  for (const { exported, local, exportKind } of item.specifiers) {
    if (exportKind !== 'type' && (exported.name === 'default' || exported.value === 'default')) follow(draft, local.name, item.start)
  }
}

function exportDefault(draft: Draft, item: Node): void {
  const declaration = item.declaration!
  if (declaration.type === 'TSDeclareFunction' || declaration.declare === true) return
  const isNamed = (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') && declaration.id != null
  if (!isNamed) return assignDefault(draft, item, declaration)
  dropUntil(draft, item.start, declaration.start)
  follow(draft, declaration.id!.name, item.start)
}

function follow(draft: Draft, name: string, at: number): void {
  declareName(draft, '__default', 'variable', at)
  draft.defaultFollows = name
}

function assignDefault(draft: Draft, item: Node, value: Node): void {
  declareName(draft, '__default', 'variable', item.start)
  draft.defaultFollows = null
  const isUnnamed = (value.type === 'FunctionDeclaration' || value.type === 'ClassDeclaration') || isAnonymous(value)
  const [open, close] = isUnnamed ? naming('default', { type: 'ArrowFunctionExpression' } as Node) : ['', '']
  const { text } = draft
  replace(draft, item.start, value.start, `__default = ${draft.abi}.d(${quoted('__default')}, ${open}${lineEnds(text.slice(item.start, value.start))}`)
  const end = erasedEnd(value, text)
  after(draft, end, `${close})`)
  if (draft.source[item.end - 1] !== ';' || item.end === end) finish(draft, end, ';')
}

function dropUntil(draft: Draft, start: number, end: number): void {
  replace(draft, start, end, lineEnds(draft.text.slice(start, end)))
}

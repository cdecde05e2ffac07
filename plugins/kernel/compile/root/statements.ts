// Small things that only the code of the cell itself, outside all functions, means differently: a `return` without a value,
// `eval`, `import.meta`, and what a script may only have at its very start.
import { isCellLevel, type Scope } from '../analysis/scopes.ts'
import { before, mark, replace, type Draft } from '../draft.ts'

export function cellStatements(draft: Draft): void {
  const { analysis, abi, program } = draft
  if (program['interpreter'] != null) replace(draft, 0, 2, '//')
  const arrow = /^(?:\s|\/\*[^]*?\*\/)*-->/.exec(draft.source)
  if (arrow !== null) replace(draft, arrow[0].length - 3, arrow[0].length, '// ')
  for (const { start, argument } of analysis.returns) if (argument == null) before(draft, start + 6, ` ${abi}.n`)
  for (const { node, scope } of analysis.metas) {
    replace(draft, node.start, node.end, `${abi}${isCellLevel(scope) ? '' : mark(draft, node.start)}.m`)
  }
  if (analysis.strict) return
  for (const { node, scope } of analysis.calls) {
    // Called like this it is an indirect eval: what it declares are session names, as if the cell had declared them.
    if (node.type === 'CallExpression' && node.callee.name === 'eval' && isOpen(scope)) before(draft, node.callee.end, '?.')
  }
}

/** No name of the cell's own is visible here, so direct and indirect eval see the same. */
export function isOpen(scope: Scope): boolean {
  for (let at: Scope | null = scope; at !== null && at.kind !== 'root'; at = at.parent) {
    if (at.bindings.size > 0 || at.home.kind !== 'root' || at.kind === 'with') return false
  }
  return true
}

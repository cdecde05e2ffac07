// Function declarations at the root of a session leave the body of the cell: the worker declares each by an indirect eval of
// its own text, which makes it an ordinary function of the realm with its native name, text and recursion through the
// session name. A call stands in its place, because a name that exists already changes only there.
import type { Node } from '../ast.ts'
import { declareName, mark, replace, type Draft } from '../draft.ts'
import { segmentsOf } from '../segments.ts'
import { lineEnds } from '../text.ts'
import type { PreparedFunction } from '../types.ts'
import { naming } from './variables.ts'

/** Functions that an indirect eval cannot declare lose the name in their text, and with it a binding of their own. */
export function unnameFactories(draft: Draft): void {
  for (const { node, scope } of draft.analysis.functions) {
    if (scope.kind !== 'root' || node.id == null || !isFactory(draft, node)) continue
    replace(draft, node.id.start, node.id.end, mark(draft, node.id.start))
  }
}

function isFactory({ abi, analysis, isolation }: Draft, node: Node): boolean {
  const isInside = (at: number): boolean => at > node.start && at < node.end
  if (analysis.strict || analysis.metas.some(({ node: meta }) => isInside(meta.start))) return true
  if (analysis.references.get(abi)?.some((reference) => isInside(reference.node.start)) === true) return true
  return isolation.names.has(node.id!.name) || isolation.places.some(isInside) || isolation.dynamic.some(isInside)
}

/** A function of the ABI around an expression that sees isolated names as variables. */
export function isolatedScope({ abi }: Draft): readonly [open: string, close: string] {
  return [`(${abi}) => { with (${abi}.i) return (`, ') }']
}

/** Runs after all phases that edit inside functions. */
export function rootFunctions(draft: Draft): void {
  let lines = ''
  let counted = 0
  for (const { node, scope } of draft.analysis.functions) {
    if (scope.kind !== 'root' || node.id == null) continue
    lines += lineEnds(draft.text.slice(counted, node.start))
    counted = node.start
    const index = draft.functions.length
    const { name } = node.id
    declareName(draft, name, 'function', node.id.start)
    // A `var` of the same name adds nothing, and must not be what makes the name: the function could not be hoisted then.
    draft.vars.delete(name)
    draft.functions.push({ name, ...functionText(draft, node, index, lines) })
    draft.edits.remove(node.start, node.end)
    draft.edits.appendRight(node.start, `${draft.abi}.f(${index});${lineEnds(draft.text.slice(node.start, node.end))}`)
  }
}

/** As an expression without a name of its own a function still recurs through the session name. */
function functionText(draft: Draft, node: Node, index: number, lines: string): Omit<PreparedFunction, 'name'> {
  const { text, analysis, request } = draft
  const ending = `\n//# sourceURL=ptc-cell:${request.cell}#f${index}`
  const factory = isFactory(draft, node)
  const indent = lines + ' '.repeat(columnOf(text, node.start))
  if (!factory) {
    const code = draft.edits.slice(node.start, node.end)
    if (code === text.slice(node.start, node.end)) return { code: indent + code + ending, segments: null, factory }
  }
  const [open, close] = factory ? naming(node.id!.name, { type: 'ArrowFunctionExpression' } as Node) : ['', '']
  const part = draft.edits.clone()
  if (node.start > 0) part.overwrite(0, node.start, '')
  if (node.end < text.length) part.overwrite(node.end, text.length, '')
  const isDynamic = draft.isolation.dynamic.some((at) => at > node.start && at < node.end)
  const [start, end] = isDynamic ? isolatedScope(draft) : [`(${draft.abi}) => (`, ')']
  const strict = analysis.strict ? '"use strict"; ' : ''
  part.prepend(!factory ? indent : isDynamic ? `${indent}${start}(() => { ${strict}return (${open}` : `${indent}${strict}${start}${open}`)
  part.append(!factory ? ending : `${close}${isDynamic ? ') })()' : ''}${end}${ending}`)
  return { code: part.toString(), segments: segmentsOf(part), factory }
}

function columnOf(text: string, offset: number): number {
  let start = offset
  while (start > 0 && !/[\n\r\u2028\u2029]/.test(text[start - 1]!)) start -= 1
  return offset - start
}

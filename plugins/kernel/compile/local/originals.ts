// For every function whose text was edited to update names, the text that its author wrote: the worker answers it when the
// program asks for the function's source.
import { isFunction, type Node } from '../ast.ts'
import type { Draft } from '../draft.ts'
import { erasedEnd, skipTrivia } from '../text.ts'

/** The text of a function or class as its author wrote it, without types. */
export function textOf(node: Node, text: string): string {
  return text.slice(startOf(node, text), erasedEnd(node, text))
}

function startOf(node: Node, text: string): number {
  const decorator = isFunction(node) ? (node['decorators'] as readonly Node[] | undefined)?.at(-1) : undefined
  const start = decorator === undefined ? node.start : skipTrivia(text, decorator.end)
  return node.static === true ? skipTrivia(text, start + 'static'.length) : start
}

/** Runs when all edits inside functions are made. */
export function keepOriginals(draft: Draft): void {
  if (draft.marked.length === 0 && draft.origin === undefined) return
  const { analysis, origin, edits, text, marked, opened, closed } = draft
  for (const node of analysis.callables) {
    const written = origin?.written(node)
    if (written === undefined && (!marked.some((at) => at >= node.start && at < node.end) || isLowered(draft, node))) continue
    const start = startOf(node, text)
    const end = erasedEnd(node, text)
    const around = edits.slice(start, end)
    const edited = around.slice(opened.get(start)?.length ?? 0, around.length - (closed.get(end)?.length ?? 0))
    if (edited !== written) draft.originals.push([edited, written ?? text.slice(start, end)])
  }
}

/** TypeScript that runs has no JavaScript text of its author to go back to. */
function isLowered({ analysis }: Draft, { start, end }: Node): boolean {
  const isInside = (node: Node): boolean => node.start >= start && node.end <= end
  const { enums, namespaces, constructors, assertions } = analysis
  return [...enums, ...namespaces, ...constructors].some(({ node }) => isInside(node)) || assertions.some(isInside)
}

// For every function whose text was edited to update names, the text that its author wrote: the worker answers it when the
// program asks for the function's source.
import type { Node } from '../ast.ts'
import type { Draft } from '../draft.ts'
import { erasedEnd, skipTrivia } from '../text.ts'

/** Runs when all edits inside functions are made. */
export function keepOriginals(draft: Draft): void {
  if (draft.marked.length === 0) return
  const { analysis, edits, text, marked, opened, closed } = draft
  for (const node of analysis.callables) {
    if (!marked.some((at) => at >= node.start && at < node.end) || isLowered(draft, node)) continue
    const start = node.static === true ? skipTrivia(text, node.start + 'static'.length) : node.start
    const end = erasedEnd(node, text)
    const around = edits.slice(start, end)
    const edited = around.slice(opened.get(start)?.length ?? 0, around.length - (closed.get(end)?.length ?? 0))
    draft.originals.push([edited, text.slice(start, end)])
  }
}

/** TypeScript that runs has no JavaScript text of its author to go back to. */
function isLowered({ analysis }: Draft, { start, end }: Node): boolean {
  const isInside = (node: Node): boolean => node.start >= start && node.end <= end
  const { enums, namespaces, constructors, assertions } = analysis
  return [...enums, ...namespaces, ...constructors].some(({ node }) => isInside(node)) || assertions.some(isInside)
}

// For every function whose text was edited to update names, the text that its author wrote: the worker answers it when the
// program asks for the function's source.
import type { Draft } from '../draft.ts'
import { skipTrivia } from '../text.ts'

/** Runs when all edits inside functions are made. */
export function keepOriginals(draft: Draft): void {
  if (draft.marked.length === 0) return
  const { analysis, edits, text, marked } = draft
  for (const node of analysis.callables) {
    if (!marked.some((at) => at >= node.start && at < node.end)) continue
    let { start } = node
    if (node.static === true) start = skipTrivia(text, start + 'static'.length)
    const edited = edits.slice(start, node.end)
    if (lowered(draft, node.start, node.end)) continue
    draft.originals.push([edited, text.slice(start, node.end)])
  }
}

/** TypeScript that runs has no JavaScript text of its author to go back to. */
function lowered({ analysis }: Draft, start: number, end: number): boolean {
  const isInside = ({ node }: { readonly node: { readonly start: number, readonly end: number } }): boolean => node.start >= start && node.end <= end
  return analysis.enums.some(isInside) || analysis.namespaces.some(isInside) || analysis.constructors.some(isInside)
}

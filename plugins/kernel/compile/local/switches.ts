// Declarations that have to stand around the cases of a `switch`. The value that the `switch` looks at is evaluated outside
// the block they get, so it does not see them.
import type { Node } from '../ast.ts'
import { after, finish, type Draft } from '../draft.ts'
import { skipTrivia } from '../text.ts'

export function declareAround(draft: Draft, node: Node, declaration: string): void {
  draft.switches.set(node, `${draft.switches.get(node) ?? ''}${declaration} `)
}

/** Runs when every phase has said what it needs. */
export function wrapSwitches(draft: Draft): void {
  for (const [node, declarations] of draft.switches) {
    const value = draft.fresh()
    const close = skipTrivia(draft.text, node.discriminant.end)
    draft.edits.update(node.start, node.start + 'switch'.length, `{ const ${value} =`)
    finish(draft, close + 1, `; { ${declarations}switch (${value})`)
    after(draft, node.end, ' } }')
  }
}

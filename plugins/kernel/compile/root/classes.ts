// Class declarations at the root of a session keep their text, with their own inner name, and are published after their
// evaluation.
import { after, before, declareName, type Draft } from '../draft.ts'
import { sessionName } from '../isolation/names.ts'
import { quoted } from './variables.ts'

export function rootClasses(draft: Draft): void {
  for (const { node, scope } of draft.analysis.classes) {
    if (scope.kind !== 'root' || node.id == null) continue
    const { name } = node.id
    declareName(draft, name, 'class', node.id.start)
    before(draft, node.start, `${sessionName(draft, name)} = ${draft.abi}.d(${quoted(name)}, `)
    after(draft, node.end, ');')
  }
}

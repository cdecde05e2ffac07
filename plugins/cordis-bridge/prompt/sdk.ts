// The host's SDK text without the tools that a session has given up. The host declares all tools of its agent, one member each in two
// interfaces; of a text that is not like that nothing is taken. Pure.

const HEADS: readonly string[] = ['interface ToolArgsMap {', 'interface ToolOutputMap {']
/** A member's first line, at the one indentation that no line inside of it has. */
const MEMBER = /^ {2}("(?:[^"\\]|\\.)*"|[\p{ID_Start}$_][\p{ID_Continue}$]*): /u
const COMMENT = /^ {2}\/\*\* .* \*\/$/u
/** What can follow within a member. */
const INSIDE = /^(?: {4}| {2}\})/u

interface Part { readonly name: string, readonly lines: string[] }

/** The members between the head and its closing brace, with their comments. */
function partsOf(lines: readonly string[]): Part[] | undefined {
  const parts: Part[] = []
  let comments: string[] = []
  for (const line of lines) {
    const [, key] = MEMBER.exec(line) ?? []
    if (key !== undefined) {
      parts.push({ name: key.startsWith('"') ? JSON.parse(key) as string : key, lines: [...comments, line] })
      comments = []
    } else if (COMMENT.test(line)) comments.push(line)
    else if (INSIDE.test(line) && comments.length === 0 && parts.length > 0) parts.at(-1)!.lines.push(line)
    else return undefined
  }
  return comments.length === 0 ? parts : undefined
}

/** The text without the members that `isGone` names; the text itself when nothing is to go, or when it is not as expected. */
export function withoutTools(text: string, isGone: (tool: string) => boolean): string {
  const lines = text.split('\n')
  for (const head of HEADS) {
    const start = lines.indexOf(head)
    if (start < 0) continue
    const end = lines.indexOf('}', start)
    const parts = end < 0 ? undefined : partsOf(lines.slice(start + 1, end))
    if (parts === undefined) return text
    const kept = parts.filter(({ name }) => !isGone(name))
    if (kept.length < parts.length) lines.splice(start, end - start + 1, ...kept.length === 0 ? [`${head}}`] : [head, ...kept.flatMap((part) => part.lines), '}'])
  }
  return lines.join('\n')
}

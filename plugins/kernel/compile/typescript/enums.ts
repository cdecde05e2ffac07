// Enums become objects, const enums too: numbers with a reverse entry, strings without one, initializers left at their place.
import type { Lowered } from '../analysis/analyze.ts'
import { unwrap, type Node } from '../ast.ts'
import { after, finish, replace, type Draft } from '../draft.ts'
import { sessionName } from '../isolation/names.ts'
import { erasedEnd, lineEnds, member, skipTrivia } from '../text.ts'
import { holder, mergedOf } from './objects.ts'
import type { Qualifiers } from './qualify.ts'

type Known = Map<string, number | string>

export function lowerEnum(draft: Draft, item: Lowered, qualifiers: Qualifiers): void {
  const { node, scope, inner } = item
  const { name } = node.id!
  const merged = mergedOf(name, scope, item.exporter !== null && scope.kind === 'namespace', qualifiers)
  const object = draft.fresh()
  const members = node.body.members
  const own = new Set(members.map(memberName))
  qualifiers.bodies.set(inner[0]!, { object, own, earlier: new Set(merged.exported), merged })
  for (const exported of own) merged.exported.add(exported)
  // Without a first value a declaration cannot mean to go on where another one ended: it makes the enum anew.
  const goesOn = members[0]?.initializer != null || isRepeated(item)
  const known = scope.kind === 'root' ? sessionName(draft, name) : name
  const extend = goesOn ? `typeof ${known} === "object" && ${known} !== null ? ${known} : {}` : '{}'
  const { declaration, object: made } = holder(draft, item, node.id!, qualifiers, extend)
  const { text } = draft
  const head = text.slice(node.start, node.body.start + 1)
  replace(draft, node.start, node.body.start + 1, `${declaration}void ((${object}) => {${lineEnds(head)}`)
  const values: Known = new Map()
  members.forEach((entry, index) => { lowerMember(draft, entry, object, members[index - 1], values) })
  replace(draft, node.body.end - 1, node.body.end, `})(${made});`)
}

function isRepeated({ node, scope }: Lowered): boolean {
  return scope.bindings.get(node.id!.name)!.some(({ kind, id }) => kind === 'enum' && id.start < node.id!.start)
}

function memberName({ id }: Node): string { return id!.type === 'StringLiteral' ? id!.value as string : id!.name }

function lowerMember(draft: Draft, entry: Node, object: string, previous: Node | undefined, known: Known): void {
  const { text } = draft
  const name = memberName(entry)
  const slot = member(object, name)
  const label = JSON.stringify(name)
  const { initializer } = entry
  const end = initializer == null ? entry.end : erasedEnd(initializer, text)
  const comma = skipTrivia(text, entry.end)
  if (text[comma] === ',') replace(draft, comma, comma + 1, ';')
  else finish(draft, end, ';')
  if (initializer == null) {
    const value = previous === undefined ? 0 : known.get(memberName(previous))
    const isPlain = typeof value === 'number' && Number.isSafeInteger(value)
    const next = previous === undefined ? 0 : (value as number) + 1
    if (isPlain) known.set(name, next)
    return replace(draft, entry.start, entry.end, `${object}[${slot} = ${isPlain ? next : `${member(object, memberName(previous!))} + 1`}] = ${label}`)
  }
  const value = evaluate(initializer, known)
  if (value !== undefined) known.set(name, value)
  const gap = lineEnds(text.slice(entry.start, initializer.start))
  if (typeof value === 'string' || isText(initializer)) return replace(draft, entry.start, initializer.start, `${slot} = ${gap}`)
  if (value === undefined && isPath(initializer)) {
    // A constant of another enum: it may be a string, which only shows when the program runs.
    replace(draft, entry.start, initializer.start, `typeof (${slot} = ${gap}`)
    return after(draft, end, `) === "string" || (${object}[${slot}] = ${label})`)
  }
  replace(draft, entry.start, initializer.start, `${object}[${slot} = ${gap}`)
  after(draft, end, `] = ${label}`)
}

function isPath(node: Node): boolean {
  const inner = unwrap(node)
  return inner.type === 'Identifier' || (inner.type === 'MemberExpression' && isPath(inner.object))
}

/** Text whatever its parts are. */
function isText(node: Node): boolean {
  const inner = unwrap(node)
  if (inner.type === 'StringLiteral' || inner.type === 'TemplateLiteral') return true
  return inner.type === 'BinaryExpression' && inner.operator === '+' && (isText(inner.left) || isText(inner.right))
}

/** The value of a constant initializer, as far as it can be known without running anything. */
function evaluate(node: Node, known: Known): number | string | undefined {
  const inner = unwrap(node)
  switch (inner.type) {
    case 'NumericLiteral': case 'StringLiteral': return inner.value as number | string
    case 'Identifier': return known.get(inner.name)
    case 'UnaryExpression': {
      const value = evaluate(inner.argument!, known)
      if (typeof value !== 'number') return undefined
      return inner.operator === '-' ? -value : inner.operator === '+' ? value : inner.operator === '~' ? ~value : undefined
    }
    case 'BinaryExpression': return combine(inner.operator, evaluate(inner.left, known), evaluate(inner.right, known))
    default: return undefined
  }
}

function combine(operator: string, left: number | string | undefined, right: number | string | undefined): number | string | undefined {
  if (left === undefined || right === undefined) return undefined
  if (operator === '+') return typeof left === 'number' && typeof right === 'number' ? left + right : `${left}${right}`
  if (typeof left === 'string' || typeof right === 'string') return undefined
  switch (operator) {
    case '-': return left - right
    case '*': return left * right
    case '/': return left / right
    case '%': return left % right
    case '**': return left ** right
    case '<<': return left << right
    case '>>': return left >> right
    case '>>>': return left >>> right
    case '&': return left & right
    case '|': return left | right
    case '^': return left ^ right
    default: return undefined
  }
}

// What the type eraser gets to see in place of constructs it does not read: text of the same length that parses, with
// everything that may contain types left at its place. `kept` is what stands there afterwards.
import type { Analysis, Lowered } from '../analysis/analyze.ts'
import type { Node } from '../ast.ts'
import { blank, skipTrivia } from '../text.ts'

export interface Disguise { readonly start: number, readonly end: number, readonly shown: string, readonly kept: string }

/** Does an expression, seen at the start of a statement or of an arrow's body, read as something else? */
const NEEDS_PARENTHESES = /^(?:\{|function\b|class\b|async\b|let\b)/

/** `<T>x` loses `<T>`. Parentheses keep what is left an expression in the place where it stands. */
export function needsParentheses(assertion: Node, source: string): boolean {
  const type = source.slice(assertion.start, assertion.expression.start)
  return /[\n\r\u2028\u2029]/.test(type) || NEEDS_PARENTHESES.test(source.slice(assertion.expression.start))
}

/** Ascending, without overlap. */
export function disguises(source: string, analysis: Analysis): readonly Disguise[] {
  const found: Disguise[] = []
  const show = (start: number, end: number, shown: string, kept?: string): void => {
    const text = source.slice(start, end)
    const padded = shown + blank(text.slice(shown.length))
    found.push({ start, end, shown: padded, kept: kept === undefined ? text : kept + blank(text.slice(kept.length)) })
  }
  const unexport = ({ node, exporter }: Lowered): void => { if (exporter !== null) show(exporter.start, node.start, '', '') }

  // A block: initializers become expression statements, statements stay what they are.
  for (const item of [...analysis.enums, ...analysis.namespaces]) {
    unexport(item)
    const { start, body } = item.node
    show(start, body.start, ';')
    for (const member of item.node.type === 'TSEnumDeclaration' ? body.members : []) {
      show(member.start, member.initializer?.start ?? member.end, '')
      const comma = skipTrivia(source, member.end)
      if (source[comma] === ',') show(comma, comma + 1, ';')
    }
  }
  for (const item of analysis.aliases) {
    unexport(item)
    show(item.node.start, item.node.start + 6, 'let')
  }
  for (const node of analysis.vanished) show(node.start, node.end, ';', ';')
  for (const { start, declaration } of analysis.exports) if (!isLowered(declaration!)) show(start, declaration!.start, '', '')
  for (const { node } of analysis.constructors) {
    for (const param of node.params) if (param.type === 'TSParameterProperty') show(param.start, param.parameter.start, '', '')
  }
  for (const assertion of analysis.assertions) {
    const wrapped = needsParentheses(assertion, source)
    show(assertion.start, assertion.expression.start, wrapped ? '+' : '', wrapped ? '(' : '')
  }
  for (const { start, argument } of analysis.returns) show(start, start + 6, argument == null ? 'void 0' : 'throw ')
  for (const { node, place } of analysis.variables) {
    if (node.kind === 'const' && place !== 'left' && node.declarations.some(({ init }) => init == null)) show(node.start, node.start + 5, 'let')
  }
  for (const node of analysis.sloppy) sloppy(node, source, show)
  return found.sort((a, b) => a.start - b.start)
}

function isLowered({ type }: Node): boolean {
  return type === 'TSEnumDeclaration' || type === 'TSModuleDeclaration' || type === 'TSImportEqualsDeclaration'
}

function sloppy(node: Node, source: string, show: (start: number, end: number, shown: string, kept?: string) => void): void {
  const text = source.slice(node.start, node.end)
  switch (node.type) {
    case 'WithStatement': return show(node.start, node.start + 4, 'if')
    case 'NumericLiteral': return show(node.start, node.end, '1'.repeat(text.length))
    case 'StringLiteral': case 'DirectiveLiteral':
      return show(node.start, node.end, text.replace(/\\(?:([0-9])|[^])/g, (all, digit) => digit === undefined ? all : '__'))
    case 'TSExportAssignment': return show(node.start, node.expression.start, 'void')
    default:
      // The modifiers of a class member.
      for (const { index, 0: word } of source.slice(node.start, node.key.start).matchAll(/\b(?:public|private|protected|override|readonly)\b/g)) {
        show(node.start + index, node.start + index + word.length, '', '')
      }
  }
}

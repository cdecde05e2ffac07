// Questions about source text that the syntax tree does not answer: lines and columns, blanks and comments, where an
// identifier or an erased expression ends.
import type { SourcePosition } from '../../journal/types.ts'
import type { Node } from './ast.ts'

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g

/** 1-based line and column of an offset. */
export function positionAt(source: string, offset: number): SourcePosition {
  let line = 1
  let start = 0
  for (const end of source.matchAll(LINE_END)) {
    const next = end.index + end[0].length
    if (next > offset) break
    line += 1
    start = next
  }
  return { line, column: Math.max(0, offset - start) + 1 }
}

/** The line ends of a piece of text, which keep the lines below it in place when the rest of it goes. */
export function lineEnds(text: string): string {
  return text.match(LINE_END)?.join('') ?? ''
}

/** The same text with everything but line ends blanked out. */
export function blank(text: string): string { return text.replace(/[^\n\r\u2028\u2029]/g, ' ') }

const TRIVIA = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)*/y

/** The first offset at or after `offset` that is neither blank nor in a comment. */
export function skipTrivia(text: string, offset: number): number {
  TRIVIA.lastIndex = offset
  TRIVIA.test(text)
  return TRIVIA.lastIndex
}

const IDENTIFIER = /(?:[\p{ID_Continue}$\u200c\u200d]|\\u[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]+\})+/uy

/** Where the name of an identifier ends; the node itself ends after its type. */
export function identifierEnd(text: string, id: Node): number {
  if (id.typeAnnotation == null && id['optional'] !== true) return id.end
  IDENTIFIER.lastIndex = id.start
  return IDENTIFIER.test(text) ? IDENTIFIER.lastIndex : id.end
}

/** Where an expression ends once its types are erased. A type may be the last thing that the node covers. */
export function erasedEnd(node: Node, text: string): number {
  switch (node.type) {
    case 'TSAsExpression': case 'TSSatisfiesExpression': case 'TSNonNullExpression': case 'TSInstantiationExpression':
    case 'TSTypeAssertion':
      return erasedEnd(node.expression, text)
    case 'ArrowFunctionExpression': return erasedEnd(node.body, text)
    case 'AssignmentExpression': case 'BinaryExpression': case 'LogicalExpression': case 'AssignmentPattern':
      return erasedEnd(node.right, text)
    case 'ConditionalExpression': return erasedEnd(node.alternate!, text)
    case 'AwaitExpression': case 'UnaryExpression': case 'SpreadElement': return erasedEnd(node.argument!, text)
    case 'YieldExpression': return node.argument == null ? node.end : erasedEnd(node.argument, text)
    case 'SequenceExpression': return erasedEnd(node.expressions.at(-1)!, text)
    case 'NewExpression': return text[node.end - 1] === ')' ? node.end : erasedEnd(node.callee, text)
    case 'UpdateExpression': return node['prefix'] === true ? erasedEnd(node.argument!, text) : node.end
    default: return node.end
  }
}

/** Where a binding pattern ends before its type. */
export function patternEnd(pattern: Node, text: string): number {
  if (pattern.type === 'Identifier') return identifierEnd(text, pattern)
  return pattern.typeAnnotation == null ? pattern.end : lastBefore(text, pattern.typeAnnotation.start)
}

function lastBefore(text: string, offset: number): number {
  let end = offset
  while (end > 0 && text[end - 1] !== '}' && text[end - 1] !== ']') end -= 1
  return end
}

/** How text reads a property. */
export function member(object: string, name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `${object}.${name}` : `${object}[${JSON.stringify(name)}]`
}

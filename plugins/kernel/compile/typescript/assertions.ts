// What is left of `x as T` and `<T>x` when the type is gone, and when that would no longer be the same expression.
import type { Node } from '../ast.ts'
import { skipTrivia } from '../text.ts'

/** Does an expression, seen at the start of a statement or of an arrow's body, read as something else? */
const NEEDS_PARENTHESES = /^(?:\{|function\b|class\b|async\b|let\b)/

/** `<T>x` loses `<T>`. Parentheses keep what is left an expression in the place where it stands. */
export function needsParentheses(assertion: Node, source: string): boolean {
  const type = source.slice(assertion.start, assertion.expression.start)
  return /[\n\r\u2028\u2029]/.test(type) || NEEDS_PARENTHESES.test(source.slice(assertion.expression.start))
}

const PRECEDENCE: Readonly<Record<string, number>> = {
  '**': 15, '*': 14, '/': 14, '%': 14, '+': 13, '-': 13, '<<': 12, '>>': 12, '>>>': 12,
  '<': 11, '<=': 11, '>': 11, '>=': 11, in: 11, instanceof: 11, '==': 10, '!=': 10, '===': 10, '!==': 10,
  '&': 9, '^': 8, '|': 7, '&&': 6, '||': 5, '??': 4,
}

const OPERATOR = /\*\*|[*/%]|\+(?!\+)|-(?!-)|<<|>>>?|[<>]=?|[=!]==?|&&?|\|\|?|\?\?|\^|(?:in|instanceof)(?![\p{ID_Continue}$])/uy

/** Would an operator behind `a + b as T` take only a part of what stands before `as`? */
export function regroups(assertion: Node, source: string): boolean {
  let base = assertion.expression
  while (base.type === 'TSAsExpression' || base.type === 'TSSatisfiesExpression') base = base.expression
  if (base.type !== 'BinaryExpression' && base.type !== 'LogicalExpression') return false
  OPERATOR.lastIndex = skipTrivia(source, assertion.end)
  const operator = OPERATOR.exec(source)?.[0]
  const next = operator === undefined || source[OPERATOR.lastIndex] === '=' ? undefined : PRECEDENCE[operator]
  const own = PRECEDENCE[base.operator]!
  return next !== undefined && (next > own || (next === own && operator === '**'))
}

// A pattern at the root of a session: an inner function binds it to candidates of the same names, and the session sees all
// of them together once the whole pattern has succeeded.
import { contains, isFunction, targetsOf, type Node } from '../ast.ts'
import { after, before, replace, type Draft } from '../draft.ts'
import { erasedEnd, patternEnd, skipTrivia } from '../text.ts'

export interface PatternDeclaration {
  readonly node: Node
  readonly init: Node
  readonly kind: string
  /** Assign the names as they are seen from here, instead of publishing session names. */
  readonly plain: boolean
}

/** The pattern's `=` and what surrounds it become the call of the inner function. */
export function publishPattern(draft: Draft, { node, init, kind, plain }: PatternDeclaration): void {
  const { abi, text } = draft
  const equals = skipTrivia(text, patternEnd(node, text))
  const end = erasedEnd(init, text)
  if (plain) {
    before(draft, node.start, 'void (')
    return after(draft, end, ')')
  }
  const targets = targetsOf(node).map(({ name }) => name)
  const names = [...new Set(targets)]
  const values = `{${names.join(', ')}}`
  const publish = `${abi}.${kind === 'const' && draft.request.semantics === 'protected-v1' ? 'k' : 'p'}`
  const form = inner(draft, node, targets, names, values)
  before(draft, node.start, `${publish}(${form.open}`)
  replace(draft, equals, equals + 1, form.middle)
  after(draft, end, '))')
}

interface Form { readonly open: string, readonly middle: string }

/**
 * The pattern is the parameter of an arrow where it can be. It is declared in the arrow's body when it awaits (a parameter
 * must not) or binds a name twice (a parameter must not either; `var` may, and later defaults see the earlier value).
 * A function inside the pattern that refers to its names has to see the candidates now and the session's names later:
 * an object that `with` puts in front holds the candidates, and is emptied when they are published. What is given up in
 * these rare forms: a name has the value undefined before its turn, where it should not be readable yet; and in a strict
 * cell, which cannot have `with`, such a function goes on seeing the candidates.
 */
function inner(draft: Draft, node: Node, targets: readonly string[], names: readonly string[], values: string): Form {
  const awaits = contains(node, ({ type }) => type === 'AwaitExpression', (child) => !isFunction(child))
  const value = draft.fresh()
  const arrow = awaits ? `await (async ${value} =>` : `(${value} =>`
  if (!draft.analysis.strict && isCaptured(draft, node, names)) {
    const held = draft.fresh()
    const empty = names.map((name) => name === '__proto__' ? '["__proto__"]: void 0' : `${name}: void 0`).join(', ')
    const forget = names.map((name) => `delete ${held}.${name}`).join('; ')
    const around = names.some((name) => draft.isolation.names.has(name)) ? `with (${draft.abi}.i) ` : ''
    return {
      open: `${arrow} { const ${held} = {__proto__: null, ${empty}}; ${around}with (${held}) (`,
      middle: ` = ${value}); const ${value}_ = {...${held}}; ${forget}; return ${value}_ })(`,
    }
  }
  const isRepeated = names.length < targets.length
  if (!awaits && !isRepeated) return { open: '((', middle: `) => (${values}))(` }
  return { open: `${arrow} { ${isRepeated ? 'var' : 'let'} `, middle: ` = ${value}; return ${values} })(` }
}

function isCallable(node: Node): boolean { return isFunction(node) || node.type === 'ClassExpression' }

/** Does a function or class inside the pattern refer to one of the names that the pattern binds? */
function isCaptured({ analysis }: Draft, node: Node, names: readonly string[]): boolean {
  if (!contains(node, isCallable, () => true)) return false
  const callables = analysis.callables.filter(({ start, end }) => start >= node.start && end <= node.end)
  return names.some((name) => analysis.references.get(name)?.some(({ node: reference }) => (
    callables.some(({ start, end }) => reference.start >= start && reference.end <= end)
  )))
}

// One class through Babel, with the decorators transform and nothing else: types stay, so what comes back is TypeScript
// without decorators. Babel is loaded by the first cell that has one.
import { createRequire } from 'node:module'
import { eachChild, type Node } from '../ast.ts'
import { syntaxError } from '../refusal.ts'

/** The few builders of syntax trees that are needed here. */
interface Builders {
  file(program: object): object
  program(body: object[], directives: object[], sourceType: 'script'): object
  expressionStatement(expression: object): object
  callExpression(callee: object, args: object[]): object
  arrowFunctionExpression(params: object[], body: object, async: boolean): object
  blockStatement(body: object[]): object
  returnStatement(argument: object): object
  memberExpression(object: object, property: object, computed?: boolean): object
  objectExpression(properties: object[]): object
  objectProperty(key: object, value: object): object
  parenthesizedExpression(expression: object): object
  identifier(name: string): object
  stringLiteral(value: string): object
}

interface Core {
  readonly types: Builders
  transformFromAstSync(file: object, source: string, options: object): { readonly code: string, readonly map: { readonly mappings: string } }
  buildExternalHelpers(names: readonly string[], output: 'var'): string
}

let core: Core | undefined
let decorators: unknown
const helperTexts = new Map<string, string>()

function load(): Core {
  if (core !== undefined) return core
  const require = createRequire(import.meta.url)
  decorators = (require('@babel/plugin-proposal-decorators') as { default: unknown }).default
  return core = require('@babel/core') as Core
}

export interface LoweredClass { readonly code: string, readonly mappings: string }

export interface ClassToLower {
  /** From a tree with locations; it is used up. */
  readonly node: Node
  readonly source: string
  /** What an anonymous class is called by its surroundings. */
  readonly name: string | null
  /** The expression `await` occurs outside the functions of the class. */
  readonly awaits: boolean
  readonly abi: string
}

/** Members that only exist for types would be errors in the class that Babel makes of an abstract one. */
function dropTypeMembers(node: Node): void {
  if (node.type === 'ClassBody') {
    const body = (node as { body: unknown }).body as Node[]
    const kept = body.filter((member) => member['abstract'] !== true && member.declare !== true && member.type !== 'TSDeclareMethod' && member.type !== 'TSIndexSignature')
    body.splice(0, body.length, ...kept)
  }
  if (node['abstract'] === true) (node as { abstract?: boolean }).abstract = false
  eachChild(node, dropTypeMembers)
}

/** Answers an expression that makes the class, and adds the run-time helpers it uses to `helpers`. */
export function lowerClass({ node, source, name, awaits, abi }: ClassToLower, helpers: Set<string>): LoweredClass {
  const { types: t, transformFromAstSync } = load()
  dropTypeMembers(node)
  const expression = { ...node, type: 'ClassExpression' }
  const key = () => t.stringLiteral(name!)
  const named = name === null
    ? expression
    : t.memberExpression(t.parenthesizedExpression(t.objectExpression([t.objectProperty(key(), expression)])), key(), true)
  const maker = t.arrowFunctionExpression([], t.blockStatement([t.returnStatement(named)]), awaits)
  const file = t.file(t.program([t.expressionStatement(t.callExpression(maker, []))], [], 'script'))
  const useHelpers = () => ({
    pre(state: { set(key: string, value: unknown): void }) {
      state.set('helperGenerator', (helper: string) => {
        helpers.add(helper)
        return t.memberExpression(t.memberExpression(t.identifier(abi), t.identifier('h')), t.identifier(helper))
      })
    },
  })
  try {
    const { code, map } = transformFromAstSync(file, source, {
      filename: 'cell.ts', configFile: false, babelrc: false, browserslistConfigFile: false, sourceMaps: true, compact: false,
      cloneInputAst: false, plugins: [[decorators, { version: '2023-11' }], useHelpers],
    })
    return { code: code.replace(/;\s*$/, ''), mappings: map.mappings }
  } catch (error) {
    const [message = ''] = (error as Error).message.replace(/^.*?cell\.ts: /, '').split('\n')
    throw syntaxError(message, node.start)
  }
}

/** Helpers call each other; Babel writes only those that it is asked for. */
function withDependencies(names: readonly string[]): string {
  const wanted = new Set(names)
  for (;;) {
    const text = load().buildExternalHelpers([...wanted], 'var')
    const known = wanted.size
    for (const [, name] of text.matchAll(/\bbabelHelpers\.(\w+)/g)) wanted.add(name!)
    if (wanted.size === known) return text
  }
}

/** A script whose value is an object with these helpers. */
export function helperText(names: ReadonlySet<string>): string {
  const sorted = [...names].sort()
  const key = sorted.join()
  let text = helperTexts.get(key)
  if (text === undefined) {
    text = `(() => {\n${withDependencies(sorted)}\nreturn babelHelpers })()`
    helperTexts.set(key, text)
  }
  return text
}

// The cell compiler: TypeScript source in, the text that a session worker runs out. It reads as its pipeline. Everything here
// is synchronous and knows nothing of a session beyond its request.
import { analyze, type Analysis } from './analysis/analyze.ts'
import type { Node } from './ast.ts'
import { isClass, lowerDecorators } from './decorators/lower.ts'
import { abiName, createDraft, type Draft, type Origin } from './draft.ts'
import { isolateReferences, nameIsolated } from './isolation/references.ts'
import { keepOriginals, textOf } from './local/originals.ts'
import { wrapSwitches } from './local/switches.ts'
import { localUpdates } from './local/updates.ts'
import { parseCell } from './parse.ts'
import { refuseCollisions, refuseModules } from './preflight.ts'
import { Refusal, rejection, syntaxError } from './refusal.ts'
import { repairOfEnd } from './repair.ts'
import { blockFunctions } from './root/block-functions.ts'
import { rootClasses } from './root/classes.ts'
import { completion, completionName } from './root/completion.ts'
import { isolatedScope, rootFunctions, unnameFactories } from './root/functions.ts'
import { rootModuleItems } from './root/modules.ts'
import { cellStatements } from './root/statements.ts'
import { rootVariables } from './root/variables.ts'
import { segmentsOf } from './segments.ts'
import { skipTrivia } from './text.ts'
import type { Compiled, CompileRequest, PreparedCell, Rejection } from './types.ts'
import { eraseTypes } from './typescript/erase.ts'
import { lowerTypeScript } from './typescript/lower.ts'
import { verify } from './verify.ts'

export { MODULE_TRANSFORM } from './version.ts'

/** Never throws: what is wrong with a source is a `Rejection`. */
export function compile(request: CompileRequest): Compiled {
  try {
    return compileCell(request)
  } catch (error) {
    if (error instanceof Refusal) return withRepair(request, rejection(error, request.source))
    if (error instanceof RangeError) return rejection(syntaxError('The cell is nested too deeply', 0), request.source)
    throw error
  }
}

function withRepair(request: CompileRequest, rejected: Rejection): Rejection {
  if (request.offersRepair !== true) return rejected
  const repair = repairOfEnd(request.source, rejected, (source) => compile({ ...request, source, offersRepair: false }).kind === 'prepared')
  return repair === undefined ? rejected : { ...rejected, repair }
}

/** The text without decorators is compiled like any other; `Undecorated` leads back from it. */
function compileDecorated(request: CompileRequest, program: Node, analysis: Analysis): PreparedCell {
  const abi = abiName(request.source)
  const text = eraseTypes(request.source, program, analysis)
  const undecorated = lowerDecorators(request, abi)
  const written = new Map(analysis.callables.flatMap((node) => anchorsOf(node).map((anchor) => [anchor.join(), node])))
  /** The map of a lowered class does not know where the class itself begins. */
  const classOf = ({ id, start }: Node): Node | undefined => {
    const around = id == null ? null : undecorated.aroundOrigin(start)
    if (around === null) return undefined
    return analysis.callables.find((node) => node.start >= around.start && node.end <= around.end && isClass(node) && node.id?.name === id!.name)
  }
  try {
    return undecorated.restore(compileCell({ ...request, source: undecorated.source }, {
      abi,
      written(callable) {
        const anchors = anchorsOf(callable).map(([form, at]) => written.get([form, undecorated.originOf(at)].join()))
        const node = anchors.find((found) => found !== undefined) ?? classOf(callable)
        return node === undefined ? undefined : textOf(node, text)
      },
    }))
  } catch (error) {
    throw undecorated.locate(error)
  }
}

/** Where a function or class of rewritten text can be recognised: it may have lost its parentheses or decorators. */
function anchorsOf({ type, id, params, start }: Node): readonly (readonly [form: string, at: number])[] {
  if (isClass({ type })) return id == null ? [['class', start]] : [['class id', id.start]]
  const first = type === 'ArrowFunctionExpression' ? params[0] : undefined
  return [[type, start], ...first === undefined ? [] : [[`${type} parameter`, first.start] as const]]
}

function compileCell(request: CompileRequest, origin?: Origin): PreparedCell {
  const { source } = request
  const program = parseCell(source, request.semantics)
  const analysis = analyze(program)
  if (analysis.decorated !== null) {
    if (origin === undefined) return compileDecorated(request, program, analysis)
    throw syntaxError('This decorator is not part of the language of cells', analysis.decorated.start)
  }
  if (analysis.nested !== null) {
    const what = analysis.nested.type === 'TSModuleDeclaration' ? 'A namespace' : "'import' and 'export'"
    throw syntaxError(`${what} may only appear at the top level`, analysis.nested.start)
  }
  const draft = createDraft(request, eraseTypes(source, program, analysis), program, analysis, origin)
  refuseModules(draft)
  const named = isolateReferences(draft)
  // The order matters where constructs nest: what ends up outside comes first.
  const end = completion(draft)
  cellStatements(draft)
  rootModuleItems(draft)
  rootClasses(draft)
  rootVariables(draft)
  nameIsolated(draft, named)
  const updated = request.semantics === 'stateful-v1' ? localUpdates(draft) : new Set<never>()
  blockFunctions(draft, updated)
  wrapSwitches(draft)
  lowerTypeScript(draft)
  unnameFactories(draft)
  keepOriginals(draft)
  rootFunctions(draft)
  refuseCollisions(draft)
  const cell = prepared(draft, end)
  verify(cell, source)
  return cell
}

function prepared(draft: Draft, end: string): PreparedCell {
  const { request, edits, abi, names, program, text } = draft
  // A string that erased types have left at the start is no directive.
  const guard = draft.analysis.types && program.directives.length === 0 && /["']/.test(text[skipTrivia(text, 0)] ?? '') ? ';' : ''
  if (isDynamic(draft)) {
    const [open, close] = isolatedScope(draft)
    edits.prepend(`(${open}(async (${completionName(draft)}) => {${guard}`)
    edits.append(`${end}})()${close})`)
  } else {
    edits.prepend(`(async (${abi}, ${completionName(draft)}) => {${guard}`)
    edits.append(`${end}})`)
  }
  return {
    kind: 'prepared', cell: request.cell, code: edits.toString(), segments: segmentsOf(edits), vars: [...draft.vars],
    functions: draft.functions, isolated: draft.isolation.own, imports: draft.imports, defaultFollows: draft.defaultFollows, helpers: null, originals: draft.originals,
    names: [...names].sort((a, b) => a[1].at - b[1].at).map(([name, { kind }]) => ({ name, kind })),
  }
}

/** Is there code outside the top-level functions for which isolated names have to be variables? */
function isDynamic({ isolation, analysis }: Draft): boolean {
  return isolation.dynamic.some((at) => !analysis.functions.some(({ node, scope }) => (
    scope.kind === 'root' && node.id != null && at > node.start && at < node.end
  )))
}

// The cell compiler: TypeScript source in, the text that a session worker runs out. It reads as its pipeline. Everything here
// is synchronous and knows nothing of a session beyond its request.
import { analyze } from './analysis/analyze.ts'
import { createDraft, type Draft } from './draft.ts'
import { isolateReferences, nameIsolated } from './isolation/references.ts'
import { keepOriginals } from './local/originals.ts'
import { wrapSwitches } from './local/switches.ts'
import { localUpdates } from './local/updates.ts'
import { parseCell } from './parse.ts'
import { refuseCollisions, refuseModules } from './preflight.ts'
import { Refusal, rejection, syntaxError } from './refusal.ts'
import { blockFunctions } from './root/block-functions.ts'
import { rootClasses } from './root/classes.ts'
import { completion, completionName } from './root/completion.ts'
import { isolatedScope, rootFunctions, unnameFactories } from './root/functions.ts'
import { rootModuleItems } from './root/modules.ts'
import { cellStatements } from './root/statements.ts'
import { rootVariables } from './root/variables.ts'
import { segmentsOf } from './segments.ts'
import { skipTrivia } from './text.ts'
import type { Compiled, CompileRequest, PreparedCell } from './types.ts'
import { eraseTypes, loadEraser } from './typescript/erase.ts'
import { lowerTypeScript } from './typescript/lower.ts'
import { verify } from './verify.ts'

export { MODULE_TRANSFORM } from './version.ts'

/** Never throws: what is wrong with a source is a `Rejection`. */
export function compile(request: CompileRequest): Compiled {
  try {
    return compileCell(request)
  } catch (error) {
    if (error instanceof Refusal) return rejection(error, request.source)
    if (error instanceof RangeError) return rejection(syntaxError('The cell is nested too deeply', 0), request.source)
    throw error
  }
}

/** Loads what the first TypeScript cell would otherwise wait for. */
export function preload(): void { loadEraser() }

function compileCell(request: CompileRequest): PreparedCell {
  const { source } = request
  const program = parseCell(source, request.semantics)
  const analysis = analyze(program)
  if (analysis.decorated !== null) {
    throw syntaxError('Decorators and auto-accessors are not part of the language of cells yet', analysis.decorated.start)
  }
  if (analysis.nested !== null) {
    const what = analysis.nested.type === 'TSModuleDeclaration' ? 'A namespace' : "'import' and 'export'"
    throw syntaxError(`${what} may only appear at the top level`, analysis.nested.start)
  }
  const draft = createDraft(request, eraseTypes(source, program, analysis), program, analysis)
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
    functions: draft.functions, isolated: draft.isolation.own, imports: draft.imports, defaultFollows: draft.defaultFollows, originals: draft.originals,
    names: [...names].sort((a, b) => a[1].at - b[1].at).map(([name, { kind }]) => ({ name, kind })),
  }
}

/** Is there code outside the top-level functions for which isolated names have to be variables? */
function isDynamic({ isolation, analysis }: Draft): boolean {
  return isolation.dynamic.some((at) => !analysis.functions.some(({ node, scope }) => (
    scope.kind === 'root' && node.id != null && at > node.start && at < node.end
  )))
}

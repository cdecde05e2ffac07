// Reads a cell once. Babel recovers from most errors; those that the language of cells allows, or that V8 judges better on
// the compiled text, are let through here, and the first of the others is the refusal.
import { parse, type ParserOptions } from '@babel/parser'
import type { LanguageSemantics } from '../../journal/types.ts'
import { contains, type Node } from './ast.ts'
import { syntaxError, type Refusal } from './refusal.ts'

const OPTIONS: ParserOptions = {
  sourceType: 'script',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
  errorRecovery: true,
  attachComment: false,
  locations: false,
  createParenthesizedExpressions: true,
  plugins: ['typescript', 'decorators', 'decoratorAutoAccessors', 'sourcePhaseImports', 'deferredImportEvaluation'],
}

/** Not errors in a cell, or better left to V8, which sees the text in which they would matter. */
const ALLOWED: ReadonlySet<string> = new Set([
  'ModuleExportUndefined', 'DuplicateExport', 'DuplicateDefaultExport', 'ImportMetaOutsideModule',
  'UnexpectedUsingDeclaration', 'InlineModuleDeclarationMustUseString', 'OverrideNotInSubClass',
])
/** Allowed only where redeclaration is an update. */
const STATEFUL: ReadonlySet<string> = new Set(['VarRedeclaration', 'DeclarationMissingInitializer'])

interface ParserError { readonly reasonCode: string, readonly message: string, readonly pos: number, readonly details?: { kind?: string } }

function refusalOf(error: ParserError): Refusal {
  return syntaxError(error.message.replace(/ \(\d+:\d+\)$/, ''), error.pos)
}

function isAllowed({ reasonCode, details }: ParserError, semantics: LanguageSemantics): boolean {
  if (ALLOWED.has(reasonCode)) return true
  return semantics === 'stateful-v1' && STATEFUL.has(reasonCode) && details?.kind !== 'destructuring'
}

/** JSX would be read as comparisons and type assertions, with an error that says nothing about it. */
function jsxIn(source: string): Node | null {
  if (!/<[A-Za-z>]/.test(source)) return null
  try {
    const { program } = parse(source, { ...OPTIONS, plugins: [...OPTIONS.plugins!, 'jsx'] }) as unknown as { program: Node }
    let found: Node | null = null
    contains(program, (node) => {
      if (!node.type.startsWith('JSX')) return false
      found ??= node
      return true
    }, () => true)
    return found
  } catch {
    return null
  }
}

/** Throws a `Refusal` when the source is not a cell. */
export function parseCell(source: string, semantics: LanguageSemantics): Node {
  return parseWith(OPTIONS, source, semantics)
}

/** The same tree as Babel's own transforms need it: with lines, columns and comments. */
export function parseLocated(source: string, semantics: LanguageSemantics): Node {
  return parseWith({ ...OPTIONS, locations: true, attachComment: true }, source, semantics)
}

function parseWith(options: ParserOptions, source: string, semantics: LanguageSemantics): Node {
  let parsed
  try {
    parsed = parse(source, options)
  } catch (error) {
    const jsx = jsxIn(source)
    if (jsx !== null) throw syntaxError('JSX is not part of the language of cells', jsx.start)
    throw refusalOf(error as ParserError)
  }
  for (const error of (parsed.errors ?? []) as unknown as ParserError[]) {
    if (!isAllowed(error, semantics)) throw refusalOf(error)
  }
  return parsed.program as unknown as Node
}

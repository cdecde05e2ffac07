// Decides whether what a person has typed so far is a whole cell. Pure. It parses with the grammar of the cell compiler,
// and reads from the place of a syntax error whether more text could still repair it.
import { parse, type ParserOptions } from '@babel/parser'
import { openBrackets } from './brackets.ts'

/**
 * `blank`: nothing but space and comments. `complete`: run it, also when the compiler is going to refuse it.
 * `unfinished`: the text ends too early. `broken`: nothing that follows can repair it, but brackets are still open, so
 * the lines that follow belong to the same mistake and must not run on their own.
 */
export type Completeness = 'blank' | 'complete' | 'unfinished' | 'broken'

const options: ParserOptions = {
  sourceType: 'module',
  strictMode: false,
  // Redeclarations and the like are the compiler's business; only an error that ends the parsing tells about the end.
  errorRecovery: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowNewTargetOutsideFunction: true,
  allowUndeclaredExports: true,
  plugins: ['typescript', 'decorators', 'decoratorAutoAccessors'],
}

interface ParseError { readonly pos: number, readonly reasonCode: string }

export function completeness(source: string): Completeness {
  if (source.trim() === '') return 'blank'
  try {
    const { program, errors } = parse(source, options)
    const last = program.body.at(-1)
    if (last === undefined) return program.directives.length === 0 ? 'blank' : 'complete'
    // `try {}` is a mistake that the next line can repair, and so is the head of a function without its body.
    const codes = (errors ?? []).map(error => (error as unknown as ParseError).reasonCode)
    if (last.type === 'TryStatement' && codes.includes('NoCatchOrFinally')) return 'unfinished'
    if (last.type === 'TSDeclareFunction' && !last.declare && source[(last.end ?? 0) - 1] !== ';') return 'unfinished'
    return 'complete'
  } catch (error) {
    if (!(error instanceof SyntaxError) || !('pos' in error)) throw error
    return readError(error as unknown as ParseError, source)
  }
}

function readError({ pos, reasonCode }: ParseError, source: string): Completeness {
  if (reasonCode === 'UnterminatedTemplate' || reasonCode === 'UnterminatedComment') return 'unfinished'
  if (reasonCode === 'UnterminatedString' && /\\(\r\n|\n|\r)?$/.test(source)) return 'unfinished'
  if (pos >= source.length) return 'unfinished'
  return openBrackets(source) > 0 ? 'broken' : 'complete'
}

// The one way in which a cell is refused before anything of it runs. Whatever phase finds the reason throws a `Refusal`;
// the pipeline turns it into a `Rejection` with a position in the user's text.
import type { Diagnostic } from '../../journal/types.ts'
import { positionAt } from './text.ts'
import type { Rejection } from './types.ts'

export interface Collision { readonly name: string, readonly kind: string, readonly reason: string, readonly at: number }

/** PTC-C001: not a program. PTC-C002: asks for a module no cell may have. PTC-N001: declares a name it may not. */
export type RefusalCode = 'PTC-C001' | 'PTC-C002' | 'PTC-N001'

export class Refusal extends Error {
  readonly code: RefusalCode
  /** Offset in the source. */
  readonly at: number
  readonly collisions: readonly Collision[]

  constructor(code: RefusalCode, message: string, at: number, collisions: readonly Collision[] = []) {
    super(message)
    this.code = code
    this.at = at
    this.collisions = collisions
  }
}

/** A syntax error at an offset of the source. */
export function syntaxError(message: string, at: number): Refusal { return new Refusal('PTC-C001', message, at) }

export function rejection(refusal: Refusal, source: string): Rejection {
  const message = refusal.message.replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ')
  const collisions = refusal.collisions.map(({ at, ...collision }) => ({ ...collision, start: positionAt(source, at) }))
  const diagnostic: Diagnostic = {
    code: refusal.code, severity: 'error', phase: refusal.code === 'PTC-C001' ? 'parse' : 'preflight', message,
    stateEffect: 'unchanged', source: { cell: 'current', start: positionAt(source, refusal.at) },
    ...collisions.length === 0 ? {} : { collisions },
  }
  return { kind: 'rejected', diagnostic, error: { name: refusal.code === 'PTC-C002' ? 'Error' : 'SyntaxError', message } }
}

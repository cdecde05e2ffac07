// What a cell becomes on its way to the worker. Plain data: it crosses from the compiling thread to the session worker.
import type { Diagnostic, LanguageSemantics } from '../../journal/types.ts'

export interface CompileRequest {
  readonly source: string
  /** The cell's number in the worker; names its file `ptc-cell:<cell>`. */
  readonly cell: number
  readonly semantics: LanguageSemantics
  /** Program namespaces (and their error classes) that no declaration may shadow. */
  readonly reserved: readonly string[]
  /** Session names that exist already, for `protected-v1`. Asked for only by that policy. */
  readonly existing?: readonly string[]
  /** Names that earlier cells of the same worker isolated (`PreparedCell.isolated`). The helper remembers them. */
  readonly isolated?: readonly string[]
  /** Look for what is missing at the end of a source that can not be parsed. */
  readonly offersRepair?: boolean
}

/**
 * Positions: generated `[line, column]` to original `[line, column]`, all 0-based, ascending. A position maps by the
 * last segment at or before it on its line; between two segments columns advance together.
 */
export type Segments = readonly (readonly [generatedLine: number, generatedColumn: number, line: number, column: number])[]

export interface PreparedFunction {
  readonly name: string
  /** Text for an indirect eval, padded with newlines and blanks to its place, with its own `sourceURL`. */
  readonly code: string
  /**
   * Usually `code` is the declaration and the eval declares it. A function that needs the strictness of its cell, the
   * cell's `import.meta` or an isolated name cannot be had like that: then the eval yields `(abi) => function`, and the caller publishes the
   * function under `name`.
   */
  readonly factory: boolean
  readonly segments: Segments | null
}

/**
 * A cell in the form in which the worker runs it. `code` is a script whose value is `async (abi) => {...}`.
 * The calls it makes on its parameter are the whole of `worker/abi.ts`.
 */
export interface PreparedCell {
  readonly kind: 'prepared'
  readonly cell: number
  readonly code: string
  readonly segments: Segments
  /** Root names that `var` declares anywhere outside functions: they exist, as undefined, before the body runs. */
  readonly vars: readonly string[]
  /** Top-level function declarations, in source order; `abi.f(i)` stands at the place of number i. */
  readonly functions: readonly PreparedFunction[]
  /** All root names that the cell declares, in source order, for inventories and completion. */
  readonly names: readonly { readonly name: string, readonly kind: 'variable' | 'function' | 'class' | 'import' }[]
  /** Names of the realm, or such that libraries look for, that the cell declares: they live on `abi.i`. */
  readonly isolated: readonly string[]
  /** The virtual module that links the cell's static imports, or null when it has none. */
  readonly imports: { readonly code: string, readonly aliases: readonly string[] } | null
  /** `export default` of a named declaration: the name that `__default` follows. */
  readonly defaultFollows: string | null
  /** A script whose value is `abi.h`, what lowered decorators need at run time, or null when the cell has none. */
  readonly helpers: string | null
  /** Texts of functions that had to be edited, with the text that the user wrote. */
  readonly originals: readonly (readonly [edited: string, original: string])[]
}

/** Exactly these closing brackets make the source a cell. `anchor` is its end, which occurs nowhere else in it. */
export interface EndRepair { readonly anchor: string, readonly suffix: string }

export interface Rejection {
  readonly kind: 'rejected'
  readonly diagnostic: Diagnostic
  /** Name and message of the error that the caller sees, for example `SyntaxError`. */
  readonly error: { readonly name: string, readonly message: string }
  /** Only when it was asked for. */
  readonly repair?: EndRepair
}

export type Compiled = PreparedCell | Rejection

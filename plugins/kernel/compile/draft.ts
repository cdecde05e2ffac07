// A cell while it is being compiled: the record at which the phases meet. Each phase reads the tree and the analysis and
// leaves its edits of the text and its part of the result here.
import MagicString from 'magic-string'
import { ABI_NAME } from '../worker/abi.ts'
import type { Analysis } from './analysis/analyze.ts'
import type { Node } from './ast.ts'
import { isolationOf, type Isolation } from './isolation/names.ts'
import type { CompileRequest, PreparedCell, PreparedFunction } from './types.ts'

export type NameKind = PreparedCell['names'][number]['kind']

export interface RootName { readonly kind: NameKind, readonly at: number }

export interface Draft {
  readonly request: CompileRequest
  readonly source: string
  /** The source without its types, every character at its place. All edits are edits of this text. */
  readonly text: string
  readonly program: Node
  readonly analysis: Analysis
  /** For a cell whose source another phase has rewritten. */
  readonly origin: Origin | undefined
  readonly edits: MagicString
  readonly abi: string
  readonly isolation: Isolation
  readonly vars: Set<string>
  /** Root names in source order; a name that is declared again keeps its place. */
  readonly names: Map<string, RootName>
  readonly functions: PreparedFunction[]
  readonly originals: (readonly [edited: string, original: string])[]
  /** Starts of edits for which the user's text of the enclosing functions is kept. */
  readonly marked: number[]
  /** What was put in front of and behind places of the text. */
  readonly opened: Map<number, string>
  readonly closed: Map<number, string>
  /** What to declare around a `switch`. */
  readonly switches: Map<Node, string>
  imports: PreparedCell['imports']
  defaultFollows: string | null
  /** Names for variables of the compiled cell; the text contains none of them. */
  fresh(): string
}

/** The parameter of a compiled cell, under a name that the source does not contain. */
export function abiName(source: string): string {
  let abi: string = ABI_NAME
  while (source.includes(abi)) abi += '_'
  return abi
}

/** `written` answers the user's text of a function whose text is another in `request.source`. */
export interface Origin { readonly abi: string, written(callable: Node): string | undefined }

export function createDraft(request: CompileRequest, text: string, program: Node, analysis: Analysis, origin?: Origin): Draft {
  const { source } = request
  const abi = origin?.abi ?? abiName(source)
  let last = 0
  return {
    request, source, text, program, analysis, origin, edits: new MagicString(text), abi, isolation: isolationOf(request, analysis),
    vars: new Set(), names: new Map(), functions: [], originals: [], marked: [], opened: new Map(), closed: new Map(),
    switches: new Map(), imports: null, defaultFollows: null,
    fresh: () => `${abi}${last += 1}`,
  }
}

/** Text that belongs before what starts at `at`. Outer constructs have to come before the ones inside them. */
export function before(draft: Draft, at: number, text: string): void {
  draft.opened.set(at, (draft.opened.get(at) ?? '') + text)
  draft.edits.appendRight(at, text)
}

/** Text that belongs after what ends at `at`. Outer constructs have to come before the ones inside them. */
export function after(draft: Draft, at: number, text: string): void {
  draft.closed.set(at, text + (draft.closed.get(at) ?? ''))
  draft.edits.prependLeft(at, text)
}

/** Text that belongs after everything that ends at `at`. */
export function finish(draft: Draft, at: number, text: string): void {
  draft.closed.set(at, (draft.closed.get(at) ?? '') + text)
  draft.edits.appendLeft(at, text)
}

export function replace(draft: Draft, start: number, end: number, text: string): void {
  if (start === end) before(draft, start, text)
  else draft.edits.update(start, end, text)
}

export function declareName(draft: Draft, name: string, kind: NameKind, at: number): void {
  const known = draft.names.get(name)
  draft.names.set(name, { kind, at: known?.at ?? at })
}

/** A note in the text of an edited function. No two edits have the same, so edited texts cannot be mixed up. */
export function mark(draft: Draft, at: number): string {
  draft.marked.push(at)
  return `/*ptc:${draft.request.cell}.${draft.marked.length}*/`
}

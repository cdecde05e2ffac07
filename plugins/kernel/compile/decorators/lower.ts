// Standard decorators and auto-accessors. Each class that has some is replaced by an expression that makes it, in the text of
// the cell; what comes out is a cell without decorators, which takes the ordinary way. Positions and texts of functions are
// led back afterwards.
import { contains, eachChild, isFunction, isWrapper, type Node } from '../ast.ts'
import { parseLocated } from '../parse.ts'
import { Refusal, syntaxError } from '../refusal.ts'
import { originalPosition } from '../segments.ts'
import type { CompileRequest, PreparedCell } from '../types.ts'
import { helperText, lowerClass } from './babel.ts'
import { composed, lineStarts, MappedText, placeOf } from './mapped-text.ts'

export interface Undecorated {
  readonly source: string
  /** The offset in the user's text that an offset in `source` stands for. */
  originOf(offset: number): number
  /** Where in the user's text the class stands whose lowered text contains an offset; null outside all of them. */
  aroundOrigin(offset: number): Node | null
  /** The same refusal or error, at its place in the user's text. */
  locate(error: unknown): unknown
  /** A cell compiled from `source`, as one compiled from the user's text. */
  restore(cell: PreparedCell): PreparedCell
}

interface Found { readonly node: Node, readonly parents: readonly Node[] }

export function lowerDecorators({ source, semantics }: CompileRequest, abi: string): Undecorated {
  const program = parseLocated(source, semantics)
  const found: Found[] = []
  collect(program, [], found)
  const out = new MappedText(source)
  const helpers = new Set<string>()
  const rootClasses = new Set<string>()
  const regions: Region[] = []
  let at = 0
  for (const { node, parents } of found) {
    const statement = statementOf(node, parents)
    if (statement !== null && node.id != null && parents.length <= (statement === node ? 1 : 2)) rootClasses.add(node.id.name)
    const { start, end } = statement ?? node
    const { open, close } = around(node, statement)
    const awaits = hasOwn(node, 'AwaitExpression')
    if (hasOwn(node, 'YieldExpression')) throw syntaxError("A class with decorators cannot contain 'yield' outside its functions", start)
    const { code, mappings } = lowerClass({ node, source, name: node.id == null ? nameFor(parents) : null, awaits, abi }, helpers)
    out.copy(at, start)
    out.write(`${open}${awaits ? '(await ' : '('}`, start)
    regions.push({ start: out.text.length, end: out.text.length + code.length, node })
    out.writeMapped(code, mappings, node.start)
    out.write(`)${close}`, end - 1)
    at = end
  }
  out.copy(at, source.length)
  return undecorated(source, out, { helpers: helperText(helpers), rootClasses, regions })
}

/** What a class became, by offsets in the lowered text. */
interface Region { readonly start: number, readonly end: number, readonly node: Node }

interface Lowering { readonly helpers: string, readonly rootClasses: ReadonlySet<string>, readonly regions: readonly Region[] }

function undecorated(source: string, { text, segments }: MappedText, { helpers, rootClasses, regions }: Lowering): Undecorated {
  const starts = lineStarts(text)
  const sourceStarts = lineStarts(source)
  const original = (line: number, column: number) => originalPosition(segments, line, column)
  const originOf = (offset: number): number => {
    const [line, column] = original(...placeOf(starts, offset))
    return Math.min((sourceStarts[line] ?? source.length) + column, source.length)
  }
  return {
    source: text,
    originOf,
    aroundOrigin: (offset) => regions.find(({ start, end }) => offset >= start && offset < end)?.node ?? null,
    locate(error) {
      if (!(error instanceof Refusal)) return error
      return new Refusal(error.code, error.message, originOf(error.at), error.collisions.map((collision) => ({ ...collision, at: originOf(collision.at) })))
    },
    restore: (cell) => ({
      ...cell, helpers,
      segments: composed(cell.segments, segments, original),
      functions: cell.functions.map((one) => ({ ...one, segments: composed(one.segments, segments, original) })),
      names: cell.names.map(({ name, kind }) => ({ name, kind: rootClasses.has(name) ? 'class' : kind })),
    }),
  }
}

export function isClass({ type }: { readonly type: string }): boolean { return type === 'ClassDeclaration' || type === 'ClassExpression' }

function isDecorated(node: Node): boolean {
  const list = (holder: Node): readonly unknown[] => (holder['decorators'] ?? []) as unknown[]
  return list(node).length > 0 || (node.body.body as unknown as Node[]).some((member) => (
    member.type === 'ClassAccessorProperty' || list(member).length > 0
  ))
}

/** Decorated classes that are in no other, in source order. */
function collect(node: Node, parents: readonly Node[], found: Found[]): void {
  if (isClass(node) && isDecorated(node)) { found.push({ node, parents }); return }
  const inside = [node, ...parents]
  eachChild(node, (child) => { collect(child, inside, found) })
}

/** The declaration that a class is, with the `export` around it; null for an expression. */
function statementOf(node: Node, [parent]: readonly Node[]): Node | null {
  if (node.type !== 'ClassDeclaration') return null
  const isExported = parent?.type === 'ExportNamedDeclaration' || parent?.type === 'ExportDefaultDeclaration'
  return isExported ? parent : node
}

/** A class declaration is a `let` that starts with its value. */
function around(node: Node, statement: Node | null): { open: string, close: string } {
  if (statement === null) return { open: '', close: '' }
  if (node.id == null) return { open: 'export default ', close: ';' }
  const { name } = node.id
  if (statement.type === 'ExportDefaultDeclaration') return { open: `let ${name} = `, close: `; export { ${name} as default };` }
  return { open: `${statement === node ? '' : 'export '}let ${name} = `, close: ';' }
}

function hasOwn(node: Node, type: string): boolean {
  return contains(node, (child) => child.type === type, (child) => !isFunction(child))
}

/** The name that an anonymous class takes from where it stands. */
function nameFor(parents: readonly Node[]): string | null {
  const parent = parents.find((node) => !isWrapper(node))
  switch (parent?.type) {
    case 'ExportDefaultDeclaration': return 'default'
    case 'VariableDeclarator': return parent.id!.type === 'Identifier' ? parent.id!.name : null
    case 'AssignmentExpression': case 'AssignmentPattern': return parent.left.type === 'Identifier' ? parent.left.name : null
    case 'ObjectProperty': case 'ClassProperty':
      if (parent.computed) return null
      return parent.key.type === 'Identifier' ? parent.key.name : parent.key.type === 'StringLiteral' ? parent.key.value as string : null
    default: return null
  }
}

// The types of a class: what its head says about it, members that only describe, modifiers in front of the others.
import { eachChild, isFunction, listOf, type Node } from '../ast.ts'
import { skipTrivia } from '../text.ts'
import type { Eraser } from './erase.ts'

const MODIFIERS: ReadonlySet<string> = new Set(['public', 'private', 'protected', 'override', 'readonly'])
const WORD = /[\p{ID_Continue}$]+/uy
/** A field of this name would read as the beginning of another member. */
const AMBIGUOUS_FIELDS: ReadonlySet<string> = new Set(['get', 'set', 'static'])
/** What a member begins with that would continue the initializer of the field above it. */
const CONTINUES = /(?:[[*(]|(?:in|instanceof)(?![\p{ID_Continue}$]))/uy

export function eraseClass(eraser: Eraser, node: Node): void {
  const { source, blanks } = eraser
  let at = skipTrivia(source, afterDecorators(node))
  if (node['abstract'] === true && source.startsWith('abstract', at)) {
    blanks.blank(at, at + 'abstract'.length)
    at = skipTrivia(source, at + 'abstract'.length)
  }
  const interfaces = (node['implements'] ?? []) as readonly Node[]
  if (interfaces.length > 0) {
    const before = node['superTypeArguments'] ?? node.superClass ?? node['typeParameters'] ?? node.id
    const end = (before as Node | null)?.end ?? at + 'class'.length
    blanks.blank(skipTrivia(source, end), interfaces.at(-1)!.end)
  }
  eachChild(node, (child) => {
    if (child.type === 'ClassBody') members(eraser, listOf(child))
    else if (!interfaces.includes(child)) eraser.visit(child)
  })
}

function members(eraser: Eraser, nodes: readonly Node[]): void {
  const { source, blanks } = eraser
  /** A field that what follows would continue. */
  let isOpen = false
  for (const node of nodes) {
    if (isDescription(node)) {
      blanks.blank(node.start, node.end)
      CONTINUES.lastIndex = skipTrivia(source, node.end)
      if (isOpen && CONTINUES.test(source)) blanks.mark(node.start, ';')
      continue
    }
    member(eraser, node)
    isOpen = !isFunction(node) && node.value != null && source[node.end - 1] !== ';'
  }
}

function isDescription(node: Node): boolean {
  return node.type === 'TSDeclareMethod' || node.type === 'TSIndexSignature' || node['abstract'] === true || node.declare === true
}

function member(eraser: Eraser, node: Node): void {
  const { source, blanks } = eraser
  const { key } = node
  if (key != null) {
    const start = afterDecorators(node)
    const isModified = modifiers(eraser, start, key.start)
    const afterKey = node.computed ? skipTrivia(source, key.end) + 1 : key.end
    if (node['optional'] === true) eraser.markAt(afterKey, '?')
    if (node['definite'] === true) eraser.markAt(afterKey, '!')
    const name = node.computed ? undefined : key.name
    const continuesAbove = node.computed || node.generator || name === 'in' || name === 'instanceof'
    if (isModified && start === node.start && !node.static && continuesAbove) blanks.mark(start, ';')
    const type = node['typeAnnotation'] as Node | null | undefined
    if (type != null && node.value == null && AMBIGUOUS_FIELDS.has(name ?? '')) blanks.mark(type.start, ';')
  }
  eraser.visitParts(node)
}

/** Blanks the modifiers in front of a key. Were there any? */
function modifiers({ source, blanks }: Eraser, start: number, key: number): boolean {
  let found = false
  for (let at = skipTrivia(source, start); at < key; at = skipTrivia(source, WORD.lastIndex)) {
    WORD.lastIndex = at
    const word = WORD.exec(source)?.[0]
    if (word === undefined) break
    if (!MODIFIERS.has(word)) continue
    blanks.blank(at, WORD.lastIndex)
    found = true
  }
  return found
}

/** Where a class or member begins when its decorators, if it starts with any, are skipped. */
function afterDecorators({ start, decorators }: Node): number {
  const last = (decorators as readonly Node[] | undefined)?.at(-1)
  return last === undefined || last.end < start ? start : last.end
}

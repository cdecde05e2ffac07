// A random program: top-level items with the places where it may be cut into cells, and the expressions that look at its end.
import { anything, call, number } from './expressions.ts'
import { functionText } from './functions.ts'
import { statement } from './statements.ts'
import { Writer } from './writer.ts'

export interface Item {
  readonly text: string
  /** Belongs to the same cell as the item before it. */
  readonly glued: boolean
}

export interface Program {
  readonly seed: number
  readonly items: readonly Item[]
  /** Indexes of items that begin a cell; 0 is always one. */
  readonly cuts: readonly number[]
  readonly probes: readonly string[]
  /** Its run-time TypeScript is printed anew by the reference, so function texts are not compared. */
  readonly lowered: boolean
  /** It may contain TypeScript. */
  readonly types: boolean
}

export function generate(seed: number, tag = ''): Program {
  const w = new Writer(seed, tag)
  const { random } = w
  const items: Item[] = []
  const count = 2 + random.below(7)
  const breaks = random.chance(0.5)
  for (let at = 0; at < count; at += 1) {
    w.cost = Math.min(w.cost, 700)
    if (random.chance(0.08)) items.push(...hoisted(w))
    else if (random.chance(0.04)) items.push(...mutual(w))
    else items.push({ text: statement(w), glued: false })
  }
  if (random.chance(0.06)) items.push({ text: `throw new ${random.pick(['Error', 'TypeError', 'RangeError'])}('end')`, glued: false })
  w.cost = 0
  w.place = { ...w.place, async: false }
  const probes = [...w.visible().map(({ name }) => name), anything(w, 3)]
  for (const callee of w.visible()) {
    if (callee.kind === 'function' && w.affordable(callee.cost)) probes.push(call(w, callee, 1))
  }
  return { seed, items: items.map((item) => ({ ...item, text: dressed(item.text, w, breaks) })), cuts: cutsOf(items, w), probes, lowered: w.lowered, types: w.types }
}

/** Calls a function above its declaration; both stay in one cell. */
function hoisted(w: Writer): Item[] {
  const name = w.fresh('f')
  const { text, binding } = functionText(w, name, 'function')
  if (!w.affordable(binding.cost)) return [{ text, glued: false }]
  const use = `console.log(show(${call(w, binding, 1)}))`
  w.declare(binding)
  return [{ text: use, glued: false }, { text, glued: true }]
}

/** Two functions that call each other, in cells of their own when the program is cut between them. */
function mutual(w: Writer): Item[] {
  const [even, odd] = [w.fresh('f'), w.fresh('f')]
  const one = { text: `function ${even}(n) { return n > 0 ? ${odd}(n - 1) + ${number(w, 0)} : 0 }`, glued: false }
  const two = { text: `const ${odd} = (n) => n > 0 ? ${even}(n - 1) : ${number(w, 0)}`, glued: false }
  for (const name of [even, odd]) w.declare({ name, kind: 'function', writable: false, cost: 9, recursive: true })
  return [one, two]
}

function dressed(text: string, w: Writer, breaks: boolean): string {
  const comment = w.random.chance(0.05) ? w.random.pick(['// note\n', '/* note */ ', '\n\n']) : ''
  return `${comment}${text}${breaks ? '' : ';'}`
}

function cutsOf(items: readonly Item[], w: Writer): number[] {
  const likely = w.random.pick([0, 0.25, 0.5, 1])
  return items.flatMap(({ glued }, at) => at === 0 || (!glued && w.random.chance(likely)) ? [at] : [])
}

/** The texts of items on lines of their own; a line that could continue the one before it gets a semicolon in front. */
export function joined(texts: readonly string[]): string {
  return texts.map((text) => /^(?:\s|\/\/.*\n|\/\*[^]*?\*\/)*[([`/+\-*]/u.test(text) ? `;${text}` : text).join('\n')
}

export function cellsOf({ items, cuts }: Program): string[] {
  return cuts.map((from, at) => joined(items.slice(from, cuts[at + 1] ?? items.length).map(({ text }) => text)))
}

export function wholeOf({ items }: Program): string { return joined(items.map(({ text }) => text)) }

/** One expression that shows the final state: an array of strings. */
export function finalOf({ probes }: Program): string {
  return `[${probes.map((text) => `(() => { try { return show(${text}) } catch (e) { return 'thrown ' + e?.name } })()`).join(', ')}]`
}

// Statements. `body` writes a list of them; each is a text without a final semicolon, with inner statements on lines of their own.
import { anything, array, bigint, boolean, call, number, object, PLAIN, string, TYPES, valueOf } from './expressions.ts'
import { classDeclaration, functionDeclaration, functionVariable } from './functions.ts'
import type { Kind, Place, Writer } from './writer.ts'

type Rule = (w: Writer) => string | undefined

const block = (w: Writer, count: number, place: Partial<Place> = {}) => w.within(place, () => `{\n${body(w, count)}\n}`)
const few = (w: Writer) => 1 + w.random.below(w.place.depth > 3 ? 1 : 2)

/** `keyword` for a declaration here; `var` only where it cannot meet a lexical name of a block in between. */
function keywordFor(w: Writer): 'let' | 'const' | 'var' {
  return w.random.pick(w.isTop || w.scope.holder ? ['let', 'const', 'var', 'let'] as const : ['let', 'const'] as const)
}

function declaration(w: Writer): string {
  const count = w.random.chance(0.15) ? 2 : 1
  const keyword = keywordFor(w)
  const list = Array.from({ length: count }, () => {
    const kind = w.random.pick(PLAIN)
    const value = valueOf(w, kind, 3)
    if (keyword !== 'const' && kind === 'number' && w.random.chance(0.08)) {
      const name = w.name('x')
      w.declare({ name, kind: 'number', writable: true, cost: 0 })
      return `${name}${w.note('number | undefined')}`
    }
    const name = w.name('x')
    w.declare({ name, kind, writable: keyword !== 'const', cost: 0 })
    return `${name}${w.note(TYPES[kind]!)} = ${value}`
  })
  return `${keyword} ${list.join(', ')}`
}

/** `var` in a block or loop: it belongs to the function or the cell around. */
function hoistedVariable(w: Writer): string {
  const value = number(w, 2)
  const name = w.hoistable('v')
  w.claim(name)
  w.declare({ name, kind: 'number', writable: true, cost: 0 }, w.holder())
  return `var ${name} = ${value}`
}

interface Pattern { readonly text: string, readonly names: readonly (readonly [string, Kind])[] }

function pattern(w: Writer, name: () => string): Pattern & { readonly value: string } {
  const [a, b, c] = [name(), name(), name()]
  return w.random.weighted<() => Pattern & { value: string }>([
    [3, () => ({ text: `[${a}, ${b} = ${w.random.below(9)}]`, names: [[a, 'number'], [b, 'number']], value: `[${number(w, 2)}, ${number(w, 2)}]` })],
    [2, () => ({ text: `[, ${a} = 4, ...${b}]`, names: [[a, 'number'], [b, 'array']], value: `[${number(w, 1)}, ...${array(w, 1)}]` })],
    [3, () => ({ text: `{ x: ${a} = 1, ...${b} }`, names: [[a, 'number'], [b, 'object']], value: object(w, 2) })],
    [2, () => ({ text: `{ k: { ${a}, y: [${b}] = [2] } = {}, ['si' + 'ze']: ${c} = 0 }`, names: [[a, 'number'], [b, 'number'], [c, 'number']], value: `{ k: { ${a}: ${number(w, 1)} } }` })],
    [1, () => ({ text: `{ length: ${a} }`, names: [[a, 'number']], value: string(w, 1) })],
    [1, () => ({ text: `[${a} = 1, ${b} = ${a}]`, names: [[a, 'number'], [b, 'number']], value: '[undefined, undefined]' })],
    [1, () => ({ text: `{ ${a} = () => 1, ${b} = class {} }`, names: [[a, 'opaque'], [b, 'opaque']], value: '{}' })],
  ])()
}

function distinct(w: Writer): () => string {
  const seen = new Set<string>()
  return () => {
    for (let tries = 0; tries < 9; tries += 1) {
      const name = w.name('d')
      if (!seen.has(name)) { seen.add(name); return name }
    }
    return w.fresh('d')
  }
}

function destructuring(w: Writer): string {
  const made = pattern(w, distinct(w))
  const keyword = keywordFor(w)
  for (const name of made.text.match(/[\w$é]+/gu) ?? []) if (w.scope.used.has(name) && !w.isTop) return declaration(w)
  for (const [name, kind] of made.names) w.declare({ name, kind, writable: keyword !== 'const', cost: 0 })
  return `${keyword} ${made.text} = ${made.value}`
}

function assignment(w: Writer): string {
  const [a, b] = [w.variable('number', true), w.variable('number', true)]
  const list = w.variable('array')
  const thing = w.variable('object')
  return w.random.weighted<() => string>([
    [a ? 5 : 0, () => `${a!.name} ${w.random.pick(['=', '+=', '-=', '*=', '??=', '||=', '&&=', '>>>='])} ${number(w, 3)}`],
    [a && b ? 2 : 0, () => `[${a!.name}, ${b!.name}] = [${number(w, 1)}, ${number(w, 1)}]`],
    [a && b ? 1 : 0, () => `({ x: ${a!.name} = 3, ['k']: ${b!.name} } = { k: ${number(w, 1)} })`],
    [list ? 2 : 0, () => `${list!.name}[${w.random.below(4)}] = ${number(w, 2)}`],
    [list ? 1 : 0, () => `[${list!.name}[0], ...${list!.name}.rest] = ${array(w, 1)}`],
    [thing ? 2 : 0, () => `${thing!.name}.${w.random.pick(['x', 'y', 'size'])} = ${number(w, 2)}`],
    [1, () => { const x = w.variable('string', true); return x ? `${x.name} = ${string(w, 2)}` : `void ${number(w, 1)}` }],
    [1, () => { const x = w.variable('bigint', true); return x ? `${x.name} = ${bigint(w, 2)}` : `void ${bigint(w, 1)}` }],
    [1, () => `(${number(w, 1)}, ${anything(w, 1)})`],
  ])()
}

function probe(w: Writer): string { return `console.log(show(${anything(w, 3)})${w.random.chance(0.3) ? `, show(${anything(w, 1)})` : ''})` }

function loop(w: Writer): string | undefined {
  if (!w.affordable(20)) return undefined
  const label = w.random.chance(0.25) ? w.random.pick(['outer', 'top', 'l']) : undefined
  const usable = label !== undefined && !w.place.labels.some(({ name }) => name === label)
  const labels = usable ? [...w.place.labels, { name: label, loop: true }] : w.place.labels
  const place = { inLoop: true, labels }
  const count = 1 + w.random.below(3)
  const inner = (declare: () => void) => w.repeated(4, () => w.within(place, () => { declare(); return block(w, few(w), place) }))
  const index = w.random.pick(['i', 'j', 'h'])
  const counter = () => { w.declare({ name: index, kind: 'number', writable: false, cost: 0 }) }
  const text = w.random.weighted<() => string>([
    [4, () => `for (let ${index}${w.note('number')} = 0; ${index} < ${count}; ${index}++) ${inner(counter)}`],
    [2, () => { const list = array(w, 1); return `for (const ${index} of ${list}.slice(0, 4)) ${inner(counter)}` }],
    [1, () => { const thing = object(w, 1); return `for (const ${index} in ${thing}) ${inner(() => { w.declare({ name: index, kind: 'string', writable: false, cost: 0 }) })}` }],
    [1, () => { const v = w.fresh('v'); w.claim(v); const list = array(w, 1); const done = inner(() => {}); w.declare({ name: v, kind: 'number', writable: true, cost: 0 }, w.holder()); return `for (var ${v} of ${list}.slice(0, 3)) ${done}` }],
    [1, () => { const v = w.fresh('v'); w.claim(v); const done = inner(() => {}); w.declare({ name: v, kind: 'number', writable: false, cost: 0 }, w.holder()); return `for (var ${v} = 0; ${v} < ${count}; ${v}++) ${done}` }],
    [1, () => { const v = w.fresh('w'); return `for (let ${v} = 0, more = true; more; more = ++${v} < ${count}) ${inner(() => {})}` }],
    [1, () => `for (const [${index}, v] of ${array(w, 1)}.slice(0, 3).entries()) ${inner(counter)}`],
    [w.place.async ? 1 : 0, () => `for await (const ${index} of [Promise.resolve(${number(w, 1)}), ${number(w, 1)}]) ${inner(counter)}`],
    [w.place.async ? 1 : 0, () => { const g = w.find(({ kind, cost }) => (kind === 'asyncGenerator' || kind === 'generator') && w.affordable(cost * 4)); if (g) w.spend(g.cost * 4); return `for await (const ${index} of ${g ? `${g.name}(2)` : '[1, 2]'}) ${inner(counter)}` }],
  ])()
  return usable ? `${label}: ${text}` : text
}

function countedLoop(w: Writer): string | undefined {
  if (!w.affordable(20)) return undefined
  const name = w.fresh('c')
  const keyword = w.isTop ? 'let' : w.random.pick(['let', 'var'])
  if (keyword === 'var') w.claim(name)
  w.declare({ name, kind: 'number', writable: false, cost: 0 })
  const done = w.repeated(4, () => block(w, few(w), { inLoop: true }))
  const text = w.random.chance(0.5) ? `while (${name}++ < ${1 + w.random.below(3)}) ${done}` : `do ${done} while (++${name} < ${1 + w.random.below(3)})`
  return `${keyword} ${name} = 0\n${text}`
}

function closures(w: Writer): string | undefined {
  if (!w.affordable(20)) return undefined
  const name = w.name('fs')
  w.declare({ name, kind: w.lowered ? 'opaque' : 'array', writable: false, cost: 0 })
  const keyword = w.random.pick(['let', 'var'])
  const v = keyword === 'var' ? w.fresh('i') : 'i'
  if (keyword === 'var') w.claim(v)
  return `const ${name}${w.note('any[]')} = []\nfor (${keyword} ${v} = 0; ${v} < 3; ${v}++) {\n${w.random.chance(0.3) ? `if (${v} === 1) continue\n` : ''}${name}.push(() => ${v}++)\n}\nconsole.log(show(${name}.map((f) => f() + f())))`
}

function jump(w: Writer): string | undefined {
  const { inLoop, labels } = w.place
  const label = labels.length > 0 ? w.random.pick(labels) : undefined
  return w.random.weighted<() => string | undefined>([
    [inLoop ? 3 : 0, () => `if (${boolean(w, 1)}) ${w.random.pick(['break', 'continue'])}`],
    [label ? 3 : 0, () => `if (${boolean(w, 1)}) ${label!.loop && inLoop ? w.random.pick(['break', 'continue']) : 'break'} ${label!.name}`],
    [w.place.inFunction && !w.place.generator && w.place.strict === false ? 1 : 0, () => `if (${boolean(w, 1)}) return ${anything(w, 1)}`],
    [0.3, () => undefined],
  ])()
}

function trying(w: Writer): string {
  const thrown = w.random.pick([`new Error('e${w.random.below(9)}')`, 'new TypeError(\'t\')', 'new RangeError(\'r\')', String(w.random.below(9)), '\'text\'', '{ code: 1 }'])
  const inside = w.within({}, () => `{\n${body(w, few(w))}\n${w.random.chance(0.6) ? `${w.random.chance(0.4) ? `if (${boolean(w, 1)}) ` : ''}throw ${thrown}` : 'null.x'}\n}`)
  const parameter = w.random.pick(w.lowered ? ['e', ''] : ['e', 'err', '{ message = \'none\' }', '', 'p'])
  const shown = parameter.startsWith('{') ? 'message' : parameter
  const handler = `catch ${parameter === '' ? '' : `(${parameter}${parameter.startsWith('{') ? '' : w.note('unknown')}) `}{\n${shown === '' ? '' : `console.log(show(${shown}))\n`}${w.within({}, () => { if (shown !== '') { w.declare({ name: shown, kind: 'opaque', writable: false, cost: 0 }) } return plainBody(w, few(w), shown) })}\n}`
  const ending = w.random.chance(0.3) ? ` finally ${block(w, 1)}` : ''
  return `try ${inside} ${handler}${ending}`
}

/** Statements in the scope of a catch parameter, which they may not read as anything else. */
function plainBody(w: Writer, count: number, parameter: string): string {
  return parameter === '' ? body(w, count) : w.within({}, () => `{\n${body(w, count)}\n}`)
}

function choosing(w: Writer): string {
  const cases = Array.from({ length: 1 + w.random.below(3) }, (_, at) => at)
  return w.within({}, () => {
    const parts = cases.map((at) => `case ${at}: ${w.random.chance(0.3) ? block(w, few(w)) : `\n${w.within({}, () => `{\n${body(w, 1)}\n}`)}`}\n${w.random.chance(0.6) ? 'break' : ';'}`)
    const lexical = w.random.chance(0.4) ? `case 9: let s${w.tag} = ${number(w, 1)}; console.log(show(s${w.tag})); function inner${w.fresh('f')}() { return s${w.tag} }\nbreak\n` : ''
    const fallback = w.random.chance(0.6) ? `default:\n${w.within({}, () => `{\n${body(w, 1)}\n}`)}\n` : ''
    const text = w.random.chance(0.5) ? `${parts.join('\n')}\n${lexical}${fallback}` : `${fallback}${lexical}${parts.join('\n')}\n`
    return `switch (${w.random.chance(0.3) ? '9' : `Math.abs(${number(w, 1)}) % 3`}) {\n${text}}`
  })
}

function typeOnly(w: Writer): string | undefined {
  if (!w.types) return undefined
  const name = w.fresh('T')
  // With its semicolon: the eraser would take one from the next line for it.
  return w.random.pick([`interface ${name} { a: number; b?: string };`, `type ${name}<X> = X | { [K in keyof X]: X[K] };`, `declare const ${name}: number;`, `declare function ${name}(a: number): void;`])
}

function enumeration(w: Writer): string | undefined {
  if (!w.lowered || !w.isTop) return undefined
  const name = w.fresh('E')
  w.declare({ name, kind: 'enum', writable: false, cost: 0 })
  return w.random.pick([
    `enum ${name} { One = ${w.random.below(5)}, Two, Three = One + 4 }`,
    `enum ${name} { One, Two = 'two'.length, Four = 1 << 2 }`,
    `namespace ${name} { export const One = ${w.random.below(5)}; export let Two = One + 1; export function next() { return Two++ } }`,
  ])
}

const STATEMENTS: readonly (readonly [number, Rule])[] = [
  [10, declaration], [4, destructuring], [8, assignment], [6, probe], [3, functionDeclaration], [2, functionVariable], [2, closures],
  [1.5, classDeclaration], [3, loop], [1, countedLoop], [3, jump], [2, trying], [1.5, choosing], [1, typeOnly], [4, enumeration],
  [3, (w) => `if (${boolean(w, 2)}) ${block(w, few(w))}${w.random.chance(0.4) ? ` else ${block(w, 1)}` : ''}`],
  [1, (w) => block(w, few(w))],
  [1, (w) => {
    if (w.place.labels.some(({ name }) => name === 'blk')) return undefined
    return `blk: ${block(w, few(w), { labels: [...w.place.labels, { name: 'blk', loop: false }] })}`
  }],
  [1.5, (w) => w.isTop ? undefined : hoistedVariable(w)],
  [1.5, (w) => { const f = w.find(({ kind, cost }) => kind === 'function' && w.affordable(cost)); return f && `console.log(show(${call(w, f, 2)}))` }],
  [1, (w) => w.place.async ? interleaved(w) : undefined],
]

/** Two asynchronous functions that run together: their order shows the turns that each await takes. */
function interleaved(w: Writer): string | undefined {
  const [f, g] = [0, 1].map(() => w.find(({ kind, cost }) => kind === 'asyncFunction' && w.affordable(cost)))
  if (f === undefined || g === undefined) return undefined
  return `console.log(show(await Promise.${w.random.pick(['all', 'allSettled'])}([${call(w, f, 1)}, ${call(w, g, 1)}])))`
}

export function statement(w: Writer): string {
  w.spend(1)
  for (let tries = 0; tries < 5; tries += 1) {
    const deep = w.place.depth > 5
    const rule = deep ? w.random.pick([declaration, assignment, probe]) : w.random.weighted(STATEMENTS)
    const text = rule(w)
    if (text !== undefined) return text
  }
  return probe(w)
}

export function body(w: Writer, count: number): string {
  return Array.from({ length: count }, () => `${statement(w)};`).join('\n')
}

// Expressions by the kind of value they yield. Every composite one is in parentheses, so that precedence is no topic.
import type { Binding, Kind, Writer } from './writer.ts'
import { arrow, inlineClass } from './functions.ts'

type Rule = (w: Writer, depth: number) => string | undefined
type Table = readonly (readonly [weight: number, rule: Rule])[]

const KEYS = ['x', 'y', 'k', 'size']
const WORDS = ['\'ab\'', '"c d"', '\'\'', '\'x-1\'', '`t`', '\'\\u00e9\'', '\'0\'']

const reading = (kind: Kind): Rule => (w) => w.variable(kind)?.name
const assignment = (kind: Kind): Rule => (w, d) => {
  const target = w.variable(kind, true)
  return target && `(${target.name} = ${valueOf(w, kind, d)})`
}
const choice = (kind: Kind): Rule => (w, d) => `(${boolean(w, d)} ? ${valueOf(w, kind, d)} : ${valueOf(w, kind, d)})`
const traced = (kind: Kind): Rule => (w, d) => `(console.log('${w.random.pick(['t', 'u', 'v'])}${w.random.below(9)}'), ${valueOf(w, kind, d)})`
const typed = (kind: Kind, type: string): Rule => (w, d) => w.types
  ? w.random.pick([`(${valueOf(w, kind, d)} as ${type})`, `(${valueOf(w, kind, d)} satisfies unknown as ${type})`, `(${valueOf(w, kind, d)})!`])
  : undefined
const awaited = (kind: Kind): Rule => (w, d) => !w.place.async ? undefined : w.random.weighted<() => string>([
  [3, () => `(await ${valueOf(w, kind, d)})`],
  [3, () => `(await Promise.resolve(${valueOf(w, kind, d)}))`],
  [1, () => `(await Promise.race([${valueOf(w, kind, d)}, Promise.resolve(0)]))`],
  [2, () => `(await Promise.all([${valueOf(w, kind, d)}, Promise.resolve(${number(w, d)})]))[0]`],
  [1, () => `(await (async () => ${valueOf(w, kind, d)})())`],
  [1, () => `(await { then(resolve${w.note('Function')}) { resolve(${w.random.below(9)}) } })`],
])()
const immediate = (kind: Kind): Rule => (w, d) => w.within({ async: false, generator: false, inFunction: true, inLoop: false, labels: [] },
  () => w.random.chance(0.5) ? `(() => ${valueOf(w, kind, d)})()` : `(function () { return ${valueOf(w, kind, d)} })()`, true)

export function call(w: Writer, callee: Binding, d: number): string {
  w.spend(callee.cost)
  const first = callee.recursive === true ? String(w.random.below(4)) : number(w, d)
  const rest = w.random.below(3) === 0 ? '' : `, ${w.random.chance(0.2) ? `...${array(w, d)}` : number(w, d)}`
  if (callee.recursive !== true && w.random.chance(0.1)) return w.random.pick([`${callee.name}.call(null, ${first})`, `${callee.name}?.(${first})`, `Reflect.apply(${callee.name}, undefined, [${first}])`])
  return `${callee.name}(${first}${rest})`
}

const NUMBERS: Table = [
  [6, (w) => String(w.random.below(12))],
  [2, (w) => w.random.pick(['1.5', '-3', '0x1f', '1e2', '.25', 'NaN', '-0', '1_000'])],
  [12, reading('number')],
  [6, (w, d) => `(${number(w, d)} ${w.random.pick(['+', '-', '*', '%', '/', '&', '|', '^', '<<', '>>'])} ${number(w, d)})`],
  [1, (w, d) => `(${w.random.below(9)} ** ${number(w, d)})`],
  [3, choice('number')],
  [2, (w, d) => `${array(w, d)}.length`],
  [2, (w, d) => `(${array(w, d)}[${w.random.below(4)}] ?? ${number(w, d)})`],
  [2, (w, d) => `${string(w, d)}.length`],
  [3, (w, d) => `(${object(w, d)}.${w.random.pick(KEYS)} ?? ${number(w, d)})`],
  [1, (w, d) => `(${object(w, d)}?.k?.${w.random.pick(KEYS)}?.[0] ?? ${number(w, d)})`],
  [4, (w, d) => { const f = w.find(({ kind, cost }) => kind === 'function' && w.affordable(cost)); return f && call(w, f, d) }],
  [3, (w) => {
    const owner = w.find(({ kind, cost, members }) => (kind === 'instance' || kind === 'class') && (members?.length ?? 0) > 0 && w.affordable(cost))
    if (owner === undefined) return undefined
    w.spend(owner.cost)
    return `${owner.name}${w.random.pick(owner.members!)}`
  }],
  [2, traced('number')],
  [2, (w) => { const x = w.variable('number', true); return x && w.random.pick([`${x.name}++`, `--${x.name}`, `${x.name}--`, `(++${x.name})`]) }],
  [2, assignment('number')],
  [1, (w, d) => { const x = w.variable('number', true); return x && `(${x.name} ${w.random.pick(['+=', '-=', '||=', '??=', '&&=', '%='])} ${number(w, d)})` }],
  [2, (w, d) => w.affordable(6) ? w.repeated(5, () => { w.spend(1); return `${array(w, d)}.reduce((m, v) => m + v, ${w.random.below(5)})` }) : undefined],
  [1, (w, d) => `Math.max(0, ...${array(w, d)})`],
  [1, (w) => `(typeof missing${w.random.below(3)}${w.tag} === 'undefined' ? 1 : 2)`],
  [1, (w, d) => `Number(${bigint(w, d)} % 7n)`],
  [1, (w, d) => `(${string(w, d)}.match(/([a-z])(?<digit>\\d)?/${w.random.pick(['', 'u', 'i'])})?.index ?? -1)`],
  [1, (w) => { const g = w.find(({ kind, cost }) => kind === 'generator' && w.affordable(cost)); if (g === undefined) return undefined; w.spend(g.cost); return `[...${g.name}(${w.random.below(4)})].length` }],
  [2, (w, d) => { if (!w.place.async) return undefined; const f = w.find(({ kind, cost }) => kind === 'asyncFunction' && w.affordable(cost)); return f && `(await ${call(w, f, d)})` }],
  [1, (w) => { const e = w.variable('enum'); return e && `${e.name}.${w.random.pick(['One', 'Two'])}` }],
  [2, awaited('number')], [1, immediate('number')], [2, typed('number', 'number')],
]

const STRINGS: Table = [
  [5, (w) => w.random.pick(WORDS)],
  [8, reading('string')],
  [3, (w, d) => `\`${w.random.pick(['', 'n=', '\\n', '\\${}'])}\${${w.random.pick([number, boolean, string])(w, d)}}|\${${string(w, d)}}\`.slice(0, 30)`],
  [2, (w, d) => `(${string(w, d)} + ${number(w, d)}).slice(0, 20)`],
  [2, (w, d) => `(typeof (${w.random.pick([number, string, object, bigint, callable])(w, d)}))`],
  [1, (w, d) => `${array(w, d)}.join(${w.random.pick(WORDS)})`],
  [1, (w, d) => `${string(w, d)}.replace(/[a-c]/g, (m${w.note('string')}) => m.toUpperCase())`],
  [1, (w, d) => `String.raw\`\\q\${${number(w, d)}}\``],
  [1, (w, d) => `((s, ...v) => s.raw.join('#') + v.length)\`a\${${number(w, d)}}\\n\${${string(w, d)}}\``],
  [1, (w) => { const f = w.find(({ kind }) => kind === 'function' || kind === 'class'); return f && `${f.name}.name` }],
  [1, (w, d) => `Object.keys(${object(w, d)}).join()`],
  [1, choice('string')], [1, traced('string')], [1, assignment('string')], [1, awaited('string')], [1, immediate('string')], [1, typed('string', 'string')],
]

const BOOLEANS: Table = [
  [2, (w) => w.random.pick(['true', 'false', '!0', '!!1'])],
  [5, reading('boolean')],
  [5, (w, d) => `(${number(w, d)} ${w.random.pick(['<', '>', '<=', '===', '!=='])} ${number(w, d)})`],
  [2, (w, d) => `(${string(w, d)} ${w.random.pick(['===', '!=', '<'])} ${string(w, d)})`],
  [2, (w, d) => `(${boolean(w, d)} ${w.random.pick(['&&', '||'])} ${boolean(w, d)})`],
  [1, (w, d) => `!${boolean(w, d)}`],
  [1, (w, d) => `('${w.random.pick(KEYS)}' in ${object(w, d)})`],
  [1, (w, d) => `/^[a-c]+\\d?$/.test(${string(w, d)})`],
  [1, (w) => { const i = w.variable('instance'); const c = w.variable('class'); return i && c && `(${i.name} instanceof ${c.name})` }],
  [1, (w) => { const o = w.variable('object'); return o && `delete ${o.name}${w.random.pick([`.${w.random.pick(KEYS)}`, `['${w.random.pick(KEYS)}']`, `?.${w.random.pick(KEYS)}`])}` }],
  [1, traced('boolean')], [1, assignment('boolean')], [1, typed('boolean', 'boolean')],
]

const BIGINTS: Table = [
  [3, (w) => `${w.random.below(50)}n`], [4, reading('bigint')],
  [2, (w, d) => `BigInt.asIntN(40, ${bigint(w, d)} ${w.random.pick(['+', '-', '*'])} ${bigint(w, d)})`],
  [1, assignment('bigint')], [1, typed('bigint', 'bigint')],
]

const ARRAYS: Table = [
  [4, (w, d) => `[${items(w, d)}]`], [8, reading('array')],
  [2, (w, d) => `[...${array(w, d)}, ${number(w, d)}].slice(-5)`],
  [2, (w, d) => w.affordable(30) ? w.repeated(5, () => `${array(w, d)}.${w.random.pick(['map', 'filter', 'flatMap'])}(${arrow(w, ['number'], 'number', d)})`) : undefined],
  [1, (w, d) => { const f = w.find(({ kind, cost, recursive }) => kind === 'function' && recursive !== true && w.affordable(cost * 5)); if (f === undefined) return undefined; w.spend(f.cost * 5); return `${array(w, d)}.map(${f.name})` }],
  [1, (w) => { const g = w.find(({ kind, cost }) => kind === 'generator' && w.affordable(cost)); if (g === undefined) return undefined; w.spend(g.cost); return `[...${g.name}(${w.random.below(4)})]` }],
  [1, (w, d) => `Object.values(${object(w, d)})${w.lowered ? '.filter(Number.isFinite)' : ''}`],
  [1, (w, d) => `[...{ *[Symbol.iterator]() { yield ${w.random.below(5)}; yield* [${w.random.below(9)}, 1] } }, ${number(w, d)}]`],
  [1, (w) => `Array.from({ length: ${w.random.below(4)} }, (_, i) => i * ${w.random.below(4)})`],
  [1, (w, d) => w.place.async ? `(await Promise.all([${number(w, d)}, Promise.resolve(${number(w, d)})]))` : undefined],
  [1, assignment('array')], [1, choice('array')], [1, immediate('array')], [1, typed('array', 'number[]')],
]

const OBJECTS: Table = [
  [4, (w, d) => `({ ${w.random.pick(KEYS)}: ${number(w, d)}, ${property(w, d)} })`], [8, reading('object')],
  [1, (w, d) => `({ ...${object(w, d)}, ${property(w, d)} })`],
  [1, (w, d) => `({ x: { y: ${number(w, d)} }, k: { x: ${array(w, d)} }, ${property(w, d)} })`],
  [1, (w, d) => `Object.assign({}, ${object(w, d)})`],
  [1, assignment('object')], [1, immediate('object')], [1, traced('object')], [1, typed('object', 'Record<string, unknown>')],
]

function property(w: Writer, d: number): string {
  return w.random.weighted<() => string>([
    [3, () => `${w.random.pick(KEYS)}: ${number(w, d)}`],
    [2, () => { const x = w.find(({ kind }) => w.lowered ? kind === 'array' || kind === 'number' : kind !== 'enum'); return x === undefined ? 'y: 1' : x.name }],
    [1, () => `get ${w.random.pick(KEYS)}() { return ${w.within({ async: false, generator: false, inFunction: true }, () => number(w, 0), true)} }`],
    [1, () => `[${string(w, d)}]: ${number(w, d)}`],
    [1, () => `m(p${w.note('number')} = 1) { return this.x + p }`],
    [1, () => `f: ${callable(w, d)}`],
    [1, () => `'k-1': ${string(w, d)}`],
    [1, () => `toString() { return 'obj' }`],
  ])()
}

function items(w: Writer, d: number): string {
  return Array.from({ length: w.random.below(4) }, () => number(w, d)).join(', ')
}

function build(w: Writer, table: Table, depth: number): string {
  const simple = depth <= 0 || w.place.depth > 7
  for (let tries = 0; tries < 6; tries += 1) {
    const rule = w.random.weighted(simple ? table.slice(0, 2) : table)
    const text = rule(w, depth - 1)
    if (text !== undefined) return text
  }
  return table[0]![1](w, 0)!
}

export const number = (w: Writer, d: number): string => build(w, NUMBERS, d)
export const string = (w: Writer, d: number): string => build(w, STRINGS, d)
export const boolean = (w: Writer, d: number): string => build(w, BOOLEANS, d)
export const bigint = (w: Writer, d: number): string => build(w, BIGINTS, d)
export const array = (w: Writer, d: number): string => build(w, ARRAYS, d)
export const object = (w: Writer, d: number): string => build(w, OBJECTS, d)
export const callable = (w: Writer, d: number): string => w.random.chance(0.8) ? arrow(w, ['number'], 'number', d) : inlineClass(w)

const BUILDERS: Partial<Record<Kind, (w: Writer, d: number) => string>> = { number, string, boolean, bigint, array, object }

export function valueOf(w: Writer, kind: Kind, d: number): string { return BUILDERS[kind]!(w, d) }

/** Any value, for probes and returns. */
export function anything(w: Writer, d: number): string {
  const known = w.random.chance(0.3) ? w.find(() => true) : undefined
  return known?.name ?? w.random.weighted([[5, number], [3, string], [2, boolean], [1, bigint], [3, array], [3, object], [1, callable]] as const)(w, d)
}

export const TYPES: Readonly<Record<string, string>> = {
  number: 'number', string: 'string', boolean: 'boolean', bigint: 'bigint', array: 'number[]', object: 'Record<string, any>',
}
export const PLAIN: readonly Kind[] = ['number', 'number', 'string', 'boolean', 'bigint', 'array', 'array', 'object', 'object']

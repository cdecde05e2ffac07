// Functions and classes, as declarations and as expressions.
import { anything, array, boolean, number, string, TYPES, valueOf } from './expressions.ts'
import { body } from './statements.ts'
import type { Binding, Kind, Place, Writer } from './writer.ts'

type Shape = 'function' | 'asyncFunction' | 'generator' | 'asyncGenerator'

const placeOf = (shape: Shape): Partial<Place> => ({
  async: shape.startsWith('async'), generator: shape.endsWith('enerator'), inFunction: true, inLoop: false, labels: [],
})

/** The parameters of a function, declared in its scope; the text of the list. */
function parameters(w: Writer, kinds: readonly Kind[]): string {
  const before = w.place
  w.place = { ...before, async: false, generator: false }
  const text = parameterList(w, kinds)
  w.place = before
  return text
}

function parameterList(w: Writer, kinds: readonly Kind[]): string {
  const list = kinds.map((kind) => {
    const name = w.name('p')
    w.declare({ name, kind, writable: true, cost: 0 })
    const value = w.random.chance(0.5) ? ` = ${valueOf(w, kind, 1)}` : ''
    return `${name}${value === '' && w.types && w.random.chance(0.3) ? `?: ${TYPES[kind]}` : w.note(TYPES[kind]!)}${value}`
  })
  if (w.random.chance(0.25)) {
    const name = w.name('r')
    w.declare({ name, kind: 'array', writable: true, cost: 0 })
    list.push(`...${name}${w.note('number[]')}`)
  } else if (w.random.chance(0.15)) {
    const name = w.name('o')
    w.declare({ name, kind: 'number', writable: true, cost: 0 })
    list.push(`{ x: ${name} = ${w.random.below(9)}, ...others } = {}${w.types && w.random.chance(0.3) ? ' as any' : ''}`)
  }
  return list.join(', ')
}

export function arrow(w: Writer, kinds: readonly Kind[], result: Kind, d: number): string {
  const { text, cost } = w.deferred(() => w.within(placeOf('function'), () => {
    const list = parameters(w, kinds)
    return w.random.chance(0.7) || d < 1
      ? `(${list})${w.note(TYPES[result]!)} => ${valueOf(w, result, Math.min(d, 1))}`
      : `(${list}) => {\n${body(w, 1 + w.random.below(2))}\nreturn ${valueOf(w, result, 1)}\n}`
  }, true))
  w.spend(cost)
  return `(${text})`
}

export function inlineClass(w: Writer): string { return `(class { static x = ${w.random.below(9)} })` }

/** `function f(n) {...}` in one of four shapes; answers the binding that the caller declares. */
export function functionText(w: Writer, name: string, shape: Shape): { text: string, binding: Binding } {
  const recursive = shape === 'function' && w.random.chance(0.2)
  const generics = w.types && w.random.chance(0.2) ? '<T, U extends object = {}>' : ''
  const { text, cost } = w.deferred(() => w.within({ ...placeOf(shape), strict: false }, () => {
    const first = w.random.pick(['n', 'i', 'count'])
    w.declare({ name: first, kind: 'number', writable: false, cost: 0 })
    w.scope.used.add(name)
    const rest = parameters(w, w.random.chance(0.5) ? ['number'] : [])
    const head = `(${first}${w.note('number')}${recursive ? '' : ' = 1'}${rest === '' ? '' : `, ${rest}`})`
    const guard = recursive ? `if (!(${first} > 0)) return ${w.random.below(9)}\n` : ''
    const simple = rest === '' && recursive && w.random.chance(0.1) ? '\'use strict\'\n' : ''
    return `${generics}${head} {\n${simple}${guard}${body(w, 1 + w.random.below(3))}\n${ending(w, shape, recursive ? name : undefined, first)}\n}`
  }, true))
  const prefix = `${shape.startsWith('async') ? 'async ' : ''}function${shape.endsWith('enerator') ? '*' : ''}`
  return { text: `${prefix} ${name}${text}`, binding: { name, kind: shape, writable: false, cost: (recursive ? cost * 5 : cost) + 2, recursive } }
}

function ending(w: Writer, shape: Shape, self: string | undefined, first: string): string {
  if (shape.endsWith('enerator')) {
    const yields = `for (let j = 0; j < ${first} && j < 4; j++) {\nyield ${number(w, 1)} + j\n}`
    return w.random.chance(0.3) ? `try {\n${yields}\n} finally {\nconsole.log('closed')\n}` : `${yields}\nyield* [${number(w, 1)}]`
  }
  if (self !== undefined) return `return ${number(w, 1)} + ${self}(${first} - 1)`
  return `return ${w.random.weighted<() => string>([[7, () => number(w, 2)], [2, () => anything(w, 2)], [1, () => 'arguments.length + (typeof this).length']])()}`
}

/** Until it is declared the name is nothing to call: it would be an outer function in the eyes of the writer only. */
function hide(w: Writer, name: string): void {
  w.scope.used.add(name)
  w.declare({ name, kind: 'opaque', writable: false, cost: 0 })
}

export function functionDeclaration(w: Writer): string {
  const shape = w.random.weighted<Shape>([[6, 'function'], [2, 'asyncFunction'], [2, 'generator'], [1, 'asyncGenerator']])
  const block = !w.isTop && !w.scope.holder
  const name = block && shape === 'function' ? w.hoistable('f') : w.name('f')
  hide(w, name)
  const { text, binding } = functionText(w, name, shape)
  if (block) w.claim(name)
  w.declare(binding)
  return text
}

/** A function value in a variable: arrow, named or anonymous function expression, or a counter that closes over its own state. */
export function functionVariable(w: Writer): string {
  const name = w.name('g')
  hide(w, name)
  const keyword = w.random.pick(['let', 'const', 'var'])
  const holder = keyword === 'var' && !w.isTop && !w.scope.holder ? 'let' : keyword
  const { text, cost } = w.deferred(() => w.random.weighted<() => string>([
    [3, () => arrow(w, ['number'], 'number', 2)],
    [2, () => functionText(w, '', 'function').text.replace(/^function /, 'function')],
    [1, () => `(() => { let c = ${w.within(placeOf('function'), () => number(w, 1), true)}; return (s = 1) => (c += s) })()`],
    [1, () => w.random.pick([`(0, (p) => p)`, `((p) => p * 2)`])],
  ])())
  w.declare({ name, kind: 'function', writable: false, cost: cost * 5 + 5, recursive: text.startsWith('function') })
  return `${holder} ${name}${holder === 'const' ? w.note('Function & any') : ''} = ${text}`
}

export function classDeclaration(w: Writer): string {
  const name = w.name('C')
  hide(w, name)
  const parent = w.random.chance(0.4) ? w.find((binding) => binding.kind === 'class' && binding.name !== name) : undefined
  const { text: members, cost } = w.deferred(() => classMembers(w, parent, name))
  const heritage = parent === undefined ? '' : ` extends ${parent.name}`
  const generics = w.types && w.random.chance(0.2) ? '<T = number>' : ''
  const kinds = ['.total', '.add(2)', '.add()']
  w.declare({ name, kind: 'class', writable: false, cost: cost + (parent?.cost ?? 0), members: ['.made', '.make().total', '.make().add(1)'] })
  const text = `class ${name}${generics}${heritage} {\n${members}\n}`
  const instance = w.name('o')
  if (instance === name) return text
  w.declare({ name: instance, kind: 'instance', writable: false, cost: cost + (parent?.cost ?? 0), members: kinds })
  return w.random.chance(0.15)
    ? `let ${name} = ${text};\nlet ${instance} = new ${name}(${number(w, 1)})`
    : `${text}\n${w.random.pick(['let', 'const'])} ${instance} = new ${name}(${number(w, 1)})`
}

function classMembers(w: Writer, parent: Binding | undefined, name: string): string {
  const place = { ...placeOf('function'), strict: true }
  const inside = (write: () => string) => w.within(place, write, true)
  const priv = w.types && w.random.chance(0.3) ? 'private ' : ''
  const typedParameter = w.lowered && parent === undefined && w.random.chance(0.3)
  const constructor = parent === undefined
    ? `constructor(${typedParameter ? 'public ' : ''}size${w.note('number')} = 1) {\n${typedParameter ? '' : 'this.size = size\n'}${inside(() => body(w, w.random.below(2)))}\n}`
    : w.random.chance(0.5) ? `constructor(...rest) {\nsuper(...rest)\n${inside(() => body(w, w.random.below(2)))}\n}` : ''
  const extra: (() => string)[] = [
    () => `#hidden = ${inside(() => number(w, 1))};\nget hidden() { return this.#hidden }\nset hidden(v) { this.#hidden = v }`,
    () => `static { this.block = ${inside(() => number(w, 1))} }`,
    () => `static #count = 0\nstatic bump() { return ${name}.#count += 1 }`,
    () => `#secret() { return ${inside(() => number(w, 1))} }\nreveal() { return #secret in this ? this.#secret() : 0 }`,
    () => `['x' + ${inside(() => string(w, 0))}] = ${inside(() => boolean(w, 1))}`,
    () => `*[Symbol.iterator]() {\nyield* ${inside(() => array(w, 1))}\n}`,
    () => `handler = (p${w.note('number')} = 1) => p + ${inside(() => number(w, 1))}`,
    () => `async later() {\nreturn ${inside(() => number(w, 1))}\n}`,
    () => `'quoted name' = 1\n0 = 2`,
  ]
  const chosen = extra.filter(() => w.random.chance(0.25)).map((write) => write())
  const base = parent === undefined ? inside(() => number(w, 1)) : 'super.total'
  return [
    `${priv}field${w.note('unknown')} = ${inside(() => anything(w, 1))}`,
    `static made = ${inside(() => number(w, 1))}`,
    constructor,
    `get total()${w.note('number')} { return ${base} + ${inside(() => number(w, 1))} }`,
    `add(by${w.note('number')} = ${inside(() => number(w, 1))}) {\n${inside(() => body(w, 1))}\nreturn (this.size += by)\n}`,
    `static make() { return new this(${w.random.below(5)}) }`,
    ...chosen,
  ].filter((member) => member !== '').join(';\n')
}

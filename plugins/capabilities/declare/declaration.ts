// The TypeScript that tells a reader what one namespace offers: `declare const notes: { add(args: …): Promise<…> }`, the types that its
// schemas refer to, and the class of its errors. Derived from the contracts alone, and byte by byte the same for the same contracts.
import type { ErrorClass, JsonSchema, MemberContract } from '../types.ts'
import { isCircular, isSchema, resolve, type Schema } from './references.ts'
import { typeText } from './schema-type.ts'
import { docText, indented, keyText } from './text.ts'

export interface Declared {
  readonly name: string
  /** In name order. */
  readonly contracts: readonly MemberContract[]
  /** Members that may be called without their argument. */
  readonly omittable: readonly string[]
}

export interface Declaration {
  readonly text: string
  /** Bytes of UTF-8 of each member's own part, by its name. */
  readonly bytes: ReadonlyMap<string, number>
}

export function declareNamespace({ name, contracts, omittable }: Declared): Declaration {
  const types = new NamedTypes(name)
  const bytes = new Map<string, number>()
  const members = contracts.map((contract) => {
    const { parameters, returns, description } = contract
    const args = parameters === null ? '' : `args${omittable.includes(contract.name) ? '?' : ''}: ${types.typeOf(parameters, `${contract.name} arguments`)}`
    const answer = returns === null ? 'unknown' : types.typeOf(returns, `${contract.name} result`)
    const text = `${docText(description)}${keyText(contract.name)}(${args}): Promise<${answer}>`
    bytes.set(contract.name, Buffer.byteLength(text))
    return text
  })
  const text = `${types.text()}declare const ${name}: {\n${indented(members.join('\n'))}\n}\n`.replace('{\n\n}', '{}')
  return { text, bytes }
}

export function errorClassText({ name, memberNameProperty, extends: base }: ErrorClass & { readonly extends?: 'TypeError' }): string {
  return `declare class ${name} extends ${base ?? 'Error'} {\n  readonly ${keyText(memberNameProperty)}: string\n}\n`
}

/** Types that schemas of one namespace refer to. A namespace may have types and a constant under one name. */
class NamedTypes {
  private readonly namespace: string
  private readonly names = new Map<string, string>()
  private readonly texts: string[] = []

  constructor(namespace: string) { this.namespace = namespace }

  typeOf(document: JsonSchema, hint: string): string {
    return typeText(document, reference => this.nameOf(document, reference, hint))
  }

  text(): string {
    return this.texts.length === 0 ? '' : `declare namespace ${this.namespace} {\n${indented(this.texts.join(''))}}\n`
  }

  private nameOf(document: Schema, reference: string, hint: string): string {
    const target = resolve(document, reference)
    if (target === undefined || isCircular(document, reference)) return 'unknown'
    const key = identityOf(document, reference)
    const known = this.names.get(key)
    if (known !== undefined) return `${this.namespace}.${known}`
    const name = this.free(reference === '#' ? hint : reference.slice(reference.lastIndexOf('/') + 1))
    this.names.set(key, name) // before its text, which may refer to it
    const slot = this.texts.push('') - 1
    const type = typeText(target, next => this.nameOf(document, next, hint))
    this.texts[slot] = `${docText(isSchema(target) ? target.description : undefined)}type ${name} = ${type}\n`
    return `${this.namespace}.${name}`
  }

  /** An identifier that reads like the hint and that no other type has. */
  private free(hint: string): string {
    const letters = hint.replace(/(?:^[^A-Za-z0-9]*|[^A-Za-z0-9]+)([A-Za-z0-9]?)/gu, (_, first: string) => first.toUpperCase())
    const name = /^[A-Z]/u.test(letters) ? letters : `Type${letters}`
    const taken = new Set(this.names.values())
    let candidate = name
    for (let n = 2; taken.has(candidate); n++) candidate = `${name}${n}`
    return candidate
  }
}

/** Members often repeat the same definitions. The same definitions are the same types, when they refer to nothing but each other. */
function identityOf(document: Schema, reference: string): string {
  const folder = /^#\/(\$defs|definitions)\/[^/]+$/u.exec(reference)?.[1]
  const definitions = folder === undefined ? undefined : JSON.stringify(document[folder])
  const isClosed = definitions !== undefined
    && [...definitions.matchAll(/"\$ref":"([^"]*)"/gu)].every(([, target]) => target!.startsWith(`#/${folder!}/`))
  return `${reference} of ${isClosed ? definitions : JSON.stringify(document)}`
}

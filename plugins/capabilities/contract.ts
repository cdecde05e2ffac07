// Reads what an owner registers into contracts of our own. Declarations are copied and frozen, so that what was said at
// registration is what a program is told and what a replay relies on, whatever the owner does to its objects later.
import { ArgumentCheck } from './declare/arguments.ts'
import { CapabilityError } from './errors.ts'
import { assertSymbolLength } from './names.ts'
import type { Authority, CallContext, Completeness, EffectKind, ErrorClass, JsonSchema, MemberContract, NamespaceOptions, ReplayKind } from './types.ts'

export interface Target {
  readonly contract: MemberContract
  /** Of a member that declares its argument. */
  readonly check: ArgumentCheck | undefined
  call(args: unknown, context: CallContext): unknown
}

const REPLAY: { readonly [Kind in ReplayKind]: true } = { 'recorded-value': true, 'owner-replay': true, 'volatile': true, 'unknown': true }
const EFFECT: { readonly [Kind in EffectKind]: true } = { none: true, read: true, write: true, external: true, unknown: true }
const COMPLETENESS: { readonly [Kind in Completeness]: true } = {
  'complete': true, 'bounded': true, 'incremental': true, 'open-world': true, 'unknown': true,
}
const AUTHORITY: { readonly [Key in Authority]: true } = { 'ptc-plus-program-binding': true, 'dsh-tool-dispatch': true }
/** A reference, not a text of its own: it is shown with each contract. */
const MAX_SOURCE = 1_000
/** Deep enough for any schema that people write, and the end of one that contains itself. */
const MAX_SCHEMA_DEPTH = 100

/** The members of a namespace by name. Only own data properties count (C2): nothing is ever found on a prototype. */
export function parseMembers(namespace: string, members: unknown, origin: Origin): Map<string, Target> {
  if (typeof members !== 'object' || members === null) throw new CapabilityError('bad-member', namespace, 'the members are not an object')
  const targets = new Map<string, Target>()
  for (const name of Reflect.ownKeys(members)) {
    if (typeof name !== 'string' || name === '') throw new CapabilityError('bad-member', `${namespace}[${String(name)}]`, 'its name is not a text')
    const descriptor = Object.getOwnPropertyDescriptor(members, name)!
    if (!('value' in descriptor)) throw new CapabilityError('bad-member', `${namespace}.${name}`, 'it is an accessor')
    targets.set(name, parseMember(namespace, name, descriptor.value, origin))
  }
  return targets
}

function parseMember(namespace: string, name: string, member: unknown, { authority, ...source }: Origin): Target {
  const symbol = `${namespace}.${name}`
  const refuse = (detail: string): never => { throw new CapabilityError('bad-member', symbol, detail) }
  assertSymbolLength(symbol)
  if (typeof member !== 'object' || member === null) return refuse('it is not an object')
  const { call, description, parameters, returns, replay, effect = 'unknown', completeness = 'unknown' } = member as Record<string, unknown>
  if (typeof call !== 'function') return refuse('call is not a function')
  if (description !== undefined && typeof description !== 'string') return refuse('description is not a text')
  if (!isOneOf(REPLAY, replay)) return refuse(`replay must be stated, as one of ${Object.keys(REPLAY).join(', ')}`)
  if (!isOneOf(EFFECT, effect)) return refuse(`effect is not one of ${Object.keys(EFFECT).join(', ')}`)
  if (!isOneOf(COMPLETENESS, completeness)) return refuse(`completeness is not one of ${Object.keys(COMPLETENESS).join(', ')}`)
  const schema = (field: string, value: unknown): JsonSchema | null => {
    if (value === undefined) return null
    const copy = copyJson(value, MAX_SCHEMA_DEPTH)
    return typeof copy === 'object' && copy !== null && !Array.isArray(copy) ? copy as JsonSchema : refuse(`${field} is not a schema of plain JSON`)
  }
  const contract: MemberContract = Object.freeze({
    namespace, name,
    ...description === undefined ? {} : { description },
    parameters: schema('parameters', parameters), returns: schema('returns', returns),
    completeness, effect, authority, replay, ...source, ...parseSource(symbol, member),
  })
  const check = contract.parameters === null ? undefined : new ArgumentCheck(symbol, contract.parameters)
  return { contract, check, call: (args, context) => Reflect.apply(call, member, [args, context]) }
}

function isOneOf<T extends string>(table: { readonly [Key in T]: true }, value: unknown): value is T {
  return typeof value === 'string' && Object.hasOwn(table, value)
}

/** A frozen copy of plain JSON, or undefined when it is something else. */
function copyJson(value: unknown, depth: number): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object' || depth === 0) return undefined
  const copies: [string, unknown][] = []
  for (const [key, item] of Object.entries(value)) {
    const copy = copyJson(item, depth - 1)
    if (copy === undefined) return undefined
    copies.push([key, copy])
  }
  if (Array.isArray(value)) return copies.length === value.length ? Object.freeze(copies.map(([, copy]) => copy)) : undefined
  const prototype = Object.getPrototypeOf(value) as unknown
  return prototype === Object.prototype || prototype === null ? Object.freeze(Object.fromEntries(copies)) : undefined
}

/** Who answers for the members of a namespace, and where they come from. */
export interface Origin extends Pick<MemberContract, 'authority' | 'sourceRef' | 'revision'> {}

/** On whose authority the members of a namespace act: a plugin's own, unless it says otherwise. */
export function parseOrigin(namespace: string, options: NamespaceOptions = {}): Origin {
  const { authority = 'ptc-plus-program-binding' } = options
  if (!isOneOf(AUTHORITY, authority)) throw new CapabilityError('bad-member', namespace, `authority is not one of ${Object.keys(AUTHORITY).join(', ')}`)
  return { authority, ...parseSource(namespace, options) }
}

function parseSource(subject: string, said: object): Pick<MemberContract, 'sourceRef' | 'revision'> {
  const { sourceRef, revision } = said as Record<string, unknown>
  const text = (name: string, value: unknown): object => {
    if (value === undefined) return {}
    if (typeof value === 'string' && value !== '' && value.length <= MAX_SOURCE) return { [name]: value }
    throw new CapabilityError('bad-member', subject, `${name} is not a text of 1 to ${MAX_SOURCE} characters`)
  }
  return { ...text('sourceRef', sourceRef), ...text('revision', revision) }
}

/** The class of a namespace's errors, if it has one. `parseName` decides which names a class may have. */
export function parseErrorClass(
  namespace: string, options: NamespaceOptions | undefined, parseName: (name: unknown) => string,
): ErrorClass | undefined {
  const errorClass: unknown = options?.errorClass
  if (errorClass === undefined) return undefined
  if (typeof errorClass !== 'object' || errorClass === null) throw new CapabilityError('bad-name', namespace, 'errorClass is not an object')
  const { name, memberNameProperty } = errorClass as Record<string, unknown>
  if (typeof memberNameProperty !== 'string' || memberNameProperty === '') {
    throw new CapabilityError('bad-name', namespace, 'memberNameProperty is not a text')
  }
  return Object.freeze({ name: parseName(name), memberNameProperty })
}

/** The same members without a check of their arguments: their owner reads them itself, and says in its own words what is wrong. */
export function unchecked(targets: ReadonlyMap<string, Target>): Map<string, Target> {
  return new Map([...targets].map(([name, target]) => [name, { ...target, check: undefined }]))
}

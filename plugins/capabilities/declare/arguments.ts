// Checks a call's argument against the schema that its member declares. The validator (decision 11) is loaded by the first call of
// a member that has one, and a schema is compiled by its first call: declaring costs nothing, and neither do calls without schema.
import type { ErrorObject, ValidateFunction } from 'ajv'
import { createRequire } from 'node:module'
import { CapabilityArgumentError, CapabilityError } from '../errors.ts'
import type { JsonSchema } from '../types.ts'

interface Validator { compile(schema: object): ValidateFunction, removeSchema(schema: object): unknown }
type ValidatorClass = new (options: object) => Validator

/** Which build of the validator knows the dialect that a schema names; without a name, draft 2020-12. */
const DIALECTS: readonly (readonly [pattern: RegExp, module: string])[] = [
  [/draft-0[67]/u, 'ajv'],
  [/2019-09/u, 'ajv/dist/2019.js'],
]
const DEFAULT_DIALECT = 'ajv/dist/2020.js'

/** `strict` would refuse keywords that it does not know; NaN is no number; formats are notes to the reader, as the specification has it. */
const OPTIONS = Object.freeze({ strict: false, strictNumbers: true, validateFormats: false, addUsedSchema: false, logger: false })

/** A value with shared parts looks larger to a validator than it is, one with a cycle endless. More than any argument can hold itself. */
const MAX_VISITS = 2_000_000
/** How many of the validator's complaints a program is told. */
const MAX_COMPLAINTS = 3

const require = createRequire(import.meta.url)
const validators = new Map<string, Validator>()

/** Compiled when it is first used. */
export class ArgumentCheck {
  private readonly symbol: string
  private readonly schema: JsonSchema
  private compiled: ValidateFunction | undefined

  constructor(symbol: string, schema: JsonSchema) {
    this.symbol = symbol
    this.schema = schema
  }

  /** Throws a CapabilityArgumentError for an argument that the schema does not admit, a CapabilityError for a schema that is none. */
  assert(args: unknown): void {
    const validate = this.compiled ??= compile(this.symbol, this.schema)
    const refuse = (detail: string): never => { throw new CapabilityArgumentError(this.symbol, detail) }
    let valid: boolean
    try {
      assertSmall(args)
      valid = validate(args)
    } catch (error) {
      if (error instanceof RangeError) return refuse('$ contains itself, or is nested too deeply to be checked')
      throw error
    }
    if (!valid) refuse((validate.errors ?? []).slice(-MAX_COMPLAINTS).map(error => complaint(args, error)).join('; '))
  }

  /** Whether the argument may be left away for `{}`: not if the schema is none. */
  get admitsEmptyObject(): boolean {
    const { type, required } = this.schema
    if (type !== 'object' || (Array.isArray(required) && required.length > 0)) return false // without loading anything
    try {
      this.assert({})
      return true
    } catch (error) {
      if (error instanceof CapabilityArgumentError || error instanceof CapabilityError) return false
      throw error
    }
  }
}

function compile(symbol: string, schema: JsonSchema): ValidateFunction {
  const validator = validatorFor(schema)
  try {
    const validate = validator.compile(schema)
    if ('$async' in validate) throw new Error('it is asynchronous')
    return validate
  } catch (error) {
    throw new CapabilityError('bad-schema', symbol, error instanceof Error ? error.message : String(error))
  } finally {
    validator.removeSchema(schema) // what is compiled lives as long as its member
  }
}

function validatorFor({ $schema }: JsonSchema): Validator {
  const module = typeof $schema === 'string' ? DIALECTS.find(([pattern]) => pattern.test($schema))?.[1] ?? DEFAULT_DIALECT : DEFAULT_DIALECT
  const known = validators.get(module)
  if (known) return known
  const { default: Ajv } = require(module) as { default: ValidatorClass }
  const made = new Ajv(OPTIONS)
  validators.set(module, made)
  return made
}

/** Throws a RangeError for a value that a walk, which knows nothing of shared parts, would not come to the end of. */
function assertSmall(root: unknown): void {
  let visits = 0
  const visit = (value: unknown): void => {
    if (++visits > MAX_VISITS) throw new RangeError('too large')
    if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) visit(item)
  }
  visit(root)
}

/** What is wrong, with the path of values (docs/reference/values.md). */
function complaint(args: unknown, { instancePath, keyword, params, message = keyword }: ErrorObject): string {
  const named: unknown = keyword === 'additionalProperties' ? params.additionalProperty
    : keyword === 'unevaluatedProperties' ? params.unevaluatedProperty
      : keyword === 'enum' ? params.allowedValues : keyword === 'const' ? params.allowedValue : undefined
  return `${pathText(args, instancePath)} ${message}${named === undefined ? '' : `: ${JSON.stringify(named).slice(0, 200)}`}`
}

function pathText(root: unknown, pointer: string): string {
  let path = '$'
  let value = root
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    path += Array.isArray(value) ? `[${key}]` : `.${key}`
    value = (value as Record<string, unknown>)[key]
  }
  return path
}

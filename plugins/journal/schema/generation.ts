// Which generations of records this build reads, and how a version 10 record becomes a version 11 one in memory.
// A generation that is not listed is a boundary: the history contracts there, nothing is guessed.
import type { LanguageSemantics } from '../types.ts'
import { fieldsOf, refuse } from './closed.ts'

type PolicyFields = { readonly [field: string]: string | { readonly [name: string]: boolean | string } }

const policiesOf = (redeclarations: boolean): PolicyFields => ({
  bindingPolicy: { variableRedeclarations: redeclarations, functionClassRedeclarations: redeclarations },
  rewritePolicy: { autoRewriteImports: true, autoStripExports: true, autoSplitRedeclarations: true },
  moduleSemantics: { defaultExportBinding: 'live-readonly', importExpressionBoundary: 'statement-safe' },
  userBindingsReusePolicy: 'implementation-v1',
  userBindingsShadowPolicy: 'per-name',
})

/**
 * What version 10 spelled out in every record and version 11 derives: five fields here, which with `languageSemantics`
 * and `moduleTransform` are the seven that used to choose a language.
 */
export const POLICIES: { readonly [K in LanguageSemantics]: PolicyFields } = {
  'stateful-v1': policiesOf(true),
  'protected-v1': policiesOf(false),
}

/** Compilers whose cells this build runs with the same meaning. Version 10 wrote the ones after the first. */
const TRANSFORMS: { readonly [K in LanguageSemantics]: RegExp } = {
  'stateful-v1': /^(native-root-v1\+amaro@\d+\.\d+\.\d+[\w.+-]*|stateful-module-v[12]\+amaro@1\.1\.11)$/,
  'protected-v1': /^(native-root-v1\+amaro@\d+\.\d+\.\d+[\w.+-]*|protected-module-v1\+amaro@1\.1\.11)$/,
}

/** Refuses a compiler that does not belong to the language. */
export function checkTransform(language: LanguageSemantics, transform: string): void {
  if (!TRANSFORMS[language].test(transform)) {
    refuse(`moduleTransform ${JSON.stringify(transform)} is no compiler of ${language} that this build reads (boundary)`)
  }
}

function checkPolicy(field: string, stored: unknown, derived: PolicyFields[string] | undefined): void {
  if (typeof derived === 'object') {
    const fields = fieldsOf(stored)
    const same = Object.keys(fields).length === Object.keys(derived).length
      && Object.entries(derived).every(([name, value]) => fields[name] === value)
    if (same) return
  } else if (stored === derived) {
    return
  }
  refuse(`${field} is not what its language implies (boundary)`)
}

/**
 * Brings any readable generation to the fields of version 11, still unchecked; version 10 did not record the cell's
 * directory, so the history entry supplies it.
 */
export function upgrade(value: unknown, cwd: string): unknown {
  const fields = fieldsOf(value)
  if (fields.version === 11) return value
  if (fields.version !== 10) refuse(`version ${String(fields.version)} is not a generation that this build reads (boundary)`)
  const language = fields.languageSemantics
  if (language !== 'stateful-v1' && language !== 'protected-v1') refuse('languageSemantics is another one (boundary)')
  const { ...rest } = fields
  for (const [field, derived] of Object.entries(POLICIES[language])) {
    checkPolicy(field, fields[field], derived)
    delete rest[field]
  }
  // Fields that version 10 did not have make it an unknown document, not an early version 11.
  for (const field of ['cwd', 'namespaces', 'wakes', 'ambient']) {
    if (Object.hasOwn(rest, field)) refuse(`has the unknown field ${JSON.stringify(field)}`)
  }
  return { ...rest, version: 11, cwd, namespaces: [], wakes: [], ambient: [] }
}

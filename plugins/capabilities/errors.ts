// How the plan says no: to the plugin that misuses it, and to the program that asks the explorer something odd.

/** Code to text. Each code is a heading of docs/reference/errors.md; codes are never renamed. */
export const CAPABILITY_ERRORS = {
  'bad-name': (name: string, detail: string) => `${JSON.stringify(name)} can not be the name of a namespace: ${detail}`,
  'taken': (name: string, detail: string) => `the name ${JSON.stringify(name)} is taken: ${detail}`,
  'bad-member': (name: string, detail: string) => `${name} can not be a member: ${detail}`,
  'bad-schema': (name: string, detail: string) => `the schema of ${name}'s argument can not be used: ${detail}`,
  'bad-argument': (name: string, detail: string) => `${name} can not take this argument: ${detail}`,
  'bad-target': (name: string, detail: string) => `${JSON.stringify(name)} can not be closed: ${detail}`,
  'bad-document': (name: string, detail: string) => `${name} can not be used: ${detail}`,
  'closed': (name: string) => `${name} is closed in this session`,
  'unknown-member': (name: string) => `there is no member ${name}`,
  'withdrawn': (name: string) => `${name} was withdrawn by its owner while the call was pending; whether it happened is not known`,
} as const

export type CapabilityErrorCode = keyof typeof CAPABILITY_ERRORS

/** Misuse of the plan, or a call that has no target. `code` is the interface, the text is for people. */
export class CapabilityError extends Error {
  override readonly name = 'CapabilityError'
  readonly code: CapabilityErrorCode

  constructor(code: CapabilityErrorCode, subject: string, detail = '') {
    super(CAPABILITY_ERRORS[code](subject, detail))
    this.code = code
  }
}

/** An argument that the member's schema does not admit. Programs see it as the TypeError that it is. */
export class CapabilityArgumentError extends TypeError {
  readonly code = 'bad-argument' satisfies CapabilityErrorCode

  constructor(symbol: string, detail: string) {
    super(CAPABILITY_ERRORS['bad-argument'](symbol, detail))
  }
}

/** A question that the explorer does not understand. A TypeError, because the argument is what is wrong. */
export class CapabilityExplorationError extends TypeError {
  override readonly name = 'CapabilityExplorationError'
  /** The explorer's member that was asked. */
  readonly operation: string

  constructor(operation: string, message: string) {
    super(message)
    this.operation = operation
  }
}

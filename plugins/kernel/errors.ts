// What the kernel throws when it is misused. A failed program is never thrown: it is the `error` of its result.

const texts = {
  'bad-limit': (name: string, detail: string) => `The limit ${name} can not be set: ${detail}.`,
  'bad-session-id': (id: string) => `${JSON.stringify(id)} is not a session id: use 1 to 200 characters, none of them a control character.`,
  'bad-source': () => 'A cell is a string of TypeScript.',
  'bad-cwd': (cwd: string) => `The working directory of a cell must be an absolute path, not ${JSON.stringify(cwd)}.`,
  'bad-names': () => 'The names to observe are a list of strings.',
  'bad-policy': (policy: string) => `The binding policy is "stateful" or "protected", not ${policy}.`,
  'closed': (id: string) => `The session ${id} is closed. Open it again to go on.`,
} as const

export type KernelErrorCode = keyof typeof texts

export class KernelError extends Error {
  override readonly name = 'KernelError'
  readonly code: KernelErrorCode

  constructor(code: KernelErrorCode, ...details: string[]) {
    super((texts[code] as (...details: string[]) => string)(...details))
    this.code = code
  }
}

/** What anything that was thrown has to say. */
export const messageOf = (thrown: unknown): string => thrown instanceof Error ? thrown.message : String(thrown)

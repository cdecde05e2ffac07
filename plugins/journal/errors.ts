// What can go wrong when the journal is misused or its storage fails. Bad records are not errors: they contract (J3).

/** Code -> text. Codes are interface since 0.1 and never reused; each is a heading of the error reference. */
const TEXTS = {
  'bad-id': (id: string) => `session id ${id} must be well-formed text of 1 to 200 characters`,
  'bad-entry': (why: string) => `the entry is not JSON: ${why}`,
  'locked': (session: string, holder: string) => `session ${session} is open in another writer (${holder}); close it there first`,
  'corrupt': (file: string, line: string, why: string) =>
    `${file}, line ${line}: ${why}, but intact lines follow. Nothing was changed; restore the file from a copy, or move it away to start the session anew`,
  'exists': (session: string) => `session ${session} has a history already, which is never overwritten; import it under another name`,
  'unknown-session': (session: string) => `session ${session} has no history here`,
  'bad-document': (why: string) => `the document can not be imported: ${why}. Nothing was changed`,
  'unsupported': (kind: string, what: string) => `histories in the source "${kind}" can not be ${what}`,
  'io': (what: string, why: string) => `${what} failed: ${why}`,
  'closed': (what: string) => `${what} is closed`,
} as const

export type JournalErrorCode = keyof typeof TEXTS

export class JournalError extends Error {
  override readonly name = 'JournalError'
  readonly code: JournalErrorCode

  constructor(code: JournalErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export function journalError<C extends JournalErrorCode>(code: C, ...details: Parameters<typeof TEXTS[C]>): JournalError {
  const write = TEXTS[code] as (...details: string[]) => string
  return new JournalError(code, write(...details))
}

/** Runs a storage operation; what it throws leaves as `io`, with the original as cause. */
export function storing<T>(what: string, operate: () => T): T {
  try {
    return operate()
  } catch (cause) {
    throw ioError(what, cause)
  }
}

export function ioError(what: string, cause: unknown): JournalError {
  if (cause instanceof JournalError) return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  return new JournalError('io', TEXTS.io(what, why), { cause })
}

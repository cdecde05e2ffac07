// The whole interface between a compiled cell and the worker that runs it (about as small as it can be: compiled text is
// made of user text and these few calls). Types only. Names are one letter because they appear in compiled cells.

export interface CellAbi {
  /** Makes `name` a writable session name and answers `value`; the compiled cell then assigns it. */
  d<T>(name: string, value: T): T
  /** `let x` without an initializer: the name exists afterwards, with the value it had, or undefined. */
  e(name: string): void
  /** Publishes all names of a pattern together. */
  p(values: object): void
  /** The same for names that cannot be written afterwards: `const` under `protected-v1`. */
  k(values: object): void
  /** The place of function declaration number `index`: declares it now unless it was hoisted before the body. */
  f(index: number): void
  /** The completion value of a cell that does not return: no value when it is undefined. */
  c(value: unknown): unknown
  /** Its own properties are the isolated session names; what it inherits reads the realm's, before a declaration. */
  readonly i: Record<string, unknown>
  /** Its argument: what is called through it is not called as a member of `i`. */
  u<T>(value: T): T
  /** What lowered decorators call. */
  readonly h: unknown
  /** The `import.meta` of the cell: one object, the same for every use. */
  readonly m: object
  /** Answered by a cell without a value. */
  readonly n: unknown
}

/** The parameter's name in compiled cells; a cell whose text contains it gets a longer one. */
export const ABI_NAME = '__ptc'

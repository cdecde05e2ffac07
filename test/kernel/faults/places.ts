// Where an act can strike in the life of a cell: each place is a cell around the text of the act.

export interface Place {
  readonly name: string
  /** The cell. Its value is 1 when the act lets it have one. */
  around(act: string): string
  /** The act happens when its cell has ended. */
  readonly isLate?: true
}

export const PLACES: readonly Place[] = [
  { name: 'in its body', around: (act) => `${act}\n;1` },
  { name: 'while a call is open', around: (act) => `{ const pending = notes.echo(1);\n${act}\n; await pending; }\n;1` },
  { name: 'when an answer settles', around: (act) => `await notes.echo(1);\n${act}\n;1` },
  { name: 'on the way to done', around: (act) => `try { return 1 } finally {\n${act}\n}` },
  { name: 'after it has closed', around: (act) => `setTimeout(() => {\n${act}\n}, 0);\n1`, isLate: true },
]

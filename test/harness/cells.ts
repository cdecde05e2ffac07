// Rows of cells: each row is a session, its last cell has to give what the row says. One row, one test.
import { expect } from 'chai'
import { Realm, type Outcome } from './realm.ts'

/** `NONE`: the cell ends well, without a value. */
export const NONE = Symbol('no value')

/** `value` of the last cell, or the name of what it throws or is refused with. */
export type Row =
  | readonly [title: string, cells: readonly string[], value: unknown]
  | readonly [title: string, cells: readonly string[], value: { readonly error: string, readonly message?: string | RegExp }]

export function rows(table: readonly Row[], semantics: 'stateful-v1' | 'protected-v1' = 'stateful-v1'): void {
  for (const [title, cells, expected] of table) {
    it(title, async () => { check(await runCells(cells, semantics), expected) })
  }
}

export async function runCells(cells: readonly string[], semantics: 'stateful-v1' | 'protected-v1' = 'stateful-v1'): Promise<Outcome> {
  const realm = new Realm(semantics)
  let last: Outcome = { hasValue: false }
  for (const cell of cells) last = await realm.run(cell)
  return last
}

/** An outcome that is not what was expected shows what the cell was compiled to. */
export function check(outcome: Outcome, expected: unknown): void {
  const code = outcome.prepared === undefined ? '' : `\n${outcome.prepared.code}\n`
  const failure = outcome.thrown ?? outcome.rejected?.error
  if (typeof expected === 'object' && expected !== null && 'error' in expected) {
    const { error, message } = expected as { error: string, message?: string | RegExp }
    expect(failure?.name, `no ${error}, but value ${String(outcome.value)}${code}`).to.equal(error)
    if (message !== undefined) expect(failure?.message).to.match(typeof message === 'string' ? new RegExp(message) : message)
    return
  }
  expect(failure, code).to.equal(undefined)
  if (expected === NONE) expect(outcome.hasValue, `value ${String(outcome.value)}${code}`).to.equal(false)
  else {
    expect(outcome.hasValue, `no value${code}`).to.equal(true)
    expect(outcome.value, code).to.deep.equal(expected)
  }
}

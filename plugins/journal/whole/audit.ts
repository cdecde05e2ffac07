// Looks at a whole stored history without changing it: is every line intact, is every entry what the contract says, and
// do the entries add up? Whether the records replay is the kernel's to find out.
import type { Audit, Problem, StoredEntry } from '../types.ts'
import { createFold } from '../fold.ts'

type Damage = Extract<StoredEntry, { damage: string }>

const CHECKS: { readonly [K in Damage['damage']]: Problem['check'] } = { torn: 'checksum', checksum: 'checksum', order: 'order', json: 'schema' }

export async function audit(entries: AsyncIterable<StoredEntry>): Promise<Audit> {
  const problems: Problem[] = []
  const lineOf = new Map<number, number>()
  let lines = 0
  let damaged = false
  let corrupt = false
  const fold = createFold((cell, message, check) => { problems.push({ line: lines, check, cell, message }) })
  for await (const one of entries) {
    lines = one.line
    if ('damage' in one) {
      // Only what is out of order is certain to be more than the end of a write that never happened.
      corrupt ||= one.damage === 'order' || one.damage === 'json'
      damaged = true
      problems.push({ line: one.line, check: CHECKS[one.damage], message: textOf(one) })
      continue
    }
    if (one.entry?.kind === 'cell-opened') lineOf.set(one.entry.seq, one.line)
    // Entries after damage are intact, but what they prove depends on the ones that are missing.
    if (damaged) corrupt = true
    else fold.add(one.entry)
  }
  return { lines, cells: lineOf.size, problems, corrupt, frontier: fold.frontier(), lineOf }
}

function textOf({ damage, message }: Damage): string {
  return damage === 'torn' ? `${message}: the write was interrupted, and the next opening of the session cuts it` : message
}

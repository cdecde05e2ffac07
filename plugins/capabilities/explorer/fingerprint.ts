// What tells two contracts apart: a hash over everything that a caller relies on, and nothing else. Where a member comes from and how its
// owner numbers it may change without it.
import { createHash } from 'node:crypto'
import type { InspectedContract, MemberContract } from '../types.ts'

/** Made when a contract is first shown; sessions share contracts. */
const shown = new WeakMap<MemberContract, InspectedContract>()

/** The contract as the explorer answers it. */
export function inspected(contract: MemberContract): InspectedContract {
  const known = shown.get(contract)
  if (known) return known
  const made = Object.freeze({ ...contract, fingerprint: fingerprintOf(contract) })
  shown.set(contract, made)
  return made
}

/**
 * SHA-256 in 64 hexadecimal digits over the canonical JSON (RFC 8785: keys sorted, no spaces) of the contract without `sourceRef` and
 * `revision`. The same in every process. Since 0.1; another canonical form would make every contract look changed.
 */
export function fingerprintOf({ sourceRef: _sourceRef, revision: _revision, ...promised }: MemberContract): string {
  return createHash('sha256').update(canonical(promised)).digest('hex')
}

/** Contracts are copies without cycles, of plain JSON. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}

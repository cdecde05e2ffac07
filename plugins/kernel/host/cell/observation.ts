// An onlooker's question, and what is answered when the worker can not: looking starts no worker and waits for no cell.
import { KernelError } from '../../errors.ts'
import type { ValuePreview } from '../../types.ts'
import type { HelperProcess } from '../helper/helper-process.ts'

const WAIT_MS = 250
const MAX_NAMES = 128

/** `helper` is the session's, while it is live. */
export async function observe(helper: HelperProcess | undefined, names: readonly string[] | undefined): Promise<ValuePreview[]> {
  if (names !== undefined && !(Array.isArray(names) && names.every((name) => typeof name === 'string'))) throw new KernelError('bad-names')
  const asked = names?.slice(0, MAX_NAMES)
  const seen = await helper?.observe(asked, WAIT_MS)
  return seen ?? (asked ?? []).map((name) => ({ name, status: 'unreadable', text: '', truncated: false }))
}

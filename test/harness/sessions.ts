// Short forms for tests that run cells: a session over a booted graph, and what a cell answered as one comparable value.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CellResult, OpenOptions, ReplSession } from '../../plugins/kernel/types.ts'
import { boot, type Graph, type GraphOptions } from './graph.ts'

/** `{ value }`, `{ text }`, `{ none: true }` or `{ error: name }`. */
export function answerOf(result: CellResult): object {
  if (result.error !== undefined) return { error: result.error.name ?? result.error.kind }
  if (!result.hasValue) return { none: true }
  return result.text === undefined ? { value: result.value } : { text: result.text }
}

export function temporaryFolder(): { readonly path: string, remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'ptc-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Boots a graph, runs `use` with a session of it and takes everything down, whatever happens. */
export async function withSession(
  use: (session: ReplSession, graph: Graph) => Promise<void>, options: GraphOptions & { readonly open?: OpenOptions } = {},
): Promise<void> {
  const graph = await boot(options)
  try {
    await use(await graph.kernel.open('test', options.open), graph)
  } finally {
    await graph.dispose()
  }
}

/** Whether a process still runs. One that has ended and was not collected by its parent yet does not. */
export function isAlive(pid: number): boolean {
  try { process.kill(pid, 0) } catch { return false }
  try { return !/^\d+ \(.*\) Z/su.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) } catch { return !existsSync('/proc/self') }
}

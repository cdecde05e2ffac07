// What this process holds of the system: children, open files, the helper of a session. Read from /proc, not from our own books.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

function parentOf(pid: string): number | undefined {
  try { return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1]) } catch { return undefined }
}

/** Processes whose parent is this one. */
export function children(): number[] {
  return readdirSync('/proc').filter((name) => /^\d+$/u.test(name) && parentOf(name) === process.pid).map(Number)
}

/** Targets of this process's descriptors below `folder`. */
export function openFiles(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try { const target = readlinkSync(`/proc/self/fd/${fd}`); return target.startsWith(folder) ? [target] : [] } catch { return [] }
  })
}

/** How many descriptors this process has open. */
export function descriptors(): number { return readdirSync('/proc/self/fd').length }

/** Turns of the loop until `is` holds; fails when it never does. */
export async function until(is: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 15_000
  while (!is()) {
    if (performance.now() > deadline) throw new Error(`still not: ${what}`)
    await new Promise((resolve) => { setTimeout(resolve, 5) })
  }
}

// One writer for a session, across processes. A lock whose holder has died, however it died, is taken over at once.
//
// Owns: `<file>.lock` and the files beside it that begin with that name.
// Does not own: the history itself. It knows one machine and one pid namespace; it can not see a writer on another.
// Crosses by: `acquire(path, session)` -> `Lock.release()`.
// Invariants:
//   L1  at any time at most one living process believes that it holds the lock
//   L2  a dead holder (killed, a zombie, or its pid reused) never delays the next one
//   L3  a released lock leaves no file behind
//
// How L1 holds between takers. The holder is whoever the lock file names, unless there is a claim on it: a file named
// after the lock's random token, whose content names the claimant, who can be claimed from in turn. A claim is created
// by `link`, which only one taker can win, and counts only while the chain from the lock file leads to it; the winner
// looks again after winning, and only then renames its claim over the lock file. A slow taker that claims a lock
// which was replaced meanwhile finds, on looking again, a chain that does not lead to it, and starts over.
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, readdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { journalError, storing } from './errors.ts'

export interface Lock {
  /** Idempotent. */
  release(): void
}

interface Holder {
  readonly pid: number
  /** Tells two processes with the same pid apart; empty where the platform does not say. */
  readonly start: string
  readonly token: string
}

const NOBODY = 0
/** Far more than racing takers need; ends a search among files that somebody else arranged. */
const MOST_ATTEMPTS = 1000

const codeOf = (error: unknown): unknown => error instanceof Error && 'code' in error ? error.code : undefined

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** State and start time of a process, from Linux's process table; null elsewhere or when there is none. */
function processEntry(pid: number): { readonly state: string, readonly start: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command in parentheses may contain anything, also parentheses. State is field 3, start time field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return { state: fields[0] ?? '', start: `${boot}/${fields[19] ?? ''}` }
  } catch {
    return null
  }
}

/** L2. A zombie still answers signals, and a pid can be somebody else's by now. */
function isAlive({ pid, start }: Holder): boolean {
  if (pid === NOBODY) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false
  }
  const entry = processEntry(pid)
  if (entry === null) return true
  return entry.state !== 'Z' && entry.state !== 'X' && (start === '' || start === entry.start)
}

/** A damaged lock file (empty after a power cut, say) names nobody alive; `place` stands in for its token. */
function parseHolder(content: string, place: string): Holder {
  const [pid = '', start = '', token = ''] = content.trimEnd().split('\n')
  const known = /^[1-9]\d{0,9}$/.test(pid) && /^[0-9a-f]{32}$/.test(token)
  return known ? { pid: Number(pid), start, token } : { pid: NOBODY, start: '', token: `${place}damaged` }
}

const claimOn = (lock: string, holder: Holder): string => `${lock}.${holder.token}`

/** From the lock file through its claims to the one that holds it now; empty when nobody does. */
function chainOf(lock: string): Holder[] {
  const chain: Holder[] = []
  for (let content = contentOf(lock); content !== null && chain.length < MOST_ATTEMPTS;) {
    const holder = parseHolder(content, chain.map(() => 'claim-').join(''))
    chain.push(holder)
    content = contentOf(claimOn(lock, holder))
  }
  return chain
}

/** Links `mine` to `place` unless something is there: false then. */
function placeAt(place: string, mine: string): boolean {
  try {
    linkSync(mine, place)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** L3, after a takeover: claims that lead nowhere any more and drafts of takers that died half-way. */
function sweep(lock: string): void {
  const folder = dirname(lock)
  const prefix = `${basename(lock)}.`
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix)) continue
    const owner = parseHolder(contentOf(join(folder, name)) ?? '', '')
    // A living taker removes its own. A draft without content may be one that is just being written.
    const draft = name.startsWith(`${prefix}draft-`)
    if (owner.pid === NOBODY ? !draft : !isAlive(owner)) rmSync(join(folder, name), { force: true })
  }
}

function tryAcquire(lock: string, draft: string, me: Holder, session: string): boolean {
  const seen = chainOf(lock)
  const holder = seen.at(-1)
  if (holder === undefined) return placeAt(lock, draft)
  // The chain is not read at one moment: what hangs on a lock that was replaced meanwhile is nobody's.
  if (seen.length > 1 && chainOf(lock)[0]?.token !== seen[0]?.token) return false
  if (isAlive(holder)) throw journalError('locked', session, `pid ${holder.pid}`)
  const claim = claimOn(lock, holder)
  if (!placeAt(claim, draft)) return false
  // L1: the claim counts only if the chain still leads to it.
  if (chainOf(lock).at(-1)?.token !== me.token) {
    rmSync(claim, { force: true })
    return false
  }
  renameSync(claim, lock)
  sweep(lock)
  return true
}

/** The living holder of the lock beside `file`, in words, or null. Takes nothing and leaves nothing. */
export function holderOf(file: string): string | null {
  const holder = storing(`reading the lock of ${file}`, () => chainOf(`${file}.lock`).at(-1))
  return holder !== undefined && isAlive(holder) ? `pid ${holder.pid}` : null
}

/** Takes the lock beside `file`. Throws `JournalError`: `locked` naming the holder's pid, or `io`. */
export function acquire(file: string, session: string): Lock {
  const lock = `${file}.lock`
  const me: Holder = {
    pid: process.pid, start: processEntry(process.pid)?.start ?? '', token: randomBytes(16).toString('hex'),
  }
  const draft = `${lock}.draft-${me.token}`
  storing(`locking ${file}`, () => {
    // A lock must appear with its whole content: one that is empty for a moment would look like nobody's.
    writeFileSync(draft, `${me.pid}\n${me.start}\n${me.token}\n`, { flag: 'wx', mode: 0o600 })
    try {
      let attempts = 0
      while (!tryAcquire(lock, draft, me, session)) {
        if (++attempts >= MOST_ATTEMPTS) throw new Error(`${lock} and the files named after it do not add up; remove them`)
      }
    } finally {
      rmSync(draft, { force: true })
    }
  })
  let held = true
  return {
    release() {
      if (!held) return
      held = false
      storing(`unlocking ${file}`, () => {
        const content = contentOf(lock)
        if (content !== null && parseHolder(content, '').token === me.token) unlinkSync(lock)
      })
    },
  }
}

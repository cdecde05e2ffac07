// Runs as the other process: makes a source of the store under test and does with it what it is told, one command after the
// other. Answers how much memory it has ever used, which is how a large history shows whether it was held at once.
import type { History, HistorySource, NewEntry } from '../types.ts'

export type Command =
  | { readonly do: 'open', readonly id: string }
  | { readonly do: 'close' }
  /** Appends entries of `entryBytes` until there are `bytes` of them. The last one is synced. */
  | { readonly do: 'fill', readonly bytes: number, readonly entryBytes: number }
  | { readonly do: 'read', readonly id: string }

export type Answer =
  | { readonly ok: true, readonly count: number, readonly peakBytes: number }
  | { readonly ok: false, readonly code: unknown, readonly message: string }

interface StoreModule { openSource(options: unknown): HistorySource | Promise<HistorySource> }

const [url = '', options = 'null'] = process.argv.slice(2)
const { openSource } = await import(url) as StoreModule
const source = await openSource(JSON.parse(options))
let history: History | undefined

async function obey(command: Command): Promise<number> {
  switch (command.do) {
    case 'open':
      history = await source.open(command.id)
      return 0
    case 'close':
      await history?.close()
      return 0
    case 'fill': return fill(command.bytes, command.entryBytes)
    case 'read': {
      let count = 0
      for await (const _ of source.read(command.id)) count += 1
      return count
    }
  }
}

function fill(bytes: number, entryBytes: number): number {
  const entry: NewEntry = { kind: 'cell-opened', source: 'x'.repeat(entryBytes), cwd: '/home/me' }
  const count = Math.ceil(bytes / entryBytes)
  for (let index = 1; index <= count; index += 1) history!.append(entry, { sync: index === count })
  return count
}

const send = (answer: Answer): void => { process.send!(answer) }

process.on('message', (command: Command) => {
  obey(command).then(
    (count) => { send({ ok: true, count, peakBytes: process.resourceUsage().maxRSS * 1024 }) },
    (error: Error & { code?: unknown }) => { send({ ok: false, code: error.code, message: error.message }) },
  )
})
process.on('disconnect', () => { process.exit() })
send({ ok: true, count: 0, peakBytes: 0 })

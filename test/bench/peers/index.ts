// Other persistent sessions, measured in the same run as ours. None of them calls a host, journals or recovers; what is
// compared is what all of them do. Packages that are not installed are rows that say so.
import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { measure } from '../measure.ts'
import { PROGRAMS } from './outside.ts'
import { measureSession, type Measured } from './session.ts'

export interface PeerRow { readonly name: string, readonly start?: number, readonly measured?: Measured, readonly missing?: string }

const LIBRARIES: { readonly [name: string]: string | undefined } = {
  'Node REPL': undefined, 'V8 inspector': undefined, 'isolated-vm': 'isolated-vm', 'quickjs-emscripten': 'quickjs-emscripten', 'tslab': 'tslab', 'ts-node REPL': 'ts-node',
}

const STARTS = 3

async function library(name: string): Promise<PeerRow> {
  const start = () => new Promise<ReturnType<typeof fork>>((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./inside.ts', import.meta.url)), [name], {
      execArgv: ['--disable-warning=ExperimentalWarning', ...name === 'isolated-vm' ? ['--no-node-snapshot'] : []], stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let said = ''
    child.stderr!.on('data', (text) => { said += text })
    child.once('message', () => { child.removeAllListeners('exit'); resolve(child) })
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${said.slice(-300)}`)))
  })
  const took = await measure(STARTS, async () => { (await start()).kill('SIGKILL') })
  const child = await start()
  const measured = await new Promise<Measured>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Measured))
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} while it was measured`)))
    child.send('measure')
  })
  return { name, start: took, measured }
}

async function program(name: string): Promise<PeerRow> {
  const begin = PROGRAMS[name]!
  const first = begin()
  if (first === undefined) return { name, missing: 'not installed' }
  first.end()
  const start = await measure(STARTS, async () => { const peer = begin()!; if (await peer.run('1+1') !== 2) throw new Error('1+1 is not 2'); peer.end() })
  const peer = begin()!
  try {
    return { name, start, measured: await measureSession(peer) }
  } finally {
    peer.end()
  }
}

/** One after the other; one that fails is a row that says why. */
export async function measurePeers(): Promise<PeerRow[]> {
  const rows: PeerRow[] = []
  const add = async (name: string, work: () => Promise<PeerRow>) => {
    try { rows.push(await work()) } catch (error) { rows.push({ name, missing: (error as Error).message.trim().split('\n').at(-1)! }) }
  }
  for (const [name, folder] of Object.entries(LIBRARIES)) {
    const found = folder === undefined || existsSync(new URL(`../node_modules/${folder}`, import.meta.url))
    await add(name, found ? () => library(name) : async () => ({ name, missing: 'not installed' }))
  }
  for (const name of Object.keys(PROGRAMS)) await add(name, () => program(name))
  return rows
}

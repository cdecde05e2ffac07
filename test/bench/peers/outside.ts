// Peers that are programs: a REPL in a process of its own, driven over its standard streams.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Socket } from 'node:net'
import type { PeerSession } from './session.ts'

export interface Program extends PeerSession { end(): void }

const { platform, arch } = process
const installed = (path: string): string | undefined => {
  const file = fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url))
  return existsSync(file) ? file : undefined
}

/** Each answers undefined when its package is not installed, or has nothing for this machine. */
export const PROGRAMS: { readonly [name: string]: () => Program | undefined } = {
  'Bun REPL': () => {
    const path = installed(`@oven/bun-${platform === 'win32' ? 'windows' : platform}-${arch === 'arm64' ? 'aarch64' : arch}/bin/bun`)
    if (path === undefined) return undefined
    return lineRepl(spawn(path, ['repl'], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, NO_COLOR: '1', DO_NOT_TRACK: '1' } }))
  },
  'Deno REPL': () => {
    const path = installed(`@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}/deno`)
    return path === undefined ? undefined : denoRepl(path)
  },
}

/** A cell is one line in; its value is the last line before the next prompt. */
function lineRepl(child: ChildProcess): Program {
  let text = ''
  let look = () => {}
  let fail = (_error: Error) => {}
  child.once('exit', () => fail(new Error('the peer has ended')))
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => { text += chunk; look() })
  child.stdin!.on('error', () => {})
  const prompt = () => new Promise<string>((resolve, reject) => {
    fail = reject
    look = () => { if (text.endsWith('> ')) { look = () => {}; resolve(text) } }
    look()
  })
  const started = prompt()
  started.catch(() => {})   // ended before it was asked anything
  return {
    async run(code) {
      await started
      text = ''
      child.stdin!.write(`${code.replaceAll(/\s*\n\s*/gu, ' ')}\n`)
      const lines = (await prompt()).replaceAll(/\u001b\[[\d;?]*[A-Za-z]/gu, '').split('\n').map((line) => line.replace(/^(?:> )+/u, '').trim()).filter((line) => line !== '' && line !== '>' && line !== 'undefined')
      const last = lines.at(-1)
      return last === '2' ? 2 : last
    },
    end: () => { child.kill('SIGKILL') },
  }
}

/** Deno's own protocol for kernels: length, then JSON, over descriptor 3. */
function denoRepl(path: string): Program {
  const child = spawn(path, ['repl', '--json', '-A', '--no-config', '--no-lock'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'], env: { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' },
  })
  const socket = child.stdio[3] as Socket
  let bytes = Buffer.alloc(0)
  const waiting: ((message: { type: string, output?: string, text?: string, error?: string }) => void)[] = []
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32LE(0)) {
      const size = bytes.readUInt32LE(0)
      waiting.shift()?.(JSON.parse(bytes.toString('utf8', 4, 4 + size)))
      bytes = bytes.subarray(4 + size)
    }
  })
  socket.on('error', () => {})
  return {
    run: (code) => new Promise((resolve, reject) => {
      waiting.push(({ type, output = '', text, error }) => {
        const shown = output.replaceAll(/\u001b\[\d+m/gu, '')
        if (type === 'RunSuccess') resolve(shown === '2' ? 2 : shown)
        else reject(new Error(text ?? error))
      })
      const body = Buffer.from(JSON.stringify({ type: 'Run', code, output: true }))
      const head = Buffer.alloc(4)
      head.writeUInt32LE(body.length)
      socket.write(Buffer.concat([head, body]))
    }),
    end: () => { child.kill('SIGKILL') },
  }
}

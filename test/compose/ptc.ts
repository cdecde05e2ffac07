// Runs the real `ptc` as a child process: what a person or a program at the other end of its pipes sees.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Answer } from '../harness/batch.ts'

export const bin = fileURLToPath(new URL('../../bin/ptc.js', import.meta.url))

export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

export function start(args: readonly string[], options: { readonly cwd?: string, readonly env?: NodeJS.ProcessEnv } = {}): Running {
  const child = spawn(process.execPath, [bin, ...args], {
    ...options.cwd === undefined ? {} : { cwd: options.cwd }, env: { ...process.env, NO_COLOR: '', ...options.env }, stdio: 'pipe',
  })
  child.stdin.on('error', () => {})
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(([[status, signal], stdout, stderr]) =>
    ({ status: status as number | null, signal: signal as NodeJS.Signals | null, stdout, stderr }))
  // Who destroys the child's stdout does not wait for this.
  ended.catch(() => {})
  return { child, ended }
}

/** Runs to the end with this text on stdin. */
export function ptc(args: readonly string[], stdin = '', options: { readonly cwd?: string, readonly env?: NodeJS.ProcessEnv } = {}): Promise<Ended> {
  const { child, ended } = start(args, options)
  child.stdin?.end(stdin)
  return ended
}

export const linesOf = (stdout: string): Answer[] => stdout.split('\n').filter(line => line !== '').map(line => JSON.parse(line) as Answer)

export const requests = (...items: readonly (string | object)[]): string =>
  items.map(item => `${typeof item === 'string' ? JSON.stringify({ source: item }) : JSON.stringify(item)}\n`).join('')

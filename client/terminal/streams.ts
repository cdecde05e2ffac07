// Where `ptc` writes. Waits when the reader is slow, ends quietly when the reader has gone (a broken pipe), and can keep
// stdout for the program's own lines alone.
import type { Writable } from 'node:stream'

export interface Sink {
  /** Resolves when the stream wants more; at once after the reader has gone. */
  write(text: string): Promise<void>
  /** Aborts when the reader has gone. */
  readonly gone: AbortSignal
}

export function sink(stream: Writable, write: (text: string) => boolean = text => stream.write(text)): Sink {
  const controller = new AbortController()
  const leave = () => controller.abort()
  stream.on('error', leave)
  stream.on('close', leave)
  return {
    gone: controller.signal,
    async write(text) {
      if (controller.signal.aborted || text === '' || write(text)) return
      await new Promise<void>(resolve => {
        const done = () => {
          stream.off('drain', done)
          controller.signal.removeEventListener('abort', done)
          resolve()
        }
        stream.once('drain', done)
        controller.signal.addEventListener('abort', done)
      })
    },
  }
}

/**
 * Takes stdout for lines that a program will read. Everything else that this process writes there, a plugin's
 * `console.log` for example, goes to stderr from now on.
 */
export function claimStdout(): Sink {
  const stdout = process.stdout
  const write = stdout.write.bind(stdout)
  stdout.write = process.stderr.write.bind(process.stderr)
  return sink(stdout, text => write(text))
}

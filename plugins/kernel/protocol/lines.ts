// NDJSON frames over a byte stream, for both ends of the worker's socket: messages of one microtask leave in one write, many of
// them in several, so that the peer begins with the first while the rest is made. The receiver refuses a line that is too long before it is put together (V2). Knows nothing about what the messages mean.

export interface ByteStream {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown
  write(text: string): unknown
}

const { parse } = JSON
const { concat } = Buffer
const indexOf = Function.prototype.call.bind(Buffer.prototype.indexOf) as (buffer: Buffer, byte: number, from: number) => number
const slice = Function.prototype.call.bind(Buffer.prototype.subarray) as (buffer: Buffer, from: number, to?: number) => Buffer
const utf8 = Function.prototype.call.bind(Buffer.prototype.toString) as (buffer: Buffer, encoding: string) => string
/** Not `queueMicrotask`: Node's looks up methods that a program can reach and replace. */
const later = async (run: () => void) => { await undefined; run() }
const NEWLINE = 10
/** Characters that wait for the end of a microtask at most. */
const MOST_PENDING = 8 * 1_024

/** Answers a function that sends one message, already serialized. */
export function sendLines(stream: ByteStream): (json: string) => void {
  let pending = ''
  let isAwaited = false
  const flush = () => { const batch = pending; pending = ''; if (batch !== '') stream.write(batch) }
  return (json) => {
    pending += json + '\n'
    if (pending.length > MOST_PENDING) return flush()
    if (isAwaited) return
    isAwaited = true
    void later(() => { isAwaited = false; flush() })
  }
}

/**
 * Calls `onMessage` with each parsed line. `onFault` is called once, with what was wrong, when a line is not JSON or
 * longer than `maxLineBytes`; nothing is delivered after that.
 */
export function receiveLines(
  stream: ByteStream, maxLineBytes: number, onMessage: (message: unknown) => void, onFault: (fault: string) => void,
): void {
  let parts: Buffer[] = []
  let held = 0
  let broken = false
  const fail = (fault: string) => { broken = true; parts = []; onFault(fault) }
  stream.on('data', (chunk) => {
    let from = 0
    while (!broken) {
      const end = indexOf(chunk, NEWLINE, from)
      const piece = slice(chunk, from, end < 0 ? undefined : end)
      held += piece.length
      if (held > maxLineBytes) return fail(`a message is longer than ${maxLineBytes} bytes`)
      if (end < 0) {
        if (piece.length > 0) parts[parts.length] = piece
        return
      }
      let line = piece
      if (parts.length > 0) { parts[parts.length] = piece; line = concat(parts); parts = [] }
      held = 0
      from = end + 1
      let message: unknown
      try { message = parse(utf8(line, 'utf8')) } catch { return fail('a message is not JSON') }
      onMessage(message)
    }
  })
}

// Collects what one cell printed, in arrival order, and says when it is too much. Pieces of one channel that do not end a
// line run together, so an entry is what a reader would call one print.
import type { LogEntry } from '../../types.ts'

/** What stays of the log when the limit is passed: the newest entries within this many bytes, one more for each entry. */
const KEPT_BYTES = 4_096

const byteLength = (text: string) => Buffer.byteLength(text)

export class OutputLog {
  private readonly pieces: { channel: LogEntry['channel'], text: string, open: boolean }[] = []
  private bytes = 0
  private readonly maxBytes: number
  private readonly onOutput: ((entry: LogEntry) => void) | undefined

  constructor(maxBytes: number, onOutput: ((entry: LogEntry) => void) | undefined) {
    this.maxBytes = maxBytes
    this.onOutput = onOutput
  }

  /** False when the limit is passed. */
  add(channel: LogEntry['channel'], text: string): boolean {
    this.bytes += byteLength(text)
    const last = this.pieces.at(-1)
    if (last !== undefined && last.open && last.channel === channel) last.text += text
    else this.pieces.push({ channel, text, open: true })
    this.pieces.at(-1)!.open = !text.endsWith('\n')
    this.onOutput?.({ channel, text })
    return this.bytes <= this.maxBytes
  }

  get remainingBytes(): number { return this.maxBytes - this.bytes }

  /** All entries, without the newline that ends each. */
  entries(): LogEntry[] {
    return this.pieces.map(({ channel, text }) => ({ channel, text: text.endsWith('\n') ? text.slice(0, -1) : text }))
  }

  newest(): LogEntry[] {
    const kept: LogEntry[] = []
    let left = KEPT_BYTES
    for (const entry of this.entries().reverse()) {
      left -= byteLength(entry.text) + 1
      if (left < 0) break
      kept.unshift(entry)
    }
    return kept
  }
}

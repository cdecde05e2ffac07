// Reads what arrives on the helper's stdout and stderr pipes: bytes that code or child processes wrote to the descriptors.
// The worker puts a fence on both pipes where a cell begins and one where it ends; a cell's result waits for the latter, so that
// nothing it wrote is missing.
//
// Owns: the bytes on one pipe, and which of them came inside a cell. Does not own: the streams of the worker, which travel as
// messages. Invariants: O1 bytes between a cell's fences are that cell's, all others are nobody's; O2 a fence is never shown;
// bytes before the first fence are the system's (a loader's complaint, say), no program has run, and they are dropped.
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

export class DescriptorCapture {
  private readonly decoder = new StringDecoder('utf8')
  private readonly prefix: string
  private readonly emit: (text: string, isInside: boolean) => void
  private text = ''
  private passed = 0
  private inside = false
  private fresh = true
  private ended = false
  private waiting: { readonly cell: number, readonly resolve: () => void }[] = []

  constructor(pipe: Readable, nonce: string, emit: (text: string, isInside: boolean) => void) {
    this.prefix = `\u0000ptc-fence ${nonce} `
    this.emit = emit
    pipe.on('data', (chunk: Buffer) => { this.text += this.decoder.write(chunk); this.scan() })
    const end = () => { this.ended = true; this.flush(this.text + this.decoder.end()); this.text = ''; this.release() }
    pipe.on('end', end)
    pipe.on('error', end)
    pipe.on('close', end)
  }

  /** Resolves when everything that the cell wrote has been emitted, or the pipe has ended. */
  fenced(cell: number): Promise<void> | undefined {
    if (this.ended || this.passed >= cell) return undefined
    return new Promise((resolve) => { this.waiting.push({ cell, resolve }) })
  }

  private scan(): void {
    for (;;) {
      const start = this.text.indexOf('\u0000')
      if (start < 0) { this.flush(this.text); this.text = ''; return }
      this.flush(this.text.slice(0, start))
      this.text = this.text.slice(start)
      const known = Math.min(this.text.length, this.prefix.length)
      if (this.text.slice(0, known) !== this.prefix.slice(0, known)) {
        this.flush('\u0000')               // a zero byte of the program's own
        this.text = this.text.slice(1)
        continue
      }
      const end = this.text.indexOf('\u0000', 1)
      if (end < 0) return                  // the rest of the fence is still on its way
      const mark = this.text.slice(this.prefix.length, end)
      this.inside = mark.startsWith('+')
      this.fresh = false
      if (!this.inside) this.passed = Number(mark)
      this.text = this.text.slice(end + 1)
      this.release()
    }
  }

  private flush(text: string): void { if (text !== '' && !this.fresh) this.emit(text, this.inside) }

  private release(): void {
    const ready = this.waiting.filter(({ cell }) => this.ended || cell <= this.passed)
    if (ready.length === 0) return
    this.waiting = this.waiting.filter((waiter) => !ready.includes(waiter))
    for (const { resolve } of ready) resolve()
  }
}

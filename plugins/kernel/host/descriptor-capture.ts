// Reads what arrives on the helper's stdout and stderr pipes: bytes that code or child processes wrote to the descriptors.
// The worker ends each cell with a fence on both pipes; a cell's result waits for them, so that nothing it wrote is missing.
//
// Owns: the bytes between two fences. Does not own: the streams of the worker, which travel as messages.
// Invariants: O1 bytes before a cell's fence are that cell's; O2 a fence is never shown.
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

export class DescriptorCapture {
  private readonly decoder = new StringDecoder('utf8')
  private readonly prefix: string
  private readonly emit: (text: string) => void
  private text = ''
  private passed = 0
  private ended = false
  private waiting: { readonly cell: number, readonly resolve: () => void }[] = []

  constructor(pipe: Readable, nonce: string, emit: (text: string) => void) {
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
      this.passed = Number(this.text.slice(this.prefix.length, end))
      this.text = this.text.slice(end + 1)
      this.release()
    }
  }

  private flush(text: string): void { if (text !== '') this.emit(text) }

  private release(): void {
    const ready = this.waiting.filter(({ cell }) => this.ended || cell <= this.passed)
    if (ready.length === 0) return
    this.waiting = this.waiting.filter((waiter) => !ready.includes(waiter))
    for (const { resolve } of ready) resolve()
  }
}

// What a session has to do, strictly one after the other (K1), and what becomes of it when there has been nothing to do for a while.
//
// Owns: the order of work, the idle timer. Does not own: the work.
// Invariants: K1 the next begins when the one before has settled.

export class WorkQueue {
  private last: Promise<unknown> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  private readonly idleMs: number
  private readonly onIdle: () => void
  private left = 0

  /** `idleMs`: 0 for never. */
  constructor(idleMs: number, onIdle: () => void) {
    this.idleMs = idleMs
    this.onIdle = onIdle
  }

  /** What has not settled yet. */
  get waiting(): number { return this.left }

  /** K1. Settles as the work does. */
  add<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.timer)
    this.left += 1
    const result = this.last.then(work).finally(() => {
      this.left -= 1
      if (this.left === 0 && this.idleMs > 0) this.timer = setTimeout(this.onIdle, this.idleMs).unref()
    })
    this.last = result.catch(() => {})
    return result
  }

  /** Resolves when all that was added is done. Nothing may be added any more. */
  async drain(): Promise<void> {
    clearTimeout(this.timer)
    await this.last
    clearTimeout(this.timer)
  }
}

// What a fold knows of every cell that it has met, by the `seq` that opened it: two lists in the order of the history, because there
// may be a hundred thousand cells and most of them are over.

/** A cell that is over and stands nowhere: it settled without a durable record, or its node was dropped. */
export const SETTLED = 'settled'
/** It never settled, and a later cell has; it can not settle any more. */
export const PASSED = 'passed'

export class Cells<T> {
  /** Ascending. */
  private readonly seqs: number[] = []
  private readonly known: T[] = []

  /** `seq` is above all that were added. */
  add(seq: number, value: T): void {
    this.seqs.push(seq)
    this.known.push(value)
  }

  get(seq: number): T | undefined { return this.known[this.at(seq)] }

  /** Changes what is known of a cell that was added; of another one, nothing. */
  set(seq: number, value: T): void {
    const index = this.at(seq)
    if (index >= 0) this.known[index] = value
  }

  /** -1 when it was never added. */
  private at(seq: number): number {
    const { seqs } = this
    let high = seqs.length - 1
    if (seqs[high] === seq) return high     // mostly it is the last one
    for (let low = 0; low <= high;) {
      const middle = (low + high) >> 1
      if (seqs[middle] === seq) return middle
      if (seqs[middle]! < seq) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
}

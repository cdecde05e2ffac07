// The number by which people know a cell: how many were opened before it, and one. Kept as a list of the cells' `seq`, because a
// long session has many and looks few of them up.

export class CellNumbers {
  /** Ascending. */
  private readonly opened: number[] = []

  add(seq: number): void { this.opened.push(seq) }

  /** Of the next cell. */
  get next(): number { return this.opened.length + 1 }

  /** 0 for a cell that was never opened. */
  of(seq: number): number {
    let low = 0
    let high = this.opened.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.opened[middle]! < seq) low = middle + 1
      else high = middle
    }
    return this.opened[low] === seq ? low + 1 : 0
  }
}

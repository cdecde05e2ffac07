// Seeded chance: the same seed makes the same program on every machine.

export class Random {
  private state: number

  constructor(seed: number) { this.state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0 }

  /** A number in [0, 1), by mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = this.state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  below(limit: number): number { return Math.floor(this.next() * limit) }

  chance(probability: number): boolean { return this.next() < probability }

  pick<T>(list: readonly T[]): T { return list[this.below(list.length)]! }

  weighted<T>(table: readonly (readonly [weight: number, entry: T])[]): T {
    let at = this.next() * table.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, entry] of table) if ((at -= weight) < 0) return entry
    return table.at(-1)![1]
  }
}

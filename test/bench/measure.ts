// The ways in which benchmarks take a time: the median of repetitions, in milliseconds.

export type Row = readonly [what: string, ms: number, compared: string]

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!

async function time(work: (i: number) => unknown, i: number): Promise<number> {
  const start = performance.now()
  await work(i)
  return performance.now() - start
}

export async function measure(count: number, work: (i: number) => unknown): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < count; i += 1) times.push(await time(work, i))
  return median(times)
}

/** Two things in turns, so that what else the machine does falls on both alike. */
export async function measurePair(count: number, one: (i: number) => unknown, other: (i: number) => unknown): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let i = 0; i < count; i += 1) {
    times[0].push(await time(one, i))
    times[1].push(await time(other, i))
  }
  return [median(times[0]), median(times[1])]
}

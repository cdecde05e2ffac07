// The one way in which benchmarks take a time: the median of repetitions, in milliseconds.

export type Row = readonly [what: string, ms: number, compared: string]

export async function measure(count: number, work: (i: number) => unknown): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < count; i += 1) {
    const start = performance.now()
    await work(i)
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[count >> 1]!
}

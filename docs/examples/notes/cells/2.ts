// @ts-nocheck
// One generic function answers "how much, by what?" for every field of an order.
function totals<T, K extends keyof T>(items: readonly T[], key: K, amount: (item: T) => number): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const item of items) {
    const group = String(item[key])
    sums[group] = (sums[group] ?? 0) + amount(item)
  }
  for (const group in sums) sums[group] = Math.round(sums[group] * 100) / 100
  return sums
}

totals(orders, 'status', order => order.amount)

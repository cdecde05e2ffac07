// @ts-nocheck
// The best customers, without what was refunded. `totals` and `orders` come from earlier cells.
const kept: Order[] = orders.filter(({ status }) => status !== Status.Refunded)

const best = Object.entries(totals(kept, 'customer', order => order.amount))
  .sort(([, a], [, b]) => b - a)
  .slice(0, 3)
  .map(([customer, total]) => ({ customer, total }))

await notes.add({ text: `thank ${best[0].customer}` })
best

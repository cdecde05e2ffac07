// @ts-nocheck
// Writes down which open orders should be asked about. After a crash the notes are not written again: their answers are recorded.
const overdue = orders.filter(({ status, day }) => status === Status.Open && day < '2026-10-15')

for (const { id, customer, amount } of overdue) {
  await notes.add({ text: `ask ${customer} about order ${id} (${amount.toFixed(2)} EUR)` })
}

overdue.map(({ id }) => id)

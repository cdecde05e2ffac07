// @ts-nocheck
// What the session found, for a reader.
const todo: { id: number, text: string }[] = await notes.list()
const { paid, open } = totals(orders, 'status', order => order.amount)

const report = { paid, open, best: best.map(({ customer }) => customer), todo: todo.map(({ id, text }) => `${id}. ${text}`) }
report

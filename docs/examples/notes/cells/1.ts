// @ts-nocheck A cell sees the names of the cells before it, and its namespaces, which the type checker of this project does not.
// Reads the orders. Types and the enum stay around for the cells that follow.
import { basename } from 'node:path'

enum Status { Paid = 'paid', Open = 'open', Refunded = 'refunded' }

interface Order {
  id: number
  day: string
  customer: string
  product: string
  amount: number
  status: Status
}

const source = 'orders.csv'
const [header, ...rows] = (await files.read({ path: source })).trim().split('\n')

const orders: Order[] = rows.map((row) => {
  const [id, day, customer, product, quantity, price, status] = row.split(',')
  return { id: +id, day, customer, product, amount: quantity * price, status: status as Status }
})

const summary = `${orders.length} orders in ${basename(source)}`
summary

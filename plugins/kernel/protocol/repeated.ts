// What most orders have in common with the one before, thousands of member names perhaps, crosses a channel once. Both ends of both
// channels that orders travel on: host to helper, and helper to worker, which gets fewer of them.
import type { RunOrder, SentOrder } from './messages.ts'

const { keys } = Object

/** For the end that sends: every order that it is given has to be sent. */
export function shortenOrders(): (order: RunOrder) => SentOrder {
  let known: Pick<RunOrder, 'namespaces' | 'limits'> | undefined
  return ({ namespaces, limits, ...rest }) => {
    const last = known
    known = { namespaces, limits }
    return {
      ...rest,
      ...last !== undefined && isSameList(last.namespaces, namespaces) ? {} : { namespaces },
      ...last !== undefined && isSameRecord(last.limits, limits) ? {} : { limits },
    }
  }
}

/** For the end that receives. Throws for a first order that leaves something out. */
export function completeOrders(): (sent: SentOrder) => RunOrder {
  let namespaces: RunOrder['namespaces'] | undefined
  let limits: RunOrder['limits'] | undefined
  return (sent) => {
    namespaces = sent.namespaces ?? namespaces
    limits = sent.limits ?? limits
    if (namespaces === undefined || limits === undefined) throw new TypeError('the first order of a channel is not complete')
    return { ...sent, namespaces, limits }
  }
}

/** By identity: a namespace is the same object for as long as it does not change. */
function isSameList(one: readonly object[], other: readonly object[]): boolean {
  if (one === other) return true
  if (one.length !== other.length) return false
  for (let i = 0; i < one.length; i += 1) if (one[i] !== other[i]) return false
  return true
}

function isSameRecord<T extends object>(one: T, other: T): boolean {
  const names = keys(one) as (keyof T)[]
  if (names.length !== keys(other).length) return false
  for (let i = 0; i < names.length; i += 1) if (one[names[i]!] !== other[names[i]!]) return false
  return true
}

import type { Day, Zone } from '../lib/time.ts'
import type { Facts } from './difference.ts'

/** What counted orders of a day add up to; money in minor units. */
export type DaySums = {
  orders: number
  total: bigint
  tax: bigint
  shipping: bigint
  refunds: number
  refunded: bigint
}

export type TalliedDay = { day: Day; currency: string; shop: DaySums; here: DaySums }

type Counted = Pick<Facts, 'status' | 'currency' | 'createdAt' | 'paidAt' | 'total' | 'tax' | 'shipping' | 'refunds'>

/** The second by which an order counts. */
export const momentOf = ({ paidAt, createdAt }: Pick<Facts, 'paidAt' | 'createdAt'>): number => paidAt ?? createdAt

const nothing = (): DaySums => ({ orders: 0, total: 0n, tax: 0n, shipping: 0n, refunds: 0, refunded: 0n })

/** Adds up what both sides have, per day and currency. Refunds count on the day of their order. */
export type Tally = {
  add: (side: 'shop' | 'here', order: Counted) => void
  /** In the order of days and currencies. */
  days: () => TalliedDay[]
}

/** @param isWithin whether an order that counts at this second is looked at */
export const createTally = (
  zone: Zone,
  statuses: ReadonlySet<string>,
  isWithin: (second: number) => boolean,
): Tally => {
  const days = new Map<string, TalliedDay>()
  const dayOf = (day: Day, currency: string): TalliedDay => {
    const key = `${day} ${currency}`
    const found = days.get(key) ?? { day, currency, shop: nothing(), here: nothing() }
    days.set(key, found)
    return found
  }
  return {
    add: (side, order) => {
      if (!statuses.has(order.status) || !isWithin(momentOf(order))) return
      const sums = dayOf(zone.dayOf(momentOf(order)), order.currency)[side]
      sums.orders += 1
      sums.total += BigInt(order.total)
      sums.tax += BigInt(order.tax)
      sums.shipping += BigInt(order.shipping)
      sums.refunds += order.refunds.length
      sums.refunded += order.refunds.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    },
    days: () => [...days.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, day]) => day),
  }
}

import type { Day, Zone } from '../lib/time.ts'
import type { Facts } from './difference.ts'

/** Sums of a day's counted orders; money in minor units. */
export type DaySums = {
  orders: number
  total: bigint
  tax: bigint
  shipping: bigint
  refunds: number
  refunded: bigint
}

export type TalliedDay = { day: Day; currency: string; shop: DaySums; here: DaySums }

type CountedFields = Pick<
  Facts,
  'status' | 'currency' | 'createdAt' | 'paidAt' | 'total' | 'tax' | 'shipping' | 'refunds'
>

/** The time that decides the day of an order, in seconds since 1970. */
export const countedAt = ({ paidAt, createdAt }: Pick<Facts, 'paidAt' | 'createdAt'>): number => paidAt ?? createdAt

const zeroSums = (): DaySums => ({ orders: 0, total: 0n, tax: 0n, shipping: 0n, refunds: 0, refunded: 0n })

/** Sums of both sides per day and currency. Refunds count on the day of their order. */
export type Tally = {
  add: (side: 'shop' | 'here', order: CountedFields) => void
  /** Sorted by day and currency. */
  days: () => TalliedDay[]
}

/** @param isWithin whether orders that count at this time are included */
export const createTally = (zone: Zone, statuses: ReadonlySet<string>, isWithin: (at: number) => boolean): Tally => {
  const days = new Map<string, TalliedDay>()
  const dayOf = (day: Day, currency: string): TalliedDay => {
    const key = `${day} ${currency}`
    const sums = days.get(key) ?? { day, currency, shop: zeroSums(), here: zeroSums() }
    days.set(key, sums)
    return sums
  }
  return {
    add: (side, order) => {
      if (!statuses.has(order.status) || !isWithin(countedAt(order))) return
      const sums = dayOf(zone.dayOf(countedAt(order)), order.currency)[side]
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

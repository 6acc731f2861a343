// The net revenue of single orders.
import type { Db } from '../database/query.ts'
import type { Zone } from '../lib/time.ts'
import { countedStatuses } from './basis.ts'
import { effectsOf } from './effects.ts'
import { findStored } from './rows.ts'

/** Amounts in minor units by currency. */
export type Amounts = Readonly<Record<string, bigint>>

/** Adds up the net revenue of those orders that count, in minor units by currency. */
export const createNetRevenue = (db: Db, zone: Zone): ((ids: readonly number[]) => Amounts) => {
  const counted = new Set(countedStatuses(db))
  return ids => {
    const sums: Record<string, bigint> = {}
    for (const id of ids) {
      const order = findStored(db, id)
      if (order === null || order.deleted || !counted.has(order.status)) continue
      const net = effectsOf(order, zone).find(({ kind }) => kind === 'channel')?.sums.net ?? 0n
      sums[order.currency] = (sums[order.currency] ?? 0n) + net
    }
    return sums
  }
}

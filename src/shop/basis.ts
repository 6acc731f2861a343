import * as v from 'valibot'
import { get, query, run, type Db } from '../database/query.ts'
import findBasis from '../sql/revenue-basis.find.sql'
import setBasis from '../sql/revenue-basis.set.sql'
import clearPeriods from '../sql/revenue-period.clear.sql'
import { listStored, type StoredOrder } from './rows.ts'

const basisRow = v.object({ basis: v.string() })
const findQuery = query(findBasis, v.object({}), basisRow)
const setQuery = query(setBasis, basisRow, v.object({}))
const clearQuery = query(clearPeriods, v.object({}), v.object({}))

const atOnce = 1000

/** The statuses that count in this file; null before the first start that knew of orders. */
export const countedStatuses = (db: Db): readonly string[] | null => {
  const text = get(db, findQuery, {})?.basis
  // Written by adoptBasis.
  return text === undefined ? null : (JSON.parse(text) as [zone: string, statuses: string[]])[1]
}

/**
 * The rollups follow from the orders, the zone and the counted statuses. Where one of the latter is another one than
 * they were made with, or by force, all are recalculated in one transaction.
 * @returns how many orders were looked at
 */
export const adoptBasis = (
  db: Db,
  zone: string,
  statuses: readonly string[],
  force: boolean,
  add: (order: StoredOrder) => void,
  transact: (work: () => number) => number,
  flush: () => void,
): number => {
  const basis = JSON.stringify([zone, statuses])
  if (!force && get(db, findQuery, {})?.basis === basis) return 0
  return transact(() => {
    run(db, clearQuery, {})
    run(db, setQuery, { basis })
    let orders = 0
    let group = listStored(db, 0, atOnce)
    for (; group.length > 0; group = listStored(db, group.at(-1)?.id ?? 0, atOnce)) {
      for (const order of group) add(order)
      flush()
      orders += group.length
    }
    return orders
  })
}

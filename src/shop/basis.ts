import * as v from 'valibot'
import { type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/revenue-basis.sql'
import { listStored, type StoredOrder } from './rows.ts'

const sql = statements(sqlText)

const basisRow = v.object({ basis: v.string() })
const findQuery = query(sql('find'), none, basisRow)
const setQuery = query(sql('set'), basisRow)
export const clearPeriodsQuery = query(sql('revenue-period.clear'))

const batchSize = 1000

/** The statuses that count in this file; null if it was never opened by a version that stores orders. */
export const countedStatuses = (db: Db): readonly string[] | null => {
  const text = get(db, findQuery, {})?.basis
  // Written by adoptBasis.
  return text === undefined ? null : (JSON.parse(text) as [zone: string, statuses: string[]])[1]
}

type Basis = {
  zone: string
  statuses: readonly string[]
  /** Recalculates even if nothing has changed. */
  force: boolean
  /** Counts an order; `flush` writes what was counted. */
  add: (order: StoredOrder) => void
  flush: () => void
  transact: (work: () => number) => number
}

/**
 * Recalculates the rollups in one transaction if the time zone or the counted statuses differ from those that they were
 * calculated with.
 * @returns the number of orders read
 */
export const adoptBasis = (db: Db, { zone, statuses, force, add, flush, transact }: Basis): number => {
  const basis = JSON.stringify([zone, statuses])
  if (!force && get(db, findQuery, {})?.basis === basis) return 0
  return transact(() => {
    run(db, clearPeriodsQuery, {})
    run(db, setQuery, { basis })
    let orders = 0
    let batch = listStored(db, 0, batchSize)
    for (; batch.length > 0; batch = listStored(db, batch.at(-1)?.id ?? 0, batchSize)) {
      for (const order of batch) add(order)
      flush()
      orders += batch.length
    }
    return orders
  })
}

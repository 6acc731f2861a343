// Revenue rollups of some orders: those of a filter, or of a part of a day, for comparisons that end at the present time.
import { createLabels } from '../collection/store/intern.ts'
import { type Db, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { Zone } from '../lib/time.ts'
import sqlText from '../sql/selected-orders.sql'
import { clearPeriodsQuery, countedStatuses } from './basis.ts'
import { effectsOf } from './effects.ts'
import { createRollups } from './rollups.ts'
import { listBetween, listRefunded, type OrderSource } from './rows.ts'

const sql = statements(sqlText)

/** Creates the temporary table that hides the revenue rollups. */
export const createSelectedOrders = (db: Db): void => {
  db.exec(sql('revenue.selected.tables'))
}

type Selection = {
  /** Times in seconds (half-open). */
  start: number
  end: number
  isSelected: (source: OrderSource) => boolean
  /** Whether the time is one of whole days: then refunds of other days' orders count as well. */
  whole: boolean
}

/** Derives the revenue rollups of the counted orders between two times into the temporary table. */
export const deriveSelectedOrders = (db: Db, zone: Zone, { start, end, isSelected, whole }: Selection): void => {
  run(db, clearPeriodsQuery, {})
  const counted = new Set(countedStatuses(db))
  const rollups = createRollups(db, createLabels(db))
  for (const order of listBetween(db, start, end, isSelected))
    if (counted.has(order.status)) rollups.add(effectsOf(order, zone), order.currency)
  for (const order of whole ? listRefunded(db, start, end, isSelected) : []) {
    if (!counted.has(order.status)) continue
    const returned = effectsOf(order, zone).filter(({ kind }) => kind === 'refund' || kind === 'returned')
    rollups.add(returned, order.currency)
  }
  rollups.write()
}

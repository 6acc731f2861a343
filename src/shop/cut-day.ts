// Revenue rollups of a part of a day, for comparisons that end at the present time of day.
import { createLabels } from '../collection/store/intern.ts'
import { run, type Db } from '../database/query.ts'
import type { Zone } from '../lib/time.ts'
import cutDayTables from '../sql/revenue.cut-day.tables.sql'
import { clearPeriodsQuery, countedStatuses } from './basis.ts'
import { effectsOf } from './effects.ts'
import { createRollups } from './rollups.ts'
import { listBetween } from './rows.ts'

/** Creates the temporary table that hides the revenue rollups. */
export const createCutDayTables = (db: Db): void => {
  db.exec(cutDayTables)
}

/** Derives the revenue rollups of the counted orders between two times (in seconds) into the temporary table. */
export const deriveCutDay = (db: Db, zone: Zone, { start, end }: { start: number; end: number }): void => {
  run(db, clearPeriodsQuery, {})
  const counted = new Set(countedStatuses(db))
  const rollups = createRollups(db, createLabels(db))
  for (const order of listBetween(db, start, end))
    if (counted.has(order.status)) rollups.add(effectsOf(order, zone.dayOf), order.currency)
  rollups.write()
}

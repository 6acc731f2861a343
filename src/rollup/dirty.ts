import * as v from 'valibot'
import { query, run, type Db } from '../database/query.ts'
import addDirtyDay from '../sql/dirty-day.add.sql'
import type { Day } from '../time.ts'

const addQuery = query(addDirtyDay, v.object({ day: v.number() }), v.object({}))

/** Notes, in the same transaction as the change, that a day's rollups are behind its raw rows. */
export const markDirty = (db: Db, day: Day): void => {
  run(db, addQuery, { day })
}

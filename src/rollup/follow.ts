import type { Db } from '../database/query.ts'
import type { Day, Zone } from '../time.ts'
import type { Changes } from './changes.ts'
import { createKeeper } from './keep.ts'
import { sumMonths } from './months.ts'
import { rawFrom } from './raw-from.ts'
import { dirtyDays, rebuildDay, settleDay } from './rebuild.ts'

/**
 * Brings the rollups up to the raw rows. The day under way takes in the changes alone, and stays marked until it is over
 * or `last` says that nothing more will come; other days that have changed are derived from all of their rows.
 */
export type Follower = (today: Day, changes: Changes, last: boolean) => number

export const createFollower = (db: Db, zone: Zone): Follower => {
  const keeper = createKeeper(db, zone)
  let summed = false

  return (today, changes, last) => {
    const days = dirtyDays(db)
    const complete = rawFrom(db)
    let past = 0
    for (const dirty of days) {
      const isToday = dirty.day === today
      if (dirty.day < complete) settleDay(db, dirty)
      else if (isToday) keeper.refresh(today, changes)
      else rebuildDay(db, zone, dirty.day)
      if (!isToday || last) settleDay(db, dirty)
      if (!isToday) past += 1
    }
    if (past > 0 || !summed) sumMonths(db, today)
    summed = true
    return days.length
  }
}

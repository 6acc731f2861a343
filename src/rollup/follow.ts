import type { Db } from '../database/query.ts'
import type { Day, Zone } from '../lib/time.ts'
import type { Changes } from './changes.ts'
import { dirtyDays, clearDirtyDay } from './dirty.ts'
import { createIncrementalRollup } from './incremental.ts'
import { sumPeriods } from './periods.ts'
import { packDays } from './packed-day.ts'
import { rawFrom } from './raw-from.ts'
import { rebuildDay } from './rebuild.ts'

/** How many days were brought up to date, how many are still behind, and whether days that are over wait to be packed. */
export type Followed = { done: number; left: number; unpacked: boolean }

/**
 * Brings the rollups up to the raw rows. The day under way comes first; it takes in the changes alone, and stays marked
 * until it is over or `last` says that nothing more will come. Other days that have changed are derived from all of
 * their rows, as many as a moment allows.
 */
export type Follower = (today: Day, changes: Changes, last: boolean) => Followed

/** Milliseconds after which further days wait for the next time, so that today's figures never wait for a year's. */
const moment = 500

export const createFollower = (db: Db, zone: Zone): Follower => {
  const keeper = createIncrementalRollup(db, zone)
  let unfinished = true

  return (today, changes, last) => {
    const started = performance.now()
    const days = dirtyDays(db)
    const complete = rawFrom(db)
    const under = days.find(({ day }) => day === today)
    if (under !== undefined) keeper.refresh(today, changes)
    if (under !== undefined && last) clearDirtyDay(db, under)
    const past = days.filter(dirty => dirty !== under)
    let done = 0
    for (const dirty of past) {
      if (done > 0 && performance.now() - started > moment) break
      if (dirty.day >= complete) rebuildDay(db, zone, dirty.day)
      clearDirtyDay(db, dirty)
      done += 1
    }
    unfinished ||= done > 0
    if (unfinished && done === past.length) {
      sumPeriods(db, today)
      unfinished = packDays(db, zone, today, () => performance.now() - started > moment)
    }
    return { done: done + (under === undefined ? 0 : 1), left: past.length - done, unpacked: unfinished }
  }
}

import type { Db } from '../database/query.ts'
import type { Day, Zone } from '../lib/time.ts'
import { packDays } from '../packed/packed-days.ts'
import { type Changes, clearDirtyDay, dirtyDays } from '../rollup/changes.ts'
import { createIncrementalRollup } from '../rollup/incremental.ts'
import { sumPeriods } from '../rollup/periods.ts'
import { rawFrom } from '../rollup/raw-from.ts'
import { rebuildDay } from '../rollup/rebuild.ts'

/** How many days were updated, how many are still out of date, and whether past days remain to be packed. */
export type Followed = { done: number; left: number; unpacked: boolean }

/**
 * Updates the rollups from the raw rows. Today comes first: only the changes are applied to it, and it stays dirty
 * until it is over or until the last call (`last`). Other dirty days are recalculated from all of their rows, as many
 * as the time budget allows.
 */
export type Follower = (today: Day, changes: Changes, last: boolean) => Followed

/** Milliseconds after which further days are left for the next call, so that a long backlog never delays today. */
const timeBudget = 500

export const createFollower = (db: Db, zone: Zone): Follower => {
  const incremental = createIncrementalRollup(db, zone)
  let unfinished = true

  return (today, changes, last) => {
    const started = performance.now()
    const isOutOfTime = (): boolean => performance.now() - started > timeBudget
    const days = dirtyDays(db)
    const complete = rawFrom(db)
    const current = days.find(({ day }) => day === today)
    // Changes are applied incrementally to today only, so the baseline is stale once today has none.
    if (current === undefined) incremental.forget()
    else incremental.refresh(today, changes)
    if (current !== undefined && last) clearDirtyDay(db, current)
    const past = days.filter(dirty => dirty !== current)
    let done = 0
    for (const dirty of past) {
      if (done > 0 && isOutOfTime()) break
      if (dirty.day >= complete) rebuildDay(db, zone, dirty.day)
      clearDirtyDay(db, dirty)
      done += 1
    }
    unfinished ||= done > 0
    if (unfinished && done === past.length) {
      sumPeriods(db, today)
      unfinished = packDays(db, zone, today, isOutOfTime)
    }
    return { done: done + (current === undefined ? 0 : 1), left: past.length - done, unpacked: unfinished }
  }
}

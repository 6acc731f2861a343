import * as v from 'valibot'
import { firstViewId } from '../view-id.ts'
import { all, query, run, type Db } from '../database/query.ts'
import listDirtyDays from '../sql/dirty-day.list.sql'
import removeDirtyDay from '../sql/dirty-day.remove.sql'
import clearPageDay from '../sql/rollup.clear-page-day.sql'
import clearSiteDay from '../sql/rollup.clear-site-day.sql'
import clearTitleDay from '../sql/rollup.clear-title-day.sql'
import pageDay from '../sql/rollup.page-day.sql'
import pageTitles from '../sql/rollup.page-titles.sql'
import siteDay from '../sql/rollup.site-day.sql'
import titleDay from '../sql/rollup.title-day.sql'
import { addDays, type Day, type Zone } from '../time.ts'

const nothing = v.object({})
const day = v.object({ day: v.number() })
const ids = { day: v.number(), first_view_id: v.number(), next_view_id: v.number() }
const span = v.object({ ...ids, start: v.number(), end: v.number() })

const clears = [query(clearSiteDay, day, nothing), query(clearPageDay, day, nothing), query(clearTitleDay, day, nothing)]
const siteDayQuery = query(siteDay, span, nothing)
const pageDayQuery = query(pageDay, span, nothing)
const titleDayQuery = query(titleDay, v.object(ids), nothing)
const titlesQuery = query(pageTitles, day, nothing)
const listQuery = query(listDirtyDays, nothing, day)
const removeQuery = query(removeDirtyDay, day, nothing)

/** Derives a day's rollups from its raw rows, in one transaction: the same rows always give the same rollups. */
export const rebuildDay = (db: Db, zone: Zone, of: Day): void => {
  const start = zone.startOf(of)
  const end = zone.startOf(addDays(of, 1))
  db.transaction(() => {
    const views = { day: of, first_view_id: firstViewId(start), next_view_id: firstViewId(end) }
    for (const clear of clears) run(db, clear, { day: of })
    run(db, siteDayQuery, { ...views, start, end })
    run(db, pageDayQuery, { ...views, start, end })
    run(db, titleDayQuery, views)
    run(db, titlesQuery, { day: of })
    run(db, removeQuery, { day: of })
  }).immediate()
}

/** Brings the rollups of all days that have changed up to their raw rows. */
export const rebuildDirtyDays = (db: Db, zone: Zone): Day[] => {
  const days = all(db, listQuery, {}).map(row => row.day)
  for (const one of days) rebuildDay(db, zone, one)
  return days
}

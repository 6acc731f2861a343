import * as v from 'valibot'
import { all, query, type Db, type Query } from '../database/query.ts'
import { valuesFor } from '../rollup/derive.ts'
import { packedDayQuery, readPackedDay } from '../rollup/packed-day.ts'
import { sessionColumns, type PackedDay, type SessionColumn } from '../rollup/packed-format.ts'
import askedFilters from '../sql/segment.asked.sql'
import chosenNumbers from '../sql/segment.chosen.sql'
import addHour from '../sql/segment.packed-hour.add.sql'
import addPage from '../sql/segment.packed-page.add.sql'
import addSite from '../sql/segment.packed-site.add.sql'
import addVisit from '../sql/segment.packed-visit.add.sql'
import placeVisits from '../sql/segment.packed-visits.sql'
import type { Day } from '../time.ts'
import { createSums, type Breakdown, type DaySums, type PeriodSums, type Wanted } from './packed-sums.ts'
import type { Range } from './range.ts'
import type { Run } from './segment-filters.ts'
import type { Segment } from './segment.ts'
import type { Tracer } from './trace.ts'

type Statement = { sql: string, params: object }

const count = v.number()
const nothing = v.object({})
const nullable = v.nullable(count)
const named = <Name extends string>(...names: Name[]) => Object.fromEntries(names.map(name => [name, count])) as Record<Name, typeof count>

const askedQuery = query(askedFilters, nothing, v.object({ filter: v.string(), wanted: count }))
const chosenQuery = query(chosenNumbers, nothing, v.object({ filter: v.string(), id: count }))
const traffic = named('visitors', 'sessions', 'views', 'bounces', 'seconds')
const siteQuery = query(addSite, v.object({ day: count, ...traffic }), nothing)
const hourQuery = query(addHour, v.object({ day: count, hour: count, ...traffic }), nothing)
const pageQuery = query(addPage, v.object({
  period: count, page_id: count,
  ...named('visitors', 'sessions', 'views', 'entries', 'entry_visitors', 'exits', 'exit_visitors', 'bounces', 'seconds', 'timed_views', 'scroll_sum', 'scroll_views'),
}), nothing)
const visitQuery = query(addVisit, v.object({
  breakdown: v.string(), id: nullable, ...named('visitors', 'sessions', 'views', 'bounces'), visitor_id: nullable, session_id: nullable, ...named('began', 'bounced'),
}), nothing)

const breakdowns: readonly Breakdown[] = ['client', 'place', 'origin', 'campaign', 'screen', 'language', 'timezone']

/** Rollups that can be derived of packed days, and what else statements may read of the selected visits. */
const packable = ['site_day', 'hour_day', 'page_rollup', 'source_rollup', 'dimension_rollup', 'utm_rollup']
const others = /\b(title_day|funnel_day|event\w*)\b/
const byPeriod = /\b(page_rollup|source_rollup|dimension_rollup|utm_rollup)\b/

const mentions = ({ sql }: Statement, name: string): boolean => new RegExp(`\\b${name}\\b`).test(sql)

/** Whether packed days say all that a report needs: they hold no events, and of a session no views of other days. */
const isPackable = (statements: readonly Statement[], filters: Segment): boolean =>
  filters.page === undefined && filters.event === undefined
  && statements.every(statement => !others.test(statement.sql) && packable.some(name => mentions(statement, name)))

/** What a session must have: `accepts` is 1 at the numbers that the filter names. */
type Condition = { column: SessionColumn, accepts: Uint8Array, wanted: number }

const conditionsOf = (db: Db): Condition[] => {
  const chosen = all(db, chosenQuery, {})
  return all(db, askedQuery, {}).flatMap(({ filter, wanted }) => {
    const column = sessionColumns.find(name => name === filter)
    if (column === undefined) throw new Error(`no session has ${filter}`)
    const ids = chosen.filter(one => one.filter === filter).map(({ id }) => id)
    const accepts = new Uint8Array(ids.reduce((most, id) => Math.max(most, id + 1), 0))
    for (const id of ids) accepts[id] = 1
    return { column, accepts, wanted }
  })
}

/** 1 for each session that fits. */
const choose = ({ sessions }: PackedDay, conditions: readonly Condition[]): Uint8Array => {
  const chosen = new Uint8Array(sessions.count).fill(1)
  for (const { column, accepts, wanted } of conditions) {
    const values = sessions[column]
    for (let index = 0; index < values.length; index++) if ((accepts[values[index] ?? 0] ?? 0) !== wanted) chosen[index] = 0
  }
  return chosen
}

const wantedOf = (statements: readonly Statement[], fills: readonly Query[]): Wanted => ({
  site: statements.some(statement => mentions(statement, 'site_day')),
  hours: statements.some(statement => mentions(statement, 'hour_day')),
  pages: statements.some(statement => mentions(statement, 'page_rollup')),
  breakdowns: breakdowns.filter(name => fills.some(({ sql }) => new RegExp(`\\bfrom visit_${name}\\b`).test(sql))),
})

/** Where statements ask by period alone, the days of the range make one: its rows are added up once, not day by day. */
const periodsOf = (statements: readonly Statement[], { from, to }: Range): ((day: Day) => Day) => {
  const daily = statements.some(({ sql }) => byPeriod.test(sql) && !/\btemp\.period\b/.test(sql))
  let first: Day | null = null
  return day => daily || day < from || day > to ? day : first ??= day
}

/**
 * Derives what the statements read from those days that are packed.
 * @param fills the statements that make it of rows, of which those of breakdowns serve here as well
 * @returns the days that have to be derived from rows
 */
export const derivePacked = (db: Db, days: readonly Day[], asked: {
  statements: readonly Statement[], fills: readonly Query[], filters: Segment, range: Range, run: Run, trace: Tracer
}): Day[] => {
  const { statements, fills, filters, range, run, trace } = asked
  if (!isPackable(statements, filters)) return [...days]
  const conditions = conditionsOf(db)
  const wanted = wantedOf(statements, fills)
  const periodOf = periodsOf(statements, range)
  const periods = new Map<Day, PeriodSums>()
  const sums: { day: Day, found: DaySums }[] = []
  const left: Day[] = []
  for (const day of days) {
    trace(db, { sql: packedDayQuery.sql, params: { day } }, () => {
      const packed = readPackedDay(db, day)
      if (packed === null) {
        left.push(day)
        return 0
      }
      const period = periodOf(day)
      const into = periods.get(period) ?? createSums(wanted)
      periods.set(period, into)
      sums.push({ day, found: into.add(packed, choose(packed, conditions)) })
      return 1
    }, true)
  }
  for (const { day, found: { site, hours } } of sums) {
    if (wanted.site && site !== null) run(siteQuery, { day, ...site })
    for (const [hour, of] of hours) run(hourQuery, { day, hour, ...of })
  }
  const grouped = fills.filter(({ sql }) => /\bfrom visit_/.test(sql))
  for (const [period, into] of periods) {
    for (const [page_id, page] of into.pages) run(pageQuery, { period, page_id, ...page })
    if (grouped.length === 0) continue
    for (const [breakdown, visit] of into.visits()) run(visitQuery, { breakdown, ...visit })
    db.exec(placeVisits)
    for (const fill of grouped) run(fill, valuesFor(fill, { day: period, start: 0, end: 0, first_view_id: 0, next_view_id: 0 }, 1))
  }
  return left
}

// Derives the rollups of a segment report from packed days.
import * as v from 'valibot'
import { type Db, type Query, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { Run } from '../database/trace.ts'
import type { Day } from '../lib/time.ts'
import { valuesFor } from '../rollup/derive.ts'
import { loadPackedVisits, visitGroups, visitTable } from '../rollup/statements.ts'
import { hostQuery, rollupTables } from '../rollup/tables.ts'
import sqlText from '../sql/packed-rollups.sql'
import type { PageHosts, UseDay } from './select.ts'
import { createPeriodSums, type DayTraffic, type NeededSums, type PeriodSums } from './sums.ts'

const sql = statements(sqlText)

const count = v.number()
const nullable = v.nullable(count)
const counts = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map(name => [name, count])) as Record<Name, typeof count>

const traffic = counts('visitors', 'sessions', 'views', 'bounces', 'seconds')
const siteQuery = query(sql('segment.packed-site.add'), v.object({ day: count, ...traffic }))
const hourQuery = query(sql('segment.packed-hour.add'), v.object({ day: count, hour: count, ...traffic }))
const pageQuery = query(
  sql('segment.packed-page.add'),
  v.object({
    period: count,
    page_id: count,
    ...traffic,
    ...counts('entries', 'entry_visitors', 'exits', 'exit_visitors', 'timed_views', 'scroll_sum', 'scroll_views'),
  }),
)
const visitQuery = query(
  sql('segment.packed-visit.add'),
  v.object({
    breakdown: v.string(),
    id: nullable,
    ...counts('visitors', 'sessions', 'views', 'bounces'),
    visitor_id: nullable,
    session_id: nullable,
    ...counts('began', 'bounced'),
  }),
)

const hostRowQuery = query(
  sql('segment.packed-host.add'),
  v.object({ period: count, host: count, ...counts('visitors', 'sessions', 'views', 'bounces') }),
)

const loadVisits = [...visitGroups.map(loadPackedVisits), 'delete from temp.packed_visit;'].join('\n')

/** Rollups that can be derived from packed days, which hold neither titles nor properties and values of events. */
const packable = ['site_day', 'hour_day', 'page_rollup', 'source_rollup', 'dimension_rollup', 'utm_rollup']
const withPeriods = rollupTables.filter(({ longer }) => longer).map(({ name }) => name)

/** A statement with the rollups that it reads. */
type Statement = { reads: readonly string[] }

const rollupsRead = ({ reads }: Statement): string[] => reads.filter(name => name !== 'period')

/** Whether packed days hold everything that a report needs. */
const isPackable = (statements: readonly Statement[]): boolean =>
  statements.every(statement => {
    const rollups = rollupsRead(statement)
    return rollups.length > 0 && rollups.every(name => packable.includes(name))
  })

const neededSums = (
  statements: readonly Statement[],
  fills: readonly Query[],
  pageHosts: () => PageHosts,
): NeededSums => {
  const isRead = (name: string): boolean => statements.some(({ reads }) => reads.includes(name))
  return {
    hours: isRead('hour_day'),
    pages: isRead('page_rollup'),
    hosts: fills.includes(hostQuery) ? pageHosts() : null,
    breakdowns: visitGroups.filter(column => fills.some(({ reads }) => reads.includes(visitTable(column)))),
  }
}

/**
 * If all statements read by period, the days of the range are treated as one period, so that rows are summed once
 * instead of day by day.
 */
const choosePeriods = (statements: readonly Statement[], { from, to }: RollupRequest['range']): ((day: Day) => Day) => {
  const isDaily = statements.some(
    ({ reads }) => !reads.includes('period') && reads.some(name => withPeriods.includes(name)),
  )
  let first: Day | null = null
  return day => (isDaily || day < from || day > to ? day : (first ??= day))
}

export type RollupRequest = {
  statements: readonly Statement[]
  /** The statements that derive the same rollups from rows; those of breakdowns are used here as well. */
  fills: readonly Query[]
  range: { from: Day; to: Day }
  run: Run
}

/** Where the packed days come from. */
type Source = { read: (day: Day, use: UseDay) => boolean; pageHosts: () => PageHosts }

type PackedResult = { traffic: [Day, DayTraffic][]; periods: Map<Day, PeriodSums>; unpacked: Day[] }

const sumDays = (
  days: readonly Day[],
  { statements, fills, range }: RollupRequest,
  { read, pageHosts }: Source,
): PackedResult => {
  const needed = neededSums(statements, fills, pageHosts)
  const periodOf = choosePeriods(statements, range)
  const result: PackedResult = { traffic: [], periods: new Map(), unpacked: [] }
  for (const day of days) {
    const isPacked = read(day, (packed, selection) => {
      const period = periodOf(day)
      const sums = result.periods.get(period) ?? createPeriodSums(needed)
      result.periods.set(period, sums)
      result.traffic.push([day, sums.add(packed, selection)])
    })
    if (!isPacked) result.unpacked.push(day)
  }
  return result
}

const writePeriod = (db: Db, period: Day, sums: PeriodSums, { fills, run }: RollupRequest): void => {
  for (const [page_id, page] of sums.pages) run(pageQuery, { period, page_id, ...page })
  for (const [host, figures] of sums.hosts) run(hostRowQuery, { period, host, ...figures })
  const ofVisits = fills.filter(({ reads }) => visitGroups.some(column => reads.includes(visitTable(column))))
  if (ofVisits.length === 0) return
  for (const [breakdown, visit] of sums.visits()) run(visitQuery, { breakdown, ...visit })
  db.exec(loadVisits)
  for (const fill of ofVisits) run(fill, valuesFor(fill, { day: period }, 1))
}

/**
 * Derives the rollups that the statements read, for the packed days only.
 * @returns the days that must be derived from rows
 */
export const deriveRollups = (db: Db, days: readonly Day[], request: RollupRequest, source: Source): Day[] => {
  const { statements, run } = request
  if (!isPackable(statements)) return [...days]
  const { traffic, periods, unpacked } = sumDays(days, request, source)
  const needsSite = statements.some(({ reads }) => reads.includes('site_day'))
  for (const [day, { site, hours }] of traffic) {
    if (needsSite && site !== null) run(siteQuery, { day, ...site })
    for (const [hour, ofHour] of hours) run(hourQuery, { day, hour, ...ofHour })
  }
  for (const [period, sums] of periods) writePeriod(db, period, sums, request)
  return unpacked
}

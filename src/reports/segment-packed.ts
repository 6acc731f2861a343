import * as v from 'valibot'
import { all, query, type Db, type Query } from '../database/query.ts'
import { valuesFor } from '../rollup/derive.ts'
import { packedDayQuery, usePackedDay } from '../rollup/packed-day.ts'
import { sessionColumns, type Column, type PackedDay } from '../rollup/packed-format.ts'
import { loadPackedVisits, visitGroups } from '../rollup/statements.ts'
import askedFilters from '../sql/segment.asked.sql'
import chosenNumbers from '../sql/segment.chosen.sql'
import addHour from '../sql/segment.packed-hour.add.sql'
import addPage from '../sql/segment.packed-page.add.sql'
import addSite from '../sql/segment.packed-site.add.sql'
import addVisit from '../sql/segment.packed-visit.add.sql'
import type { Day } from '../lib/time.ts'
import { createSums, type Breakdown, type PeriodSums, type Wanted } from './packed-sums.ts'
import type { Chosen, DaySums } from './packed-traffic.ts'
import type { Range } from './range.ts'
import type { Run } from './segment-filters.ts'
import type { Segment } from './segment.ts'
import type { Tracer } from './trace.ts'

type Statement = { sql: string; params: object }

const count = v.number()
const nothing = v.object({})
const nullable = v.nullable(count)
const named = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map(name => [name, count])) as Record<Name, typeof count>

const askedQuery = query(askedFilters, nothing, v.object({ filter: v.string(), wanted: count }))
const chosenQuery = query(chosenNumbers, nothing, v.object({ filter: v.string(), id: count }))
const traffic = named('visitors', 'sessions', 'views', 'bounces', 'seconds')
const siteQuery = query(addSite, v.object({ day: count, ...traffic }), nothing)
const hourQuery = query(addHour, v.object({ day: count, hour: count, ...traffic }), nothing)
const pageQuery = query(
  addPage,
  v.object({
    period: count,
    page_id: count,
    ...named(
      'visitors',
      'sessions',
      'views',
      'entries',
      'entry_visitors',
      'exits',
      'exit_visitors',
      'bounces',
      'seconds',
      'timed_views',
      'scroll_sum',
      'scroll_views',
    ),
  }),
  nothing,
)
const visitQuery = query(
  addVisit,
  v.object({
    breakdown: v.string(),
    id: nullable,
    ...named('visitors', 'sessions', 'views', 'bounces'),
    visitor_id: nullable,
    session_id: nullable,
    ...named('began', 'bounced'),
  }),
  nothing,
)

const loadVisits = [...visitGroups.map(loadPackedVisits), 'delete from temp.packed_visit;'].join('\n')
const breakdowns: readonly Breakdown[] = ['client', 'place', 'origin', 'campaign', 'screen', 'language', 'timezone']

/** Rollups that can be derived of packed days, and what else statements may read of the selected visits. */
const packable = ['site_day', 'hour_day', 'page_rollup', 'source_rollup', 'dimension_rollup', 'utm_rollup']
const others = /\b(title_day|funnel_day|event\w*)\b/
const byPeriod = /\b(page_rollup|source_rollup|dimension_rollup|utm_rollup)\b/

const mentions = ({ sql }: Statement, name: string): boolean => new RegExp(`\\b${name}\\b`).test(sql)

/** Whether packed days say all that a report needs: they hold no events. */
const isPackable = (statements: readonly Statement[], filters: Segment): boolean =>
  filters.event === undefined &&
  statements.every(statement => !others.test(statement.sql) && packable.some(name => mentions(statement, name)))

/** `accepts` is 1 at the numbers that a filter names; what fits is what has a number of them, or none if not `wanted`. */
type Condition = { filter: string; accepts: Uint8Array; wanted: number }

const conditionsOf = (db: Db): Condition[] => {
  const chosen = all(db, chosenQuery, {})
  return all(db, askedQuery, {}).map(({ filter, wanted }) => {
    const ids = chosen.filter(one => one.filter === filter).map(({ id }) => id)
    const accepts = new Uint8Array(ids.reduce((most, id) => Math.max(most, id + 1), 0))
    for (const id of ids) accepts[id] = 1
    return { filter, accepts, wanted }
  })
}

/** 1 for each of some values that fits. */
const fitting = ({ accepts, wanted }: Condition, values: Column): Uint8Array => {
  const fits = new Uint8Array(values.length)
  for (let index = 0; index < values.length; index++) if ((accepts[values[index] ?? 0] ?? 0) === wanted) fits[index] = 1
  return fits
}

/** 1 for each session that has one of the chosen views. */
const having = (
  count: number,
  session: Column,
  views: Uint8Array,
  into: Uint8Array = new Uint8Array(count),
): Uint8Array => {
  for (let index = 0; index < views.length; index++) if (views[index] === 1) into[session[index] ?? 0] = 1
  return into
}

// Plain loops: what arrays have for this takes ten times as long.
/** Takes out of some marks those that others lack. */
const keep = (marks: Uint8Array, others: Uint8Array): void => {
  for (let index = 0; index < marks.length; index++) if (others[index] === 0) marks[index] = 0
}

/** Session filters choose sessions with all their views; that of pages chooses views, and the sessions that have one, whenever that was. */
const choose = ({ sessions, views, elsewhere }: PackedDay, conditions: readonly Condition[]): Chosen => {
  const chosen = new Uint8Array(sessions.count).fill(1)
  let viewed: Uint8Array | null = null
  for (const condition of conditions) {
    if (condition.filter === 'page') {
      viewed = fitting(condition, views.page)
      keep(
        chosen,
        having(
          sessions.count,
          elsewhere.session,
          fitting(condition, elsewhere.page),
          having(sessions.count, views.session, viewed),
        ),
      )
      continue
    }
    const column = sessionColumns.find(name => name === condition.filter)
    if (column === undefined) throw new Error(`no session has ${condition.filter}`)
    keep(chosen, fitting(condition, sessions[column]))
  }
  return { sessions: chosen, views: viewed }
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
  return day => (daily || day < from || day > to ? day : (first ??= day))
}

/**
 * Derives what the statements read from those days that are packed.
 * @param fills the statements that make it of rows, of which those of breakdowns serve here as well
 * @returns the days that have to be derived from rows
 */
export const derivePacked = (
  db: Db,
  days: readonly Day[],
  asked: {
    statements: readonly Statement[]
    fills: readonly Query[]
    filters: Segment
    range: Range
    run: Run
    trace: Tracer
  },
): Day[] => {
  const { statements, fills, filters, range, run, trace } = asked
  if (!isPackable(statements, filters)) return [...days]
  const conditions = conditionsOf(db)
  const wanted = wantedOf(statements, fills)
  const periodOf = periodsOf(statements, range)
  const periods = new Map<Day, PeriodSums>()
  const sums: { day: Day; found: DaySums }[] = []
  const left: Day[] = []
  for (const day of days) {
    trace(
      db,
      { sql: packedDayQuery.sql, params: { day } },
      () => {
        const found = usePackedDay(db, day, packed => {
          const period = periodOf(day)
          const into = periods.get(period) ?? createSums(wanted)
          periods.set(period, into)
          sums.push({ day, found: into.add(packed, choose(packed, conditions)) })
        })
        if (!found) left.push(day)
        return found ? 1 : 0
      },
      true,
    )
  }
  for (const {
    day,
    found: { site, hours },
  } of sums) {
    if (wanted.site && site !== null) run(siteQuery, { day, ...site })
    for (const [hour, of] of hours) run(hourQuery, { day, hour, ...of })
  }
  const grouped = fills.filter(({ sql }) => /\bfrom visit_/.test(sql))
  for (const [period, into] of periods) {
    for (const [page_id, page] of into.pages) run(pageQuery, { period, page_id, ...page })
    if (grouped.length === 0) continue
    for (const [breakdown, visit] of into.visits()) run(visitQuery, { breakdown, ...visit })
    db.exec(loadVisits)
    for (const fill of grouped)
      run(fill, valuesFor(fill, { day: period, start: 0, end: 0, first_view_id: 0, next_view_id: 0 }, 1))
  }
  return left
}

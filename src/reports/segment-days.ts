import * as v from 'valibot'
import { query, type Db, type Query } from '../database/query.ts'
import { spanOf, valuesFor } from '../rollup/derive.ts'
import { rollupTables, spanQuery, visitGroupQueries, visits, type Span } from '../rollup/tables.ts'
import byEvent from '../sql/segment.by-event.sql'
import byPage from '../sql/segment.by-page.sql'
import clearDay from '../sql/segment.clear-day.sql'
import fillEvents from '../sql/segment.day-event.fill.sql'
import fillSessions from '../sql/segment.day-session.fill.sql'
import fillViews from '../sql/segment.day-view.fill.sql'
import earlierSessions from '../sql/segment.earlier-sessions.sql'
import endedSessions from '../sql/segment.ended-sessions.sql'
import { eachDay, type Day, type Zone } from '../lib/time.ts'
import { firstViewId } from '../database/view-id.ts'
import type { Range } from './range.ts'
import type { Run } from './segment-filters.ts'
import type { Segment } from './segment.ts'

type Statement = { sql: string; params: object }

const nothing = v.object({})
const start = v.object({ start: v.number() })
const since = v.object({ since: v.number() })
const sessionsQuery = spanQuery(fillSessions)
const earlierQuery = query(earlierSessions, start, nothing)
const endedQuery = query(endedSessions, start, nothing)
const byEventQuery = query(byEvent, since, nothing)
const byPageQuery = query(byPage, since, nothing)
const viewsQuery = spanQuery(fillViews)
const eventsQuery = spanQuery(fillEvents)

const parameterOf = (params: object, name: string): unknown => Object.entries(params).find(([key]) => key === name)?.[1]

/** What must be derived so that a statement finds its rows; of dimensions and groupings only the one it asks for. */
const fillsOfOne = ({ sql, params }: Statement): readonly Query[] =>
  rollupTables
    .filter(({ name }) => new RegExp(`\\b${name}\\b`).test(sql))
    .flatMap(({ fills, kinds }) => {
      const index = kinds?.values.indexOf(String(parameterOf(params, kinds.column))) ?? -1
      return index < 0 ? fills : fills.slice(index, index + 1)
    })

/** A report's statement that it has no use for this time is given days that there are not. */
export const readsDays = ({ params }: Statement): boolean => parameterOf(params, 'to') !== 0

export const fillsOf = (statements: readonly Statement[]): readonly Query[] => [
  ...new Set(statements.flatMap(fillsOfOne)),
]

const readsVisits = /\bfrom visit_/
const readsEvents = /\bfrom event\b/

/** The ranges that a report is about: its own, and those that statements are given besides. */
export const rangesOf = (range: Range, statements: readonly Statement[]): Range[] =>
  [
    range,
    ...statements.map(({ params }) => ({
      from: Number(parameterOf(params, 'from') ?? 0),
      to: Number(parameterOf(params, 'to') ?? 0),
    })),
  ].filter(({ from }) => from > 0)

/** All days of some ranges that can have rows, each once and in order. */
export const daysOf = (ranges: readonly Range[], rows: readonly Day[]): Day[] => {
  const [first = Infinity, last = 0] = [rows[0], rows.at(-1)]
  const days = ranges.flatMap(({ from, to }) =>
    from > last || to < first ? [] : eachDay(Math.max(from, first), Math.min(to, last)),
  )
  return [...new Set(days)].sort((a, b) => a - b)
}

/** Of the sessions since a second, those go that do not hold what is asked for. */
const sift = (filters: Segment, second: number, run: Run): void => {
  if (filters.event !== undefined) run(byEventQuery, { since: second })
  if (filters.page !== undefined) run(byPageQuery, { since: second })
}

/** Brings in the sessions of the next day; for the first of several days also those that were under way. */
const nextSessions = (filters: Segment, span: Span, goesOn: boolean, run: Run): void => {
  run(endedQuery, { start: goesOn ? span.start : Number.MAX_SAFE_INTEGER })
  if (!goesOn) {
    run(earlierQuery, { start: span.start })
    sift(filters, 0, run)
  }
  run(sessionsQuery, valuesFor(sessionsQuery, span, 1))
  sift(filters, span.start, run)
}

/** A day, or its part before a time on the clock (in seconds), also where the clock is changed before it. */
export const spanUntil = (zone: Zone, day: Day, until: number | null): Span => {
  const span = spanOf(zone, day)
  if (until === null) return span
  const hoursOff = Math.floor(until / 3600) - zone.hourOf(span.start + until)
  const end = Math.max(span.start, Math.min(span.end, span.start + until + hoursOff * 3600))
  return { ...span, end, next_view_id: firstViewId(end) }
}

/**
 * Derives what a report reads from the selected rows alone, by the very statements of the rollups, and day by day:
 * never more than one day's rows are held.
 */
export const deriveDays = (
  db: Db,
  fills: readonly Query[],
  filters: Segment,
  spans: readonly Span[],
  run: Run,
): void => {
  const read = (what: RegExp): boolean => fills.some(({ sql }) => what.test(sql))
  const groups = visitGroupQueries.filter(({ table }) => fills.some(({ reads }) => reads.includes(table)))
  const needed = [
    viewsQuery,
    ...(read(readsEvents) ? [eventsQuery] : []),
    ...(read(readsVisits) ? visits : []),
    ...groups.map(group => group.query),
    ...fills,
  ]
  spans.forEach((span, index) => {
    db.exec(clearDay)
    nextSessions(filters, span, spans[index - 1]?.end === span.start, run)
    for (const fill of needed) run(fill, valuesFor(fill, span, 1))
  })
}

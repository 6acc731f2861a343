import * as v from 'valibot'
import { type Db, type Query, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { Run } from '../database/trace.ts'
import { firstViewId } from '../database/view-id.ts'
import { type Day, eachDay, type Zone } from '../lib/time.ts'
import { spanOf, valuesFor } from '../rollup/derive.ts'
import { clearVisitTable, visitGroups } from '../rollup/statements.ts'
import { rollupTables, type Span, spanQuery, visitGroupQueries, visits } from '../rollup/tables.ts'
import sqlText from '../sql/segment-days.sql'
import type { ReportStatement, SegmentNumbers } from './messages.ts'
import type { Range } from './range.ts'
import { removeByEvents } from './segment-filters.ts'

const sql = statements(sqlText)

/** Clears the rows of the previous day. */
export const clearTables = [sql('segment.clear-day'), ...visitGroups.map(clearVisitTable)].join('\n')
const start = v.object({ start: v.number() })
const since = v.object({ since: v.number() })
const sessionsQuery = spanQuery(sql('segment.day-session.fill'))
const earlierQuery = query(sql('segment.earlier-sessions'), start)
const endedQuery = query(sql('segment.ended-sessions'), start)
const byPageQuery = query(sql('segment.by-page'), since)
const viewsQuery = spanQuery(sql('segment.day-view.fill'))
const eventsQuery = spanQuery(sql('segment.day-event.fill'))
/** Derived for reports only; see segment.tables. */
const propertySessions = {
  name: 'property_session',
  fills: [spanQuery(sql('segment.property-session.fill'), { reads: ['day_event'] })],
  kinds: undefined,
}

const parameterOf = (params: object, name: string): unknown => Object.entries(params).find(([key]) => key === name)?.[1]

/** What must be derived for a statement; of dimensions and groupings only the one that it selects. */
const fillsOfOne = ({ reads, params }: ReportStatement): readonly Query[] =>
  [...rollupTables, propertySessions]
    .filter(({ name }) => reads.includes(name))
    .flatMap(({ fills, kinds }) => {
      const index = kinds?.values.indexOf(String(parameterOf(params, kinds.column))) ?? -1
      return index < 0 ? fills : fills.slice(index, index + 1)
    })

/** False for a statement whose rows are not needed: it is bound to an empty range. */
export const readsDays = ({ params }: Pick<ReportStatement, 'params'>): boolean => parameterOf(params, 'to') !== 0

export const fillsOf = (statements: readonly ReportStatement[]): readonly Query[] => [
  ...new Set(statements.flatMap(fillsOfOne)),
]

/** The ranges that a report reads: its own, and those in the parameters of its statements. */
export const rangesOf = (range: Range, statements: readonly ReportStatement[]): Range[] =>
  [
    range,
    ...statements.map(({ params }) => ({
      from: Number(parameterOf(params, 'from') ?? 0),
      to: Number(parameterOf(params, 'to') ?? 0),
    })),
  ].filter(({ from }) => from > 0)

/** The distinct days of the ranges that can have rows, in order. */
export const daysOf = (ranges: readonly Range[], rows: readonly Day[]): Day[] => {
  const [first = Infinity, last = 0] = [rows[0], rows.at(-1)]
  const days = ranges.flatMap(({ from, to }) =>
    from > last || to < first ? [] : eachDay(Math.max(from, first), Math.min(to, last)),
  )
  return [...new Set(days)].sort((a, b) => a - b)
}

/** Removes the sessions since a time (in seconds) that lack the selected events or pages. */
const removeUnmatched = (filters: SegmentNumbers, since: number, run: Run): void => {
  removeByEvents(filters, since, run)
  if (filters.slots.page !== undefined) run(byPageQuery, { since })
}

/** Loads the sessions of the next day; for the first of several days also those active when it began. */
export const loadSessions = (filters: SegmentNumbers, span: Span, isConsecutive: boolean, run: Run): void => {
  run(endedQuery, { start: isConsecutive ? span.start : Number.MAX_SAFE_INTEGER })
  if (!isConsecutive) {
    run(earlierQuery, { start: span.start })
    removeUnmatched(filters, 0, run)
  }
  run(sessionsQuery, valuesFor(sessionsQuery, span, 1))
  removeUnmatched(filters, span.start, run)
}

/** Selects the sessions of a day, and of the first of consecutive days those under way when it began. */
export const selectDay = (db: Db, filters: SegmentNumbers, span: Span, isConsecutive: boolean, run: Run): void => {
  db.exec(clearTables)
  loadSessions(filters, span, isConsecutive, run)
}

/** A day, or its part from one time of day and before another (in seconds). */
export const spanWithin = (zone: Zone, day: Day, since: number | null, until: number | null): Span => {
  const span = spanOf(zone, day)
  const start = since === null ? span.start : zone.secondAt(day, since)
  const end = until === null ? span.end : zone.secondAt(day, until)
  return { ...span, start, end, first_view_id: firstViewId(start), next_view_id: firstViewId(end) }
}

/**
 * Derives the rollups that a report reads from the selected rows, with the same statements as for all visits. It
 * proceeds day by day, to hold at most one day's rows.
 */
export const deriveDays = (
  db: Db,
  fills: readonly Query[],
  filters: SegmentNumbers,
  spans: readonly Span[],
  run: Run,
): void => {
  const isRead = (name: string): boolean => fills.some(({ reads }) => reads.includes(name))
  const groups = visitGroupQueries.filter(({ table }) => isRead(table))
  const needed = [
    viewsQuery,
    ...(isRead('day_event') ? [eventsQuery] : []),
    ...(groups.length > 0 ? visits : []),
    ...groups.map(group => group.query),
    ...fills,
  ]
  spans.forEach((span, index) => {
    selectDay(db, filters, span, spans[index - 1]?.end === span.start, run)
    for (const fill of needed) run(fill, valuesFor(fill, span, 1))
  })
}

import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { invalidParam } from '../../http/errors.ts'
import { countSchema, dateSchema, ratioSchema, timeSchema } from '../../http/schemas.ts'
import { dayText, timeText, type Zone } from '../../lib/time.ts'
import sqlText from '../../sql/summary.sql'
import { requiredRange } from '../asked-range.ts'
import { compareSchema } from '../compare.ts'
import { leastVisits } from '../few.ts'
import { hoursMissingEntry, hoursQuery, missingHoursMeta, missingHoursQuery } from '../hours.ts'
import { buckets, hoursOf, type Interval, intervalEntry, isHourly, refuseLongHourly } from '../interval.ts'
import { change, fineMean, mean, ratio } from '../numbers.ts'
import { bindParameters } from '../pool.ts'
import type { Range } from '../range.ts'
import { report } from '../report.ts'
import { filterEntries, readSegment } from '../segment.ts'

const sql = statements(sqlText)

const sums = { visitors: v.number(), sessions: v.number(), views: v.number(), bounces: v.number(), seconds: v.number() }
const byDayQuery = query(
  sql('by-day'),
  v.object({ from: v.number(), to: v.number() }),
  v.object({ day: v.number(), ...sums }),
  { reads: ['site_day'] },
)

const metrics = {
  visitors: countSchema,
  sessions: countSchema,
  views: countSchema,
  bounces: countSchema,
  total_duration: countSchema,
  bounce_rate: ratioSchema,
  views_per_session: ratioSchema,
  avg_session_duration: v.nullable(countSchema),
}
const metricsSchema = v.object(metrics)
export type Metrics = v.InferOutput<typeof metricsSchema>
type DayRow = v.InferOutput<typeof byDayQuery.row>
type HourRow = v.InferOutput<typeof hoursQuery.row>
type Sums = Pick<DayRow, keyof typeof sums>

const total = (rows: readonly Sums[], key: keyof typeof sums): number => rows.reduce((sum, row) => sum + row[key], 0)

const toMetrics = (rows: readonly Sums[]): Metrics => {
  const sessions = total(rows, 'sessions')
  const views = total(rows, 'views')
  const bounces = total(rows, 'bounces')
  const seconds = total(rows, 'seconds')
  return {
    visitors: total(rows, 'visitors'),
    sessions,
    views,
    bounces,
    total_duration: seconds,
    bounce_rate: ratio(bounces, sessions),
    views_per_session: fineMean(views, sessions),
    avg_session_duration: mean(seconds, sessions),
  }
}

const changes = (current: Metrics, previous: Metrics) => ({
  visitors: change(current.visitors, previous.visitors),
  sessions: change(current.sessions, previous.sessions),
  views: change(current.views, previous.views),
  bounces: change(current.bounces, previous.bounces),
  total_duration: change(current.total_duration, previous.total_duration),
  bounce_rate: change(current.bounce_rate, previous.bounce_rate),
  views_per_session: change(current.views_per_session, previous.views_per_session),
  avg_session_duration: change(current.avg_session_duration, previous.avg_session_duration),
})

const noDays = { from: 0, to: 0 }

const daySeries = (rows: readonly DayRow[], range: Range, since: number | null, interval: Interval, zone: Zone) => {
  const byDay = new Map(rows.map(row => [row.day, row]))
  return buckets(range, interval, zone).map(({ first, days, partial }, index) => ({
    date: dayText(first),
    ...toMetrics(days.flatMap(day => byDay.get(day) ?? [])),
    ...((partial || (index === 0 && since !== null)) && { partial: true as const }),
  }))
}

/** `now` is the time of day. Of a range that begins at an hour, the last hour is the present one. */
const hourSeries = (rows: readonly HourRow[], range: Range, since: number | null, zone: Zone, now: number) => {
  const byHour = new Map(rows.map(row => [`${row.day} ${row.hour}`, row]))
  const [first, last] =
    since === null ? [-Infinity, Infinity] : [zone.secondAt(range.from, since), zone.secondAt(range.to, now)]
  return hoursOf(range, zone)
    .filter(({ second }) => second >= first && second <= last)
    .map(({ day, hour, second }) => ({
      time: timeText(second),
      ...toMetrics([byHour.get(`${day} ${hour}`) ?? []].flat()),
    }))
}

const seriesSchema = v.union([
  v.array(v.object({ date: dateSchema, ...metrics, partial: v.optional(v.literal(true)) })),
  v.array(v.object({ time: timeSchema, ...metrics })),
])
const dataSchema = v.object({
  totals: metricsSchema,
  series: seriesSchema,
  previous: v.optional(
    v.object({
      from: dateSchema,
      to: dateSchema,
      totals: metricsSchema,
      series: v.pipe(
        v.nullable(seriesSchema),
        v.description('Adds up to these totals, as its last day is cut as well. Null for more than 31 days by hour.'),
      ),
    }),
  ),
  change: v.optional(v.record(v.string(), ratioSchema)),
})
export type SummaryData = v.InferOutput<typeof dataSchema>

export const summary = report({
  path: '/summary',
  summary: 'Key metrics of a range, and their series',
  query: {
    ...requiredRange,
    interval: intervalEntry,
    compare: compareSchema,
    ...filterEntries,
  },
  segment: readSegment,
  meta: hoursMissingEntry,
  data: dataSchema,
  metrics: [
    'visitors',
    'sessions',
    'views',
    'bounces',
    'total_duration',
    'bounce_rate',
    'views_per_session',
    'avg_session_duration',
  ],
  run: async ({ query: { interval }, narrowed, range, since, read, comparison, of, context, now }) => {
    if (interval === 'hour') refuseLongHourly(range)
    const other = comparison?.range ?? range
    const byHour = interval === 'hour'
    const otherByHour = byHour && isHourly(other)
    const bind = (days: Range, hourly: boolean) =>
      [
        bindParameters(byDayQuery, days),
        bindParameters(hoursQuery, hourly ? days : noDays),
        bindParameters(missingHoursQuery, hourly ? days : noDays),
      ] as const
    const [[rows, hours, missing], before] = await Promise.all([
      read(bind(range, byHour)),
      Promise.all((comparison?.parts ?? []).map(part => of(part).read(bind(part.range, otherByHour)))),
    ])
    // Two filters of one hour with one visit each would say that both are true of it.
    const shown = <Row extends Sums>(found: readonly Row[]): readonly Row[] =>
      narrowed ? found.filter(({ sessions, visitors }) => Math.max(sessions, visitors) >= leastVisits) : found
    const seriesOf = (days: Range, cut: number | null, byDay: readonly DayRow[], hourly: readonly HourRow[]) =>
      byHour
        ? hourSeries(shown(hourly), days, cut, context.zone, context.zone.timeOf(now))
        : daySeries(shown(byDay), days, cut, interval, context.zone)
    const totals = toMetrics(rows)
    if (byHour && hours.length === 0 && missing.length > 0)
      throw invalidParam(
        'interval',
        'The hours of these days are not known: their sums were imported. Use interval=day.',
      )
    const meta = missingHoursMeta(missing)
    const series = seriesOf(range, since, rows, hours)
    if (comparison === null) return { data: { totals, series }, meta }
    const daysBefore = before.flatMap(([byDay]) => byDay)
    const hoursBefore = before.flatMap(([, hourly]) => hourly)
    const previous = {
      from: dayText(other.from),
      to: dayText(other.to),
      totals: toMetrics(daysBefore),
      series:
        byHour && !otherByHour ? null : seriesOf(other, comparison.parts[0]?.since ?? null, daysBefore, hoursBefore),
    }
    return { data: { totals, series, previous, change: changes(totals, previous.totals) }, meta }
  },
})

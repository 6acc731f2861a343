import * as v from 'valibot'
import { none, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { secondOf } from '../../database/view-id.ts'
import { ApiError } from '../../http/errors.ts'
import { countSchema, dateSchema, pagination, ratioSchema, timeSchema } from '../../http/schemas.ts'
import { dayText, eachDay, timeText } from '../../lib/time.ts'
import { rawFromQuery } from '../../rollup/raw-from.ts'
import sqlText from '../../sql/events.sql'
import { rangeEntries } from '../asked-range.ts'
import { countOf, countRow, pageColumns, rangeColumns } from '../breakdown.ts'
import { compareSchema } from '../compare.ts'
import { comparedFields } from '../compared-rows.ts'
import { few, withFewEvents } from '../few.ts'
import { change } from '../numbers.ts'
import { bindParameters } from '../pool.ts'
import { report } from '../report.ts'
import { filterEntries, readSegment } from '../segment.ts'

const sql = statements(sqlText)

const sums = { total: v.number(), visitors: v.number(), sessions: v.number(), value_sum: v.number() }
const named = { name: v.string() }
const topQuery = query(
  sql('top'),
  v.object(pageColumns),
  v.object({ name: v.string(), ...sums, last_event_id: v.number() }),
  { reads: ['event_rollup', 'period'] },
)
const countQuery = query(sql('count'), none, countRow, { reads: ['event_rollup', 'period'] })
const daysQuery = query(sql('days'), v.object({ ...rangeColumns, ...named }), v.object({ day: v.number(), ...sums }), {
  reads: ['event_rollup'],
})
const knownQuery = query(sql('known'), v.object(named), v.object({ known: v.number() }))
const propertiesQuery = query(
  sql('properties'),
  v.object(named),
  v.object({ key: v.string(), value: v.string(), total: v.number(), key_total: v.number() }),
  { reads: ['event_property_rollup', 'period'] },
)
const pagesQuery = query(sql('pages'), v.object(named), v.object({ page: v.string(), total: v.number() }), {
  reads: ['event_page_rollup', 'period'],
})

/** Sums of fractions differ in their last digit by the order of addition: by days, or by months of days. */
const significantDigits = 15
/** Larger sums have no digits to spare. */
const maxRounded = 1e9
const withoutRest = (sum: number): number =>
  Math.abs(sum) < maxRounded ? Number(sum.toPrecision(significantDigits)) : sum

const figures = { total: countSchema, visitors: countSchema, sessions: countSchema, value_sum: v.number() }

const rowSchema = v.object({ name: v.string(), ...figures, last_seen: timeSchema, ...comparedFields })

export const events = report({
  path: '/events',
  summary: 'Custom events by name, most frequent first',
  list: true,
  query: { ...rangeEntries, ...pagination, ...filterEntries },
  segment: readSegment,
  few: ({ last_seen }) => ({ name: few, last_seen: `${last_seen.slice(0, 10)}T00:00:00Z` }),
  compared: { key: ({ name }) => name, figure: ({ total }) => total },
  data: v.array(rowSchema),
  metrics: ['total', 'visitors', 'sessions', 'value_sum'],
  run: async ({ query: { limit, offset }, read }) => {
    const [rows, count] = await read([bindParameters(topQuery, { limit, offset }), bindParameters(countQuery, {})])
    const data = rows.map(({ last_event_id, value_sum, ...row }) => ({
      ...row,
      value_sum: withoutRest(value_sum),
      last_seen: timeText(secondOf(last_event_id)),
    }))
    return { data, total: countOf(count) }
  },
})

const propertySchema = v.object({
  key: v.string(),
  total: countSchema,
  values: v.array(v.object({ value: v.string(), total: countSchema })),
})

/** Groups rows, which are ordered by key, into one entry per key. */
const byKey = (rows: readonly v.InferOutput<typeof propertiesQuery.row>[]): v.InferOutput<typeof propertySchema>[] => {
  const keys = new Map<string, v.InferOutput<typeof propertySchema>>()
  for (const { key, value, total, key_total } of rows) {
    const found = keys.get(key) ?? { key, total: key_total, values: [] }
    found.values.push({ value, total })
    keys.set(key, found)
  }
  return [...keys.values()]
}

const detailSchema = v.object({
  name: v.string(),
  ...figures,
  series: v.array(v.object({ date: dateSchema, total: countSchema })),
  properties: v.array(propertySchema),
  pages: v.array(v.object({ page: v.string(), total: countSchema })),
  previous: v.optional(v.object({ from: dateSchema, to: dateSchema, totals: v.object(figures) })),
  change: v.optional(v.record(v.string(), ratioSchema)),
})
export type EventDetail = v.InferOutput<typeof detailSchema>

type Figures = v.InferOutput<v.ObjectSchema<typeof figures, undefined>>

const figuresOf = (days: readonly Pick<v.InferOutput<typeof daysQuery.row>, keyof typeof sums>[]): Figures => {
  const sum = (key: keyof typeof sums): number => days.reduce((all, row) => all + row[key], 0)
  return {
    total: sum('total'),
    visitors: sum('visitors'),
    sessions: sum('sessions'),
    value_sum: withoutRest(sum('value_sum')),
  }
}

const changesOf = (now: Figures, before: Figures) => ({
  total: change(now.total, before.total),
  visitors: change(now.visitors, before.visitors),
  sessions: change(now.sessions, before.sessions),
  value_sum: change(now.value_sum, before.value_sum),
})

const knownFrom = v.nullable(
  v.pipe(
    dateSchema,
    v.description('The first day whose property values are known: retention deletes earlier ones. Null: all days.'),
  ),
)

export const eventDetail = report({
  path: '/events/:name',
  summary: 'One custom event: its series, properties and pages',
  description:
    'The answer is 404 for a name that has never been recorded. By a share link with filters it is also 404 for ' +
    'a name without an event in what the link shows.',
  params: {
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(100), v.description('Name of the event.')),
  },
  query: { ...rangeEntries, compare: compareSchema, ...filterEntries },
  segment: readSegment,
  data: detailSchema,
  metrics: ['total', 'visitors', 'sessions', 'value_sum'],
  meta: { properties_known_from: knownFrom },
  errors: { 404: ['rest_event_not_found'] },
  run: async ({ params: { name }, range, read, comparison, of, limited, shared }) => {
    const [[exists], days, properties, pages, [first]] = await read([
      bindParameters(knownQuery, { name }),
      bindParameters(daysQuery, { ...range, name }),
      bindParameters(propertiesQuery, { name }),
      bindParameters(pagesQuery, { name }),
      bindParameters(rawFromQuery, {}),
    ])
    const byDay = new Map(days.map(row => [row.day, row.total]))
    const parts = (comparison?.parts ?? []).map(part =>
      of(part).read([bindParameters(daysQuery, { ...part.range, name })]),
    )
    const before = figuresOf((await Promise.all(parts)).flat(2))
    const totals = figuresOf(days)
    // Whether a name exists outside the link's filters must not show.
    if (exists?.known !== 1 || (limited && totals.total === 0))
      throw new ApiError(404, 'rest_event_not_found', 'No event of this name has been recorded.')
    // Of values and pages only events are counted, of which a visit can have several.
    const shownOf = <Row extends { total: number }>(rows: readonly Row[], names: (row: Row) => Row): Row[] =>
      shared ? withFewEvents(rows, totals.sessions, names) : [...rows]
    return {
      data: {
        name,
        ...totals,
        series: eachDay(range.from, range.to).map(day => ({ date: dayText(day), total: byDay.get(day) ?? 0 })),
        properties: byKey(properties).map(property => ({
          ...property,
          values: shownOf(property.values, value => ({ ...value, value: few })),
        })),
        pages: shownOf(pages, page => ({ ...page, page: few })),
        ...(comparison !== null && {
          previous: { from: dayText(comparison.range.from), to: dayText(comparison.range.to), totals: before },
          change: changesOf(totals, before),
        }),
      },
      meta: { properties_known_from: first === undefined || first.day === 0 ? null : dayText(first.day) },
    }
  },
})

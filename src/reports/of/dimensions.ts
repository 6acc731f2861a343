import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { attributionSchema } from '../../geoip/open.ts'
import { invalidParam } from '../../http/errors.ts'
import { countSchema, pagination } from '../../http/schemas.ts'
import { namesOf } from '../../lib/value-names.ts'
import { rolledUpDimensions } from '../../rollup/tables.ts'
import sqlText from '../../sql/dimensions.sql'
import { rangeEntries } from '../asked-range.ts'
import { bindTotals, countOf, figureColumns, figures, rangeColumns, share, withShare } from '../breakdown.ts'
import { type EndedTimes, endedTimes, weekdayKey } from '../clock-hours.ts'
import { comparedFields } from '../compared-rows.ts'
import { dimensionNames, type Names } from '../dimension-names.ts'
import { dimensionCount, dimensionRows } from '../dimension-rows.ts'
import { few } from '../few.ts'
import { hoursMissingEntry, missingHoursMeta, missingHoursQuery } from '../hours.ts'
import { fineMean } from '../numbers.ts'
import { bindParameters, type Read } from '../pool.ts'
import type { Range } from '../range.ts'
import { report } from '../report.ts'
import { filterEntries, readSegment } from '../segment.ts'

const sql = statements(sqlText)

/** Dimensions that come from the GeoIP database. */
const geoDimensions = ['country', 'region', 'city', 'continent']
/** Dimensions summed from the hourly and daily rollups. */
const byTime = ['hour', 'weekday']

/** All dimensions by their path segment. */
export const dimensionTypes: readonly string[] = [...rolledUpDimensions, ...byTime]

const plurals: Readonly<Record<string, string>> = {
  countries: 'country',
  cities: 'city',
  regions: 'region',
  languages: 'language',
  devices: 'device',
  browsers: 'browser',
  oss: 'os',
  hosts: 'host',
}
const types = [...dimensionTypes, ...Object.keys(plurals)]

type Row = {
  key: string | null
  country: string | null
  visitors: number
  sessions: number
  views: number
  bounces: number
  /** Hours and weekdays: the visits of those that are over. */
  ended?: number
}

const hourQuery = query(
  sql('hour'),
  v.object({ ...rangeColumns, uneven: v.string() }),
  v.object({ day: v.number(), hour: v.number(), ...figureColumns }),
  { reads: ['hour_day'] },
)
const weekdayQuery = query(sql('weekday'), v.object(rangeColumns), v.object({ day: v.number(), ...figureColumns }), {
  reads: ['hour_day', 'site_day'],
})

type Figures = { visitors: number; sessions: number; views: number; bounces: number }

/** Totals per key, most sessions first. */
const sumBy = <From extends Figures>(
  rows: readonly From[],
  keyOf: (row: From) => string,
  isOver: (row: From) => boolean,
): Row[] => {
  const sums = new Map<string, Row & { ended: number }>()
  for (const row of rows) {
    const key = keyOf(row)
    const sum = sums.get(key) ?? { key, country: null, visitors: 0, sessions: 0, views: 0, bounces: 0, ended: 0 }
    sums.set(key, {
      ...sum,
      visitors: sum.visitors + row.visitors,
      sessions: sum.sessions + row.sessions,
      views: sum.views + row.views,
      bounces: sum.bounces + row.bounces,
      ended: sum.ended + (isOver(row) ? row.sessions : 0),
    })
  }
  return [...sums.values()].sort((a, b) => b.sessions - a.sessions || (String(a.key) < String(b.key) ? -1 : 1))
}

/** Names of a dimension's values; null if the language is none. Those of `suspect` are texts, which browsers do not load. */
const namesIn = (type: string, language: string): Names | null => {
  const names = dimensionNames(type, language)
  return type === 'suspect' && names !== null ? key => namesOf('suspect', key, language)[0] ?? key : names
}

/** A row of the answer: with its readable name, and its country where names are ambiguous. */
const named =
  (names: Names) =>
  ({ key, country, ...row }: Row & { share: number | null }) => ({
    key,
    name: key === null ? null : names(key),
    ...(country !== null && { country }),
    ...row,
  })

type DimensionQuery = {
  type: string
  range: Range
  read: Read
  times: EndedTimes
  limit: number
  offset: number
}

/** The rows of a dimension, most sessions first. */
export const readDimension = async ({ type, range, read, times, limit, offset }: DimensionQuery) => {
  if (type !== 'hour' && type !== 'weekday') {
    const [rows, count, all] = await read([dimensionRows(type, limit, offset), dimensionCount(type), bindTotals(range)])
    return { rows: withShare(rows, all), total: countOf(count), missing: [] }
  }
  const { from, to } = range
  const [rows, all, missing] =
    type === 'hour'
      ? await read([
          bindParameters(hourQuery, { from, to, uneven: JSON.stringify(times.oddDays) }),
          bindTotals(range),
          bindParameters(missingHoursQuery, { from, to }),
        ]).then(([found, sums, without]) => [sumBy(found, times.hourKey, times.isHourOver), sums, without] as const)
      : await read([bindParameters(weekdayQuery, { from, to }), bindTotals(range)]).then(
          ([found, sums]) => [sumBy(found, weekdayKey, times.isDayOver), sums, []] as const,
        )
  return { rows: withShare(rows.slice(offset, offset + limit), all), total: rows.length, missing }
}

const rowSchema = v.object({
  key: v.nullable(v.string()),
  name: v.nullable(v.string()),
  country: v.optional(v.string()),
  ...figures,
  ...share,
  days: v.optional(
    v.pipe(
      countSchema,
      v.description('Hours and weekdays: days of the range that have or are one, as far as it is over.'),
    ),
  ),
  sessions_per_day: v.optional(
    v.pipe(v.nullable(v.number()), v.description('Hours and weekdays: visits of those that are over ÷ days.')),
  ),
  ...comparedFields,
})
export type DimensionRow = v.InferOutput<typeof rowSchema>

/** Adds the mean per day to rows of hours and weekdays, as a range has more of some than of others. */
const perDay =
  (type: string, times: EndedTimes) =>
  ({ ended, ...row }: DimensionRow & { ended?: number }): DimensionRow => {
    if (ended === undefined) return row
    const days = (type === 'hour' ? times.daysWithHour : times.daysOnWeekday)(row.key ?? '')
    return { ...row, days, sessions_per_day: fineMean(ended, days) }
  }

export const dimensions = report({
  path: '/dimensions/:type',
  summary: 'Visits by one dimension',
  list: true,
  params: { type: v.pipe(v.picklist(types), v.description('The dimension; plurals are accepted.')) },
  query: {
    ...rangeEntries,
    ...pagination,
    ...filterEntries,
  },
  segment: readSegment,
  compared: { key: ({ key, country }) => JSON.stringify([key, country]), figure: ({ sessions }) => sessions },
  few: () => ({ key: few, name: few }),
  data: v.array(rowSchema),
  metrics: ['visitors', 'sessions', 'views', 'bounces', 'share', 'days', 'sessions_per_day'],
  meta: {
    ...hoursMissingEntry,
    attribution: v.optional(
      v.pipe(attributionSchema, v.description('Required attribution wherever these places are shown.')),
    ),
  },
  run: async ({ query: { limit, offset }, params, range, since, read, context, now, language }) => {
    const type = plurals[params.type] ?? params.type
    const names = namesIn(type, language)
    if (names === null) throw invalidParam('lang', 'lang is not a valid language tag.')
    const times = endedTimes({ range, since, zone: context.zone, now })
    const { rows, total, missing } = await readDimension({ type, range, read, times, limit, offset })
    const attribution = geoDimensions.includes(type) ? (context.attribution?.() ?? null) : null
    const data = rows.map(named(names)).map(perDay(type, times))
    const meta = { ...missingHoursMeta(missing), ...(attribution !== null && { attribution }) }
    return { data, total, meta }
  },
})

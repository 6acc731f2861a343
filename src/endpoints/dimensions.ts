import * as v from 'valibot'
import { attributionSchema } from '../collection/attribution.ts'
import { invalidParam } from '../http/errors.ts'
import { pagination, totals } from '../http/schemas.ts'
import { bindTotals, figures, listHeaders, share, withShare } from '../reports/breakdown.ts'
import { dimensionNames, type Names } from '../reports/dimension-names.ts'
import { dimensionCount, dimensionRows } from '../reports/dimension-rows.ts'
import { hoursQuery } from '../reports/hours.ts'
import { bind, type Read } from '../reports/pool.ts'
import type { Range } from '../reports/range.ts'
import { rangeEntries, report } from '../reports/report.ts'
import { readSegment, segmentEntries } from '../reports/segment.ts'
import { weekday, type Zone } from '../time.ts'

/** Dimensions with a rollup of their own; one row a dimension. */
const rolledUp = [
  'country', 'region', 'city', 'continent', 'language', 'timezone', 'device', 'browser', 'browser_version', 'os', 'os_version', 'screen', 'channel',
] as const
/** Those that come from the places' database. */
const ofPlaces = ['country', 'region', 'city', 'continent']
/** Those that follow from the hours. */
const byTime = ['hour', 'weekday'] as const

const plurals: Readonly<Record<string, string>> = {
  countries: 'country', cities: 'city', regions: 'region', languages: 'language', devices: 'device', browsers: 'browser', oss: 'os',
}
const types = [...rolledUp, ...byTime, ...Object.keys(plurals)]

type Row = { key: string | null, country: string | null, visitors: number, sessions: number, views: number, bounces: number }

const hourKey = (second: number, zone: Zone): string => String(zone.hourOf(second)).padStart(2, '0')

/** Sums of hours under a key, most sessions first. */
const sumBy = (rows: readonly v.InferOutput<typeof hoursQuery.row>[], keyOf: (row: { day: number, hour: number }) => string): Row[] => {
  const sums = new Map<string, Row>()
  for (const row of rows) {
    const key = keyOf(row)
    const sum = sums.get(key) ?? { key, country: null, visitors: 0, sessions: 0, views: 0, bounces: 0 }
    sums.set(key, { ...sum, visitors: sum.visitors + row.visitors, sessions: sum.sessions + row.sessions, views: sum.views + row.views, bounces: sum.bounces + row.bounces })
  }
  return [...sums.values()].sort((a, b) => b.sessions - a.sessions || (String(a.key) < String(b.key) ? -1 : 1))
}

/** A row as answered: with its readable name, and its country where that tells it apart. */
const named = (names: Names) => ({ key, country, ...row }: Row & { share: number | null }) =>
  ({ key, name: key === null ? null : names(key), ...country !== null && { country }, ...row })

type Ask = { type: string, range: Range, read: Read, zone: Zone, limit: number, offset: number }

const rowsOf = async ({ type, range, read, zone, limit, offset }: Ask) => {
  if (type !== 'hour' && type !== 'weekday') {
    const [rows, count, all] = await read([dimensionRows(type, limit, offset), dimensionCount(type), bindTotals(range)])
    return { rows: withShare(rows, all), headers: listHeaders(count, limit) }
  }
  const [found, all] = await read([bind(hoursQuery, { from: range.from, to: range.to }), bindTotals(range)])
  const rows = sumBy(found, type === 'hour' ? ({ day, hour }) => hourKey(zone.startOf(day) + hour * 3600, zone) : ({ day }) => String(weekday(day)))
  return { rows: withShare(rows.slice(offset, offset + limit), all), headers: totals(rows.length, limit) }
}

const rowSchema = v.object({ key: v.nullable(v.string()), name: v.nullable(v.string()), country: v.optional(v.string()), ...figures, ...share })
export type DimensionRow = v.InferOutput<typeof rowSchema>

export const dimensions = report({
  path: '/dimensions/:type',
  summary: 'Sessions by one dimension',
  list: true,
  params: { type: v.pipe(v.picklist(types), v.description('The dimension; plurals are accepted.')) },
  query: {
    ...rangeEntries, ...pagination, ...segmentEntries,
    lang: v.optional(v.pipe(v.string(), v.maxLength(35), v.description('Language of the names; by default that of the caller.'))),
  },
  segment: readSegment,
  data: v.array(rowSchema),
  metrics: ['visitors', 'sessions', 'views', 'bounces', 'share'],
  meta: { attribution: v.optional(v.pipe(attributionSchema, v.description("Beside places: what their supplier wants to be said wherever they are shown."))) },
  find: async ({ query: { limit, offset, lang }, params, range, read, context, language }) => {
    const type = plurals[params.type] ?? params.type
    const names = dimensionNames(type, lang ?? language)
    if (names === null) throw invalidParam('lang', 'lang is not a language tag.')
    const { rows, headers } = await rowsOf({ type, range, read, zone: context.zone, limit, offset })
    const attribution = ofPlaces.includes(type) ? context.attribution?.() ?? null : null
    return { data: rows.map(named(names)), headers, ...attribution !== null && { meta: { attribution } } }
  },
})

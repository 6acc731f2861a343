// The rows of a day: its single visits from the file, or its sums.
import * as v from 'valibot'
import { type Db, get, iterate, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import type { Day, Zone } from '../../lib/time.ts'
import { spanOf } from '../../rollup/derive.ts'
import sqlText from '../../sql/archive-parquet.sql'
import { loadStored } from '../day.ts'
import { rollupRows } from '../rollups.ts'
import { type Column, events, type Table, views, visits } from './columns.ts'

/** Values by column; `site_day` is added when they are written, times are seconds since 1970. */
export type Row = Readonly<Record<string, unknown>>

const sql = statements(sqlText)

const schemaOf = ({ type, nullable }: Column) => {
  const schema = type === 'text' || type === 'json' ? v.string() : v.number()
  return nullable ? v.nullable(schema) : schema
}
const rowOf = ({ columns }: Table) =>
  v.object(
    Object.fromEntries(columns.filter(({ type }) => type !== 'day').map(column => [column.name, schemaOf(column)])),
  )

const started = v.object({ start: v.number(), end: v.number() })
const ids = v.object({ first_view_id: v.number(), next_view_id: v.number() })
const visitQuery = query(sql('archive.parquet-visit.list'), started, rowOf(visits))
const lastEndQuery = query(sql('archive.parquet-visit.last-end'), started, v.object({ second: v.nullable(v.number()) }))
const viewQuery = query(sql('archive.parquet-view.list'), ids, rowOf(views))
const eventQuery = query(sql('archive.parquet-event.list'), ids, rowOf(events))

/** The tables of a day with single visits, and their rows. */
export const singleRows = (db: Db, zone: Zone, day: Day): readonly (readonly [Table, () => Iterable<Row>])[] => {
  const { start, end, first_view_id, next_view_id } = spanOf(zone, day)
  return [
    [visits, () => iterate(db, visitQuery, { start, end })],
    [views, () => iterate(db, viewQuery, { first_view_id, next_view_id })],
    [events, () => iterate(db, eventQuery, { first_view_id, next_view_id })],
  ]
}

/** Seconds for which a visit can go on after it was last heard of: gaps of half an hour, and records an hour late. */
const settlesAfter = 90 * 60

/** Whether a day is over, and no visit that began on it can still change. @param now the current time in seconds */
export const isOver = (db: Db, zone: Zone, day: Day, now: number): boolean => {
  const { start, end } = spanOf(zone, day)
  return end + settlesAfter <= now && (get(db, lastEndQuery, { start, end })?.second ?? 0) + settlesAfter <= now
}

const known = (text: unknown): unknown => (text === '' ? null : text)

/** How the key of a rollup's row is written; its figures follow. */
const keys: Readonly<Record<string, (row: Row) => Row>> = {
  site: () => ({ dimension: 'site' }),
  hour: ({ hour }) => ({ dimension: 'hour', value: String(hour) }),
  page: ({ host, path }) => ({ dimension: 'page', host: known(host), value: path }),
  title: ({ host, path, title }) => ({ dimension: 'title', host: known(host), value: path, title }),
  source: ({ channel, source, domain }) => ({
    dimension: 'source',
    value: source,
    channel,
    source_domain: known(domain),
  }),
  dimension: ({ dimension, value, within }) => ({ dimension, value: known(value), within: known(within) }),
  utm: ({ grouping, source, medium, campaign, term, content }) => ({
    dimension: `utm_${grouping}`,
    utm_source: known(source),
    utm_medium: known(medium),
    utm_campaign: known(campaign),
    utm_term: known(term),
    utm_content: known(content),
  }),
  event: ({ name }) => ({ dimension: 'event', event: name }),
  event_property: ({ name, key, value }) => ({ dimension: 'event_property', event: name, property: key, value }),
  event_page: ({ name, host, path }) => ({ dimension: 'event_page', event: name, host: known(host), value: path }),
  funnel: ({ stage }) => ({ dimension: 'funnel', value: stage }),
}

const figuresOf = (row: Row): Row => ({
  visitors: row.visitors,
  visits: row.sessions,
  views: row.views,
  bounces: row.bounces,
  visible_seconds: row.seconds,
  timed_views: row.timed_views,
  scroll_percent_sum: row.scroll_sum,
  scrolled_views: row.scroll_views,
  entries: row.entries,
  entry_visitors: row.entry_visitors,
  exits: row.exits,
  exit_visitors: row.exit_visitors,
  events: row.total,
  event_value_sum: row.value_sum,
})

/** The stored sums of a day. */
export function* sumRows(db: Db, day: Day): Generator<Row> {
  loadStored(db, day)
  for (const { table, list } of rollupRows)
    for (const row of iterate(db, list, {})) yield { ...keys[table]?.(row), ...figuresOf(row) }
}

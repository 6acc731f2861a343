import * as v from 'valibot'
import { type Db, iterate, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { secondOf } from '../database/view-id.ts'
import { csvLine } from '../lib/csv.ts'
import { type Day, dayText, timeText, type Zone } from '../lib/time.ts'
import { spanOf } from '../rollup/derive.ts'
import sqlText from '../sql/archive-csv.sql'

const sql = statements(sqlText)

const text = v.nullable(v.string())
const number = v.nullable(v.number())
const columns = {
  id: v.number(),
  visitor: v.number(),
  session: v.number(),
  host: v.string(),
  page: v.string(),
  title: text,
  seconds: number,
  scroll: number,
  channel: text,
  source: text,
  domain: text,
  utm_source: text,
  utm_medium: text,
  utm_campaign: text,
  utm_term: text,
  utm_content: text,
  continent: text,
  country: text,
  region: text,
  city: text,
  device: text,
  browser: text,
  browser_version: text,
  os: text,
  os_version: text,
  screen: text,
  language: text,
}
const viewQuery = query(
  sql('archive.csv'),
  v.object({ first_view_id: v.number(), next_view_id: v.number() }),
  v.object(columns),
)

const names = Object.keys(columns).filter(name => name !== 'id')
const chunkSize = 64 * 1024

const line = (cells: readonly unknown[]): string => `${csvLine(cells)}\n`

/**
 * Views as CSV in chunks: a header row, then one row per view with its time (RFC 3339, UTC), its day and its session.
 * Days that have only rollups have no rows.
 */
export function* csvText(
  db: Db,
  zone: Zone,
  days: readonly Day[],
  onDay: (days: number) => void = () => {},
): Generator<string> {
  let chunk = line(['time', 'day', ...names])
  for (const [index, day] of days.entries()) {
    const { first_view_id, next_view_id } = spanOf(zone, day)
    for (const { id, ...row } of iterate(db, viewQuery, { first_view_id, next_view_id })) {
      chunk += line([timeText(secondOf(id)), dayText(day), ...Object.values(row)])
      if (chunk.length < chunkSize) continue
      yield chunk
      chunk = ''
    }
    onDay(index + 1)
  }
  yield chunk
}

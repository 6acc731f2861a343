import * as v from 'valibot'
import { readDemoMark } from '../database/demo-mark.ts'
import { all, type Db, get, none, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { type Day, dayText, timeText, type Zone } from '../lib/time.ts'
import sqlText from '../sql/archive-header.sql'
import { goalHeader } from './goals.ts'
import { formatVersion, type Header } from './lines.ts'

const sql = statements(sqlText)

const installationQuery = query(sql('installation.id'), none, v.object({ id: v.string() }))
const origin = v.object({ installation: v.string(), number: v.number() })
const originsQuery = query(sql('archive-origin.list'), none, origin)
const storedQuery = query(sql('archive.origin-stored'), none, origin)

/** The random id of this database. */
export const installationOf = (db: Db): string => {
  const id = get(db, installationQuery, {})?.id
  if (id === undefined) throw new Error('the database has no installation id')
  return id
}

/** Installations whose ids were imported into this database, by their multiple of 2^40. */
export const originsOf = (db: Db): Map<string, number> =>
  new Map(all(db, originsQuery, {}).map(({ installation, number }) => [installation, number]))

const textOf = (day: Day | undefined): string | null => (day === undefined ? null : dayText(day))

/**
 * @param at the time of the export, in seconds
 * @param currency the shop's currency, if its orders are included
 */
export const headerOf = (
  db: Db,
  zone: Zone,
  days: readonly Day[],
  at: number,
  currency: string | null = null,
  demo = readDemoMark(db),
): Header => ({
  footfall_archive: formatVersion,
  timezone: zone.name,
  installation: installationOf(db),
  origins: Object.fromEntries(
    all(db, storedQuery, {}).map(({ installation, number }) => [String(number), installation]),
  ),
  from: textOf(days[0]),
  to: textOf(days.at(-1)),
  exported_at: timeText(at),
  ...(currency !== null && { shop_currency: currency }),
  ...(demo !== null && { demo }),
  ...goalHeader(db),
})

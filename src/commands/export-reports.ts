import type { Db } from '../database/query.ts'
import { type Clock, type Day, dayText, toSeconds, type Zone } from '../lib/time.ts'
import { dimensionTypes } from '../reports/of/dimensions.ts'
import { openForReports } from '../reports/periods.ts'
import { daysWithData } from '../rollup/whole.ts'
import { chooseZone } from '../rollup/zone.ts'
import { ordersByDay } from '../shop/orders-by-day.ts'
import { csvLines, type Plain, tableOf } from './report-tables.ts'
import { parseRequest, reportContext, runNamedReport } from './reports.ts'

/** The largest limit that every list accepts. */
const pageSize = 100

const revenue = [
  'summary',
  'timeseries',
  'by-channel',
  'by-utm',
  'by-landing',
  'products',
  'funnel',
  'refunds',
  'coupons',
]
/** The reports of `all`: those of a range that are one table. */
export const everyReport: readonly string[] = [
  'summary',
  'sources',
  'pages',
  'pages/entry',
  'pages/exit',
  'utm',
  'events',
  ...dimensionTypes.map(type => `dimensions/${type}`),
  ...revenue.map(name => `revenue/${name}`),
]

/** `dimensions/country` → dimensions-country.csv */
export const fileNameOf = (report: string): string => `${report.replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '')}.csv`

/** The requested days, limited to those with data. */
const rangeOf = (db: Db, zone: Zone, from: Day, to: Day, today: Day): { from: string; to: string } => {
  const days = [...daysWithData(db, from, to), ...ordersByDay(db, zone, from, to).days].sort((a, b) => a - b)
  return { from: dayText(days[0] ?? today), to: dayText(days.at(-1) ?? today) }
}

/**
 * Writes reports as CSV, with all pages of each list, from one snapshot of the database.
 * @param write is called with each report's name and text
 */
export const exportReports = async (
  path: string,
  names: readonly string[],
  from: Day,
  to: Day,
  clock: Clock,
  write: (name: string, text: Iterable<string>) => Promise<void>,
): Promise<void> => {
  const db = openForReports(path)
  try {
    const now = clock()
    const zone = chooseZone(db, null)
    const context = reportContext(db, zone, () => now)
    db.exec('begin')
    const range = rangeOf(db, zone, from, to, zone.dayOf(toSeconds(now)))
    for (const name of names) {
      const rows: Plain[] = []
      let empty: unknown
      for (let offset = 0, end = 1; offset < end; offset += pageSize) {
        const filled = { ...range, limit: String(pageSize), offset: String(offset) }
        const { body, total, sample } = await runNamedReport(context, parseRequest(name), filled)
        end = total
        empty = sample.data
        rows.push(...tableOf(body.data))
      }
      await write(
        name,
        csvLines(rows, empty).map(line => `${line}\n`),
      )
    }
  } finally {
    if (db.inTransaction) db.exec('commit')
    db.close()
  }
}

// Imports an archive into a database that only this process uses, and brings everything derived from it up to date.
import * as v from 'valibot'
import type { Header } from '../../archive/lines.ts'
import { hasFigures, markDemo, readDemoMark } from '../../database/demo-mark.ts'
import { get, query, type Db } from '../../database/query.ts'
import { sumPeriods } from '../../rollup/periods.ts'
import { rebuildDirtyDays } from '../../rollup/rebuild.ts'
import { lowerRawFrom } from '../../rollup/whole.ts'
import { findZone, saveZone } from '../../rollup/zone.ts'
import { countedStatuses } from '../../shop/basis.ts'
import { adoptCurrency } from '../../shop/currency.ts'
import { createShopStore } from '../../shop/store.ts'
import hasData from '../../sql/archive.has-data.sql'
import { createZone } from '../../lib/time.ts'
import type { Summary } from './one.ts'
import { parseHeader } from './parse.ts'
import { demoConflict, runArchives } from './run.ts'

const dataQuery = query(hasData, v.object({}), v.object({ found: v.number() }))

/** The archive cannot be imported into this database at all. */
export class ArchiveError extends Error {
  override name = 'CommandError'
}

const hasAny = (db: Db): boolean => get(db, dataQuery, {})?.found === 1

/** An empty database takes the archive's zone; another one keeps its own. */
const settleZone = (db: Db, { timezone }: Header, wanted: string | null): void => {
  const own = hasAny(db) ? findZone(db) : wanted
  const other = [own, wanted].find(zone => zone !== null && zone !== timezone)
  if (other === undefined) return saveZone(db, timezone)
  throw new ArchiveError(
    `The days of the archive are those of ${timezone}, not of ${String(other)}: they begin at other hours. ` +
      `Import it into a new file, with --data and --timezone ${timezone}.`,
  )
}

/** Demo data and real figures never share a database; an empty one becomes what the archive is. */
const settleKind = (db: Db, header: Header, wanted: string | null): void => {
  const problem = hasFigures(db) || header.demo === undefined ? demoConflict(db, header) : null
  if (problem !== null) throw new ArchiveError(`${problem} Import it into a new file, with --data.`)
  settleZone(db, header, wanted)
  if (header.demo !== undefined && readDemoMark(db) === null) markDemo(db, header.demo)
}

const headerOf = async (lines: AsyncGenerator<string>): Promise<{ header: Header; first: string }> => {
  const first = await lines.next().then(
    ({ value }) => String(value ?? ''),
    () => '',
  )
  const header = parseHeader(first)
  if (typeof header === 'string') throw new ArchiveError(header)
  return { header, first }
}

async function* withFirst(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

export type ImportArchiveOptions = {
  db: Db
  /** The zone of --timezone; null if it was not given. */
  timezone: string | null
  /** Order statuses that reports count, for a database that has none of its own. */
  paidStatuses: readonly string[]
  /** Now, in seconds. */
  second: number
  replace: boolean
  report: (sentence: string) => void
  progress: (lines: number) => void
  stopped: () => boolean
}

/** @throws ArchiveError if this is not an archive, or one of another zone */
export const importArchive = async (lines: AsyncGenerator<string>, options: ImportArchiveOptions): Promise<Summary> => {
  const { db } = options
  const { header, first } = await headerOf(lines)
  settleKind(db, header, options.timezone)
  const zone = createZone(header.timezone)
  rebuildDirtyDays(db, zone)
  const store = createShopStore({
    db,
    zone,
    paidStatuses: countedStatuses(db) ?? options.paidStatuses,
    siteHosts: [],
    keepQuery: [],
  })
  store.adopt()
  if (header.shop_currency !== undefined) adoptCurrency(db, header.shop_currency)
  const summary = await runArchives(withFirst(first, lines), { ...options, zone, store })
  while (store.attribute() > 0) {
    /* Orders whose purchase came in after them. */
  }
  lowerRawFrom(db, zone, summary.whole)
  rebuildDirtyDays(db, zone)
  sumPeriods(db, zone.dayOf(options.second))
  return summary
}

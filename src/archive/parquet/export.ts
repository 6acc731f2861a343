// An export in Parquet: the days of a range into a folder that grows with each export.
import { removeOwnDrafts } from '../../database/drafts.ts'
import type { Db } from '../../database/query.ts'
import { addDays, type Day, type Zone } from '../../lib/time.ts'
import { daysWithData } from '../../rollup/whole.ts'
import { cleanOnSignal } from '../../runtime/signals.ts'
import { hasSingleVisits } from '../day.ts'
import { sums } from './columns.ts'
import { claimFolder, daysIn, hasSingle, hasTable, writeOrders, writeSingle, writeSums } from './folder.ts'
import { isOver, type Row, singleRows, sumRows } from './rows.ts'

/** What an export did, day by day. */
export type Exported = {
  written: Day[]
  /** There already. */
  present: Day[]
  /** Not written anew, as the database has no longer their single visits. */
  kept: Day[]
  /** Whose visits can still go on. */
  underWay: Day[]
  /** That are not written, but whose orders were. */
  orders: Day[]
}

export type ParquetOptions = {
  folder: string
  from: Day
  to: Day
  /** Writes days that are there as well. */
  again: boolean
  /** The current time in seconds. */
  now: number
  /** The days of the shop's orders, and their rows. */
  orders: { days: readonly Day[]; rowsOf: (day: Day) => Row[] }
  /** Called after each day with the share of days, and their number. */
  onDay: (share: number, days: number) => void
}

type DayState = 'written' | 'present' | 'kept' | 'underWay'

const writeVisits = async (db: Db, zone: Zone, day: Day, { folder, again, now }: ParquetOptions): Promise<DayState> => {
  if (!again && (hasSingle(folder, day) || hasTable(folder, day, sums))) return 'present'
  if (!isOver(db, zone, day, now)) return 'underWay'
  if (hasSingleVisits(db, zone, day)) {
    await writeSingle(folder, day, singleRows(db, zone, day))
    return 'written'
  }
  if (hasSingle(folder, day)) return 'kept'
  await writeSums(folder, day, () => sumRows(db, day))
  return 'written'
}

/**
 * Writes the days of a range that are over. Must be called in a transaction, so that all days are read from one snapshot.
 * @throws ExpectedError if the folder, or a file in it, is not one of this database's exports
 */
export const exportParquet = async (db: Db, zone: Zone, options: ParquetOptions): Promise<Exported> => {
  const { folder, from, to, orders, now, onDay } = options
  await claimFolder(folder, db, zone, false)
  const counted = new Set(daysWithData(db, from, to))
  const there = daysIn(folder).filter(day => day >= from && day <= to)
  const days = [...new Set([...counted, ...orders.days, ...there])].sort((a, b) => a - b)
  const exported: Exported = { written: [], present: [], kept: [], underWay: [], orders: [] }
  await cleanOnSignal(
    () => removeOwnDrafts(folder),
    async () => {
      for (const [index, day] of days.entries()) {
        const isUnderWay = now < zone.startOf(addDays(day, 1))
        const state = isUnderWay ? 'underWay' : counted.has(day) ? await writeVisits(db, zone, day, options) : null
        const hasNewOrders = state !== 'underWay' && (await writeOrders(folder, day, orders.rowsOf(day)))
        if (hasNewOrders && state !== 'written') exported.orders.push(day)
        if (state !== null) exported[state].push(day)
        onDay((index + 1) / days.length, index + 1)
      }
    },
  ).finally(() => removeOwnDrafts(folder))
  return exported
}

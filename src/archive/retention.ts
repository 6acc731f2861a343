// Retention that archives single visits in files beside the database.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../database/query.ts'
import { isBehind, purgeBefore } from '../rollup/purge.ts'
import { rawFrom } from '../rollup/raw-from.ts'
import { rebuildDay } from '../rollup/rebuild.ts'
import { countDay, hasRawRows, isComplete, rawDaysBefore, type RawCount } from '../rollup/whole.ts'
import { addDays, dayText, type Day, type Zone } from '../lib/time.ts'
import { archiveText, type Tally } from './day.ts'
import { writeWhole } from './file.ts'
import { headerOf } from './header.ts'
import { withSnapshot } from './snapshot.ts'

/** Where retention stores the archives of a database. */
export const archiveFolder = (path: string): string => `${path}-archive`

export type Archived = RawCount & { file: string; rows: number }

/**
 * Writes a day's single visits and sums into a file, and verifies it.
 * @param second when it is written
 */
export const writeArchiveDay = async (
  db: Db,
  zone: Zone,
  day: Day,
  folder: string,
  second: number,
): Promise<Archived> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${dayText(day)}.ndjson.gz`)
  const tally: Tally = { sessions: 0, views: 0, events: 0 }
  await withSnapshot(db.name, reader =>
    writeWhole(file, archiveText(reader, zone, [day], headerOf(reader, zone, [day], second), tally), true),
  )
  const { sessions, views, events } = tally
  return { file, views, events, rows: sessions + views + events }
}

/** Archives a day again until nothing was erased meanwhile: a visitor forgotten while it is written must not stay in it. */
const archiveUntilUnchanged = async (db: Db, zone: Zone, day: Day, folder: string, second: number): Promise<void> => {
  for (;;) {
    const { views, events } = await writeArchiveDay(db, zone, day, folder, second)
    const now = countDay(db, zone, day)
    if (now.views === views && now.events === events) return
  }
}

/**
 * Archives each day before one that has single visits, and deletes these, day by day. A crash leaves at most a day that
 * is archived but not deleted, or partly deleted: the first is archived again, the second only deleted.
 * Does nothing while rollups of these days are out of date.
 * @returns rows deleted
 */
export const archiveBefore = async (
  db: Db,
  zone: Zone,
  first: Day,
  folder: string,
  second: number,
): Promise<number> => {
  let rows = 0
  for (const day of rawDaysBefore(db, zone, first)) {
    if (isBehind(db, first)) return rows
    if (!hasRawRows(db, zone, day) || !isComplete(db, zone, day)) continue
    if (day >= rawFrom(db)) rebuildDay(db, zone, day)
    await archiveUntilUnchanged(db, zone, day, folder, second)
    rows += await purgeBefore(db, zone, addDays(day, 1))
  }
  return rows + (await purgeBefore(db, zone, first))
}

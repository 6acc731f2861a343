// Retention that archives raw rows into files next to the database.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { removeAbandoned } from '../database/drafts.ts'
import type { Db } from '../database/query.ts'
import { addDays, type Day, dayText, type Zone } from '../lib/time.ts'
import { isBehind, purgeBefore, purgeRows } from '../rollup/purge.ts'
import { rawFrom } from '../rollup/raw-from.ts'
import { rebuildDay } from '../rollup/rebuild.ts'
import { countDay, hasRawRows, isComplete, type RawCount, rawDaysBefore } from '../rollup/whole.ts'
import { archiveText, type Tally } from './day.ts'
import { writeAtomically } from './file.ts'
import { headerOf } from './header.ts'
import { withSnapshot } from './snapshot.ts'

/** The folder in which retention stores the archives of a database. */
export const archiveFolder = (path: string): string => `${path}-archive`

export type Archived = RawCount & { file: string; rows: number }

/**
 * Writes a day's raw rows and rollups into a file, and verifies it.
 * @param at the current time in seconds
 */
export const writeArchiveDay = async (db: Db, zone: Zone, day: Day, folder: string, at: number): Promise<Archived> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${dayText(day)}.ndjson.gz`)
  const tally: Tally = { sessions: 0, views: 0, events: 0 }
  await withSnapshot(db.name, reader =>
    writeAtomically(file, archiveText(reader, zone, [day], headerOf(reader, zone, [day], at), tally), true),
  )
  const { sessions, views, events } = tally
  return { file, views, events, rows: sessions + views + events }
}

/** Repeats the archive of a day if rows were erased in the meantime: an erased visitor must not remain in it. */
const archiveUntilUnchanged = async (db: Db, zone: Zone, day: Day, folder: string, at: number): Promise<void> => {
  for (;;) {
    const { views, events } = await writeArchiveDay(db, zone, day, folder, at)
    const now = countDay(db, zone, day)
    if (now.views === views && now.events === events) return
  }
}

/**
 * Archives the raw rows of each day before `first`, then deletes them, day by day. A crash leaves at most one day that
 * is archived but not deleted, or partly deleted: the former is archived again, the latter only deleted.
 * Does nothing while rollups of these days are out of date.
 * @returns rows deleted
 */
export const archiveBefore = async (db: Db, zone: Zone, first: Day, folder: string, at: number): Promise<number> => {
  let rows = 0
  removeAbandoned(folder)
  for (const day of rawDaysBefore(db, zone, first)) {
    if (isBehind(db, first)) return rows
    if (!hasRawRows(db, zone, day) || !isComplete(db, zone, day)) continue
    if (day >= rawFrom(db)) rebuildDay(db, zone, day)
    await archiveUntilUnchanged(db, zone, day, folder, at)
    // The texts of all days are looked for once, at the end: it reads the whole file.
    rows += await purgeRows(db, zone, addDays(day, 1))
  }
  return rows + (await purgeBefore(db, zone, first))
}

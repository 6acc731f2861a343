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
import { events, views } from './parquet/columns.ts'
import { claimFolder, writeSingle } from './parquet/folder.ts'
import { singleRows } from './parquet/rows.ts'
import { withSnapshot } from './snapshot.ts'

/** The folder in which retention stores the archives of a database. */
export const archiveFolder = (path: string): string => `${path}-archive`

/** `ndjson` can be imported; `parquet` is for other programs. */
export type ArchiveFormat = 'ndjson' | 'parquet' | 'both'

const writeNdjson = async (reader: Db, zone: Zone, day: Day, folder: string, at: number): Promise<RawCount> => {
  const tally: Tally = { sessions: 0, views: 0, events: 0 }
  const text = archiveText(reader, zone, [day], headerOf(reader, zone, [day], at), tally)
  await writeAtomically(join(folder, `${dayText(day)}.ndjson.gz`), text, true)
  return tally
}

const writeParquet = async (reader: Db, zone: Zone, day: Day, folder: string): Promise<RawCount> => {
  await claimFolder(folder, reader, zone, true)
  const rows = await writeSingle(folder, day, singleRows(reader, zone, day))
  return { views: rows.get(views) ?? 0, events: rows.get(events) ?? 0 }
}

/**
 * Writes a day's raw rows into files, with its rollups in NDJSON, and verifies them.
 * @param at the current time in seconds
 * @returns the number of views and events written
 */
export const writeArchiveDay = async (
  db: Db,
  zone: Zone,
  day: Day,
  folder: string,
  at: number,
  format: ArchiveFormat = 'ndjson',
): Promise<RawCount> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return withSnapshot(db.name, async reader => {
    const first = format === 'ndjson' ? null : await writeParquet(reader, zone, day, folder)
    return format === 'parquet' && first !== null ? first : writeNdjson(reader, zone, day, folder, at)
  })
}

/** Repeats the archive of a day if rows were erased in the meantime: an erased visitor must not remain in it. */
const archiveUntilUnchanged = async (
  db: Db,
  zone: Zone,
  day: Day,
  folder: string,
  at: number,
  format: ArchiveFormat,
): Promise<void> => {
  for (;;) {
    const { views, events } = await writeArchiveDay(db, zone, day, folder, at, format)
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
export const archiveBefore = async (
  db: Db,
  zone: Zone,
  first: Day,
  folder: string,
  at: number,
  format: ArchiveFormat = 'ndjson',
): Promise<number> => {
  let rows = 0
  removeAbandoned(folder)
  for (const day of rawDaysBefore(db, zone, first)) {
    if (isBehind(db, first)) return rows
    if (!hasRawRows(db, zone, day) || !isComplete(db, zone, day)) continue
    if (day >= rawFrom(db)) rebuildDay(db, zone, day)
    await archiveUntilUnchanged(db, zone, day, folder, at, format)
    // The texts of all days are looked for once, at the end: it reads the whole file.
    rows += await purgeRows(db, zone, addDays(day, 1))
  }
  return rows + (await purgeBefore(db, zone, first))
}

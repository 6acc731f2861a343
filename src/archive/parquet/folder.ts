// The folder of an export: whose it is, which days it has, and how a day gets into it.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { draftOf, removeAbandoned } from '../../database/drafts.ts'
import type { Db } from '../../database/query.ts'
import { ExpectedError } from '../../lib/errors.ts'
import { type Day, dateOf, dayText, type Zone } from '../../lib/time.ts'
import { syncFolder, writeAtomically } from '../file.ts'
import { events, orders, sums, type Table, views, visits } from './columns.ts'
import { databaseOf, readmeOf } from './readme.ts'
import type { Row } from './rows.ts'
import { isOurs, tableBytes, writeTable } from './write.ts'

const dayFolder = (folder: string, day: Day): string => join(folder, `day=${dayText(day)}`)
const fileOf = (folder: string, day: Day, { name }: Table): string => join(dayFolder(folder, day), `${name}.parquet`)
/** Next to the folders of days, so that no pattern of theirs matches it. */
const draftFor = (folder: string, day: Day, { name }: Table): string =>
  draftOf(join(folder, `${dayText(day)}.${name}.parquet`))

/**
 * Makes a folder that of a database's exports.
 * @param shared whether others may have put files there before
 * @throws ExpectedError if it is another database's, or not empty and nobody's
 */
export const claimFolder = async (folder: string, db: Db, zone: Zone, shared: boolean): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const readme = join(folder, 'README.md')
  const before = existsSync(readme) ? readFileSync(readme, 'utf8') : null
  const text = readmeOf(db, zone)
  const owner = before === null ? null : databaseOf(before)
  // What a killed first export has left is nobody's.
  const others = readdirSync(folder).filter(name => !name.startsWith('README.md.partial-'))
  if (owner === null && (before !== null || (!shared && others.length > 0)))
    throw new ExpectedError(`${folder} is not empty and holds no export in Parquet. Name another folder.`)
  if (owner !== null && owner !== databaseOf(text))
    throw new ExpectedError(`${folder} holds the export of another database. Name another folder.`)
  removeAbandoned(folder)
  if (before !== text) await writeAtomically(readme, [text], false)
}

/** The days that have a folder. */
export const daysIn = (folder: string): Day[] =>
  readdirSync(folder)
    .map(name => dateOf(/^day=(.*)$/.exec(name)?.[1] ?? ''))
    .filter(day => day !== null)

export const hasTable = (folder: string, day: Day, table: Table): boolean => existsSync(fileOf(folder, day, table))

const singleTables = [visits, views, events]

/** Whether the folder has all single visits of a day. */
export const hasSingle = (folder: string, day: Day): boolean =>
  singleTables.every(table => hasTable(folder, day, table))

const refuseForeign = async (path: string): Promise<void> => {
  if (existsSync(path) && !(await isOurs(path)))
    throw new ExpectedError(`${path} was not written by Footfall. Move it away, or name another folder.`)
}

const removeTables = (folder: string, day: Day, tables: readonly Table[]): void => {
  for (const table of tables) rmSync(fileOf(folder, day, table), { force: true })
}

type Content = readonly (readonly [Table, () => Iterable<Row>])[]

/**
 * Writes tables of a day; they get their names when all are complete.
 * @param instead tables that these replace
 * @returns rows by table
 */
const writeTables = async (
  folder: string,
  day: Day,
  content: Content,
  instead: readonly Table[],
): Promise<Map<Table, number>> => {
  for (const table of [...content.map(([table]) => table), ...instead]) await refuseForeign(fileOf(folder, day, table))
  const rows = new Map<Table, number>()
  for (const [table, rowsOf] of content) {
    const draft = draftFor(folder, day, table)
    rmSync(draft, { force: true })
    rows.set(table, await writeTable(draft, table, day, rowsOf()))
  }
  await mkdir(dayFolder(folder, day), { recursive: true, mode: 0o700 })
  removeTables(folder, day, instead)
  for (const [table] of content) await rename(draftFor(folder, day, table), fileOf(folder, day, table))
  await syncFolder(dayFolder(folder, day))
  await syncFolder(folder)
  return rows
}

/** Writes the single visits of a day, in place of its sums. */
export const writeSingle = (folder: string, day: Day, content: Content): Promise<Map<Table, number>> =>
  writeTables(folder, day, content, [sums])

/** Writes the sums of a day. */
export const writeSums = (folder: string, day: Day, rows: () => Iterable<Row>): Promise<Map<Table, number>> =>
  writeTables(folder, day, [[sums, rows]], singleTables)

/**
 * Makes the orders of a day those of the database: writes them if they differ, removes the file if there are none.
 * @returns whether it changed anything
 */
export const writeOrders = async (folder: string, day: Day, rows: readonly Row[]): Promise<boolean> => {
  const path = fileOf(folder, day, orders)
  if (rows.length === 0) {
    if (!existsSync(path)) return false
    await refuseForeign(path)
    removeTables(folder, day, [orders])
    return true
  }
  if (existsSync(path) && readFileSync(path).equals(await tableBytes(orders, day, rows))) return false
  await writeTables(folder, day, [[orders, () => rows]], [])
  return true
}

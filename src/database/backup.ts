import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { giveTo, placeCopy } from './copy.ts'
import { removeAbandoned } from './drafts.ts'
import { DatabaseError, isCode } from './errors.ts'
import { refuseForeign } from './migrate.ts'
import { checkPath, checkReadable, isNotWritten, notWritten, openReadOnly, translate } from './open.ts'
import type { Db } from './query.ts'
import { versionOf } from './schema.ts'

/** A file's size, and the version of its schema. */
export type Kind = { bytes: number; schema: number }

/** @throws DatabaseError if the file is not one of ours, or a newer version's */
export const kindOf = (db: Db, path: string): Kind => {
  refuseForeign(db, path)
  const schema = versionOf(db)
  if (schema === 0) throw new DatabaseError(`${path} is an empty database: there is nothing in it.`)
  return { bytes: statSync(path).size, schema }
}

const inspect = (path: string): Kind => {
  const db = openReadOnly(path)
  try {
    return kindOf(db, path)
  } finally {
    db.close()
  }
}

const isSame = (one: string, other: string): boolean => existsSync(other) && realpathSync(one) === realpathSync(other)

/**
 * Copies the database to a file, while a service may be running on it: without salts and logins, checked, mode 0600,
 * there whole or not at all.
 * @throws DatabaseError if the target exists and `force` is not given, or either cannot be used
 */
export const backup = (data: string, file: string, force: boolean): Kind => {
  const [source, target] = [resolve(data), resolve(file)]
  checkReadable(source)
  checkPath(target, false, 'another file')
  if (isSame(source, target)) throw new DatabaseError(`${target} is the database itself. Name another file.`)
  if (existsSync(target) && !force)
    throw new DatabaseError(`${target} exists already. Name another file, or add --force to replace it.`)
  try {
    inspect(source)
    placeCopy(source, target, { before: draft => giveTo(draft, source) })
    return inspect(target)
  } catch (error) {
    // Nothing but the copy is written.
    throw isNotWritten(error) && !isCode(error, 'SQLITE_IOERR_READ', 'SQLITE_IOERR_SHORT_READ')
      ? notWritten(target, error)
      : translate(source, error)
  }
}

const nightlyName = /^footfall-(\d{4}-\d\d-\d\d)\.db$/

export const nightlyNameOf = (date: string): string => `footfall-${date}.db`

/** The dates of the nightly backups in a folder (YYYY-MM-DD), newest first. */
export const nightlyBackups = (folder: string): string[] =>
  readdirSync(folder)
    .flatMap(name => nightlyName.exec(name)?.[1] ?? [])
    .sort()
    .reverse()

/**
 * Writes a day's backup (YYYY-MM-DD) to a folder, replacing one of the same day, and deletes the oldest ones and what
 * interrupted backups have left; other files stay.
 * @returns how many backups the folder holds
 */
export const rotateBackups = (data: string, folder: string, date: string, keep: number): number => {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) giveTo(folder, data)
  removeAbandoned(folder)
  removeAbandoned(dirname(resolve(data)), basename(data))
  backup(data, join(folder, nightlyNameOf(date)), true)
  const backups = nightlyBackups(folder)
  for (const old of backups.slice(keep)) rmSync(join(folder, nightlyNameOf(old)))
  return Math.min(backups.length, keep)
}

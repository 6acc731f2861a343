import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { connect } from './connect.ts'
import { removeDrafts } from './copy.ts'
import { DatabaseError, isCode } from './errors.ts'
import { holdPath, type Release } from './lock.ts'
import { isBehind, migrate, refuseForeign } from './migrate.ts'
import type { Db } from './query.ts'
import { emptyLog, logHasSalts } from './salt-file.ts'
import { schema as currentSchema, type Schema } from './schema.ts'

const ownerOnly = 0o600

export type Opened = { db: Db; path: string; created: boolean; copy: string | null }

const elsewhere = 'another file with --data'

const refuseFolder = (path: string, hint: string): void => {
  const folder = dirname(path)
  if (!existsSync(folder)) throw new DatabaseError(`The folder ${folder} does not exist. Create it, or name ${hint}.`)
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    throw new DatabaseError(`The folder ${folder} is not writable for this user. Change its owner, or name ${hint}.`)
  }
}

const refuseFile = (path: string, hint: string): void => {
  const stats = statSync(path)
  if (!stats.isFile())
    throw new DatabaseError(
      `${path} is ${stats.isDirectory() ? 'a folder' : 'not a file'}. Name ` +
        `${hint === elsewhere ? 'the database file with --data' : hint}.`,
    )
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch {
    throw new DatabaseError(`${path} is not writable for this user. Change its owner or mode, or name ${hint}.`)
  }
}

/** Creates the file with its mode before SQLite does, so that it is never readable by others. */
const createFile = (path: string): void => closeSync(openSync(path, 'wx', ownerOnly))

export const translate = (path: string, error: unknown): unknown => {
  if (isCode(error, 'SQLITE_NOTADB')) {
    return new DatabaseError(`${path} is not a database. Move it away, or name another file with --data.`)
  }
  if (isCode(error, 'SQLITE_CORRUPT')) {
    return new DatabaseError(
      `${path} is damaged. Restore a backup with 'footfall restore', or name another file with --data.`,
    )
  }
  if (isCode(error, 'SQLITE_BUSY'))
    return new DatabaseError(`${path} is locked by another process. Stop it, then try again.`)
  if (isCode(error, 'SQLITE_FULL', 'SQLITE_IOERR')) {
    return new DatabaseError(
      `${path} could not be written (${error instanceof Error ? error.message : ''}). Is the disk full?`,
    )
  }
  return error
}

/** Free pages are given back to the disk when the service asks for it. */
const incremental = 2

/**
 * Order matters: auto_vacuum only before the first page is written, and the wait for locks (the timeout) before WAL.
 */
const applyPragmas = (db: Db): void => {
  // Written again, the same value would be a change of the file.
  if (db.pragma('auto_vacuum', { simple: true }) !== incremental) db.pragma(`auto_vacuum = ${incremental}`)
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  db.pragma('foreign_keys = on')
  db.pragma('secure_delete = on')
  db.pragma('journal_size_limit = 16777216')
}

/** KiB of page cache of a reading connection, a quarter of the collecting one's; the system caches the rest. */
const readerCacheKiB = 2048

/** Opens a file that must exist for reading only; for reports, and for commands while the service runs. */
export const openReadOnly = (path: string): Db => {
  const db = connect(path, { readonly: true, fileMustExist: true })
  db.pragma(`cache_size = -${readerCacheKiB}`)
  return db
}

/** A refused file must stay as it was, so every refusal comes before the first change. */
const inspect = (db: Db, path: string, schema: Schema): void => {
  refuseForeign(db, path, schema)
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, ownerOnly)
  applyPragmas(db)
}

/** A migration locks the file, unless this process has locked it already. */
const upgrade = (db: Db, path: string, schema: Schema, held: boolean): string | null => {
  if (!isBehind(db, schema)) return null
  const hold = held ? null : holdPath(path)
  try {
    return migrate(db, path, schema)
  } finally {
    hold?.release()
  }
}

type OpenOptions = { mustExist?: boolean; schema?: Schema; held?: boolean }

/**
 * @param hint what to name instead, in messages
 * @throws DatabaseError if the path cannot be that of a database of this user
 */
export const checkPath = (path: string, mustExist: boolean, hint = elsewhere): boolean => {
  refuseFolder(path, hint)
  const exists = existsSync(path)
  if (!exists && mustExist) {
    throw new DatabaseError(
      `There is no database ${path}. ${hint === elsewhere ? "Start 'footfall serve' first, or name the file with --data" : `Name ${hint}`}.`,
    )
  }
  if (exists) refuseFile(path, hint)
  return exists
}

/**
 * Opens the database for writing, creates it if it is missing (mode 0600), and brings it to the newest schema.
 * @param options held: this process has locked the file already
 * @throws DatabaseError with a sentence for the owner
 */
export const openDatabase = (
  file: string,
  { mustExist = false, schema = currentSchema, held = false }: OpenOptions = {},
): Opened => {
  const path = resolve(file)
  const created = !checkPath(path, mustExist)
  if (created) createFile(path)
  let db: Db | undefined
  try {
    db = connect(path)
    inspect(db, path, schema)
    const copy = upgrade(db, path, schema, held)
    // While something reads the log it cannot be emptied: the audit says so, and the service tries again.
    if (logHasSalts(db)) emptyLog(db)
    return { db, path, created, copy }
  } catch (error) {
    db?.close()
    throw translate(path, error)
  }
}

/**
 * Opens the database for this process alone; the lock comes before the file is made or changed.
 * @throws DatabaseError with a sentence for the owner
 */
export const openAlone = (
  file: string,
  command: string,
  since: number,
  { mustExist = false }: Pick<OpenOptions, 'mustExist'> = {},
): Opened & { release: Release } => {
  const path = resolve(file)
  checkPath(path, mustExist)
  const hold = holdPath(path)
  try {
    // A restore that was killed may have left one with salts and logins.
    removeDrafts(path)
    const opened = openDatabase(path, { held: true })
    hold.name(opened.db, command, since)
    return { ...opened, release: hold.release }
  } catch (error) {
    hold.release()
    throw error
  }
}

import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorText } from '../lib/errors.ts'
import { connect } from './connect.ts'
import { removeDrafts } from './drafts.ts'
import { DatabaseError, isCode } from './errors.ts'
import { holdPath, type Release } from './lock.ts'
import { isBehind, migrate, refuseForeign } from './migrate.ts'
import type { Db } from './query.ts'
import { emptyLog, logHasSalts } from './salt-file.ts'
import { schema as currentSchema, type Schema } from './schema.ts'
import { isClosedToUs, openWhole } from './whole.ts'

const ownerOnly = 0o600

export type Opened = { db: Db; path: string; created: boolean; copy: string | null }

const elsewhere = 'another file with --data'

/** What a path is checked for. */
type Use = 'read' | 'write'

/** @param what as a sentence names it */
const access = (path: string, mode: number, what: string, use: Use, fix: string, hint: string): void => {
  try {
    accessSync(path, mode)
  } catch (error) {
    throw new DatabaseError(
      isCode(error, 'EROFS')
        ? `${what} cannot be written: its file system is mounted read-only. Mount it writable, or name ${hint}.`
        : `${what} is not ${use === 'read' ? 'readable' : 'writable'} for this user. Change its ${fix}, or name ${hint}.`,
    )
  }
}

const refuseFolder = (path: string, use: Use, hint: string): void => {
  const folder = dirname(path)
  if (!existsSync(folder)) throw new DatabaseError(`The folder ${folder} does not exist. Create it, or name ${hint}.`)
  const mode = use === 'read' ? constants.X_OK : constants.W_OK | constants.X_OK
  access(folder, mode, `The folder ${folder}`, use, 'owner', hint)
}

const refuseFile = (path: string, use: Use, hint: string): void => {
  const stats = statSync(path)
  if (!stats.isFile())
    throw new DatabaseError(
      `${path} is ${stats.isDirectory() ? 'a folder' : 'not a file'}. Name ` +
        `${hint === elsewhere ? 'the database file with --data' : hint}.`,
    )
  const mode = use === 'read' ? constants.R_OK : constants.R_OK | constants.W_OK
  access(path, mode, path, use, 'owner or mode', hint)
}

/** Creates the file with its mode before SQLite does, so that it is never readable by others. */
const createFile = (path: string): void => closeSync(openSync(path, 'wx', ownerOnly))

/** What a disk says that takes no more, in SQLite's words and in those of the system. */
export const isNotWritten = (error: unknown): boolean =>
  isCode(error, 'SQLITE_FULL', 'SQLITE_IOERR', 'ENOSPC', 'EDQUOT', 'EIO', 'EROFS')

export const notWritten = (path: string, error: unknown): DatabaseError =>
  new DatabaseError(`${path} could not be written (${errorText(error)}). Is the disk full?`)

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
  if (isCode(error, 'SQLITE_IOERR_READ', 'SQLITE_IOERR_SHORT_READ'))
    return new DatabaseError(`${path} could not be read (${errorText(error)}). Is the disk sound?`)
  if (isCode(error, 'SQLITE_CANTOPEN', 'SQLITE_READONLY'))
    return new DatabaseError(
      `${path} could not be opened for writing (${errorText(error)}). Look at the owner and mode of it, of the files ` +
        'whose names begin with its name, and of the folder, and at how the file system is mounted.',
    )
  return isNotWritten(error) ? notWritten(path, error) : error
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

/**
 * Opens a file that must exist for reading only; for reports, and for commands while the service runs. Whoever may read
 * the file may do this.
 */
export const openReadOnly = (path: string): Db => {
  const db = isClosedToUs(path) ? openWhole(path) : connect(path, { readonly: true, fileMustExist: true })
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
export const checkPath = (path: string, mustExist: boolean, hint = elsewhere, use: Use = 'write'): boolean => {
  refuseFolder(path, use, hint)
  const exists = existsSync(path)
  if (!exists && mustExist) {
    throw new DatabaseError(
      `There is no database ${path}. ${hint === elsewhere ? "Start 'footfall serve' first, or name the file with --data" : `Name ${hint}`}.`,
    )
  }
  if (exists) refuseFile(path, use, hint)
  return exists
}

/** @throws DatabaseError if there is no file that this user can read */
export const checkReadable = (path: string): void => {
  checkPath(path, true, elsewhere, 'read')
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
 * Opens a database for reading. One of an older version is brought to the newest schema first, which needs more.
 * @param open what opens it, openReadOnly unless it is for reports
 * @throws DatabaseError with a sentence for the owner
 */
export const openToRead = (file: string, open: (path: string) => Db = openReadOnly): Db => {
  const path = resolve(file)
  checkReadable(path)
  let db: Db | undefined
  try {
    db = open(path)
    refuseForeign(db, path)
    if (!isBehind(db, currentSchema)) return db
    db.close()
    openDatabase(path, { mustExist: true }).db.close()
    db = open(path)
    return db
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

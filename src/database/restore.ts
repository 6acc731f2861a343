import { accessSync, constants, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import sqlText from '../sql/database-restore.sql'
import { type Kind, kindOf } from './backup.ts'
import { connect } from './connect.ts'
import { giveTo, placeCopy } from './copy.ts'
import { leftOut, problemsOf, quoted } from './copy-check.ts'
import { DatabaseError, isCode } from './errors.ts'
import { holdPath } from './lock.ts'
import { copyBeforePath } from './migrate.ts'
import { checkPath, openReadOnly, translate } from './open.ts'
import type { Db } from './query.ts'
import { returnSalts } from './salt-file.ts'
import { statements } from './statements.ts'

const columnsOf = (db: Db, schema: string, table: string): string[] =>
  db.prepare('select name from pragma_table_info(?, ?)').pluck().all(table, schema) as string[]

const installationOf = (db: Db, schema: string): unknown =>
  db.prepare(`select value from ${schema}.installation where name = 'id'`).pluck().get()

/** The columns that both versions have; rows of users that the copy does not know stay behind. */
const carryTable = (db: Db, table: string): void => {
  const theirs = columnsOf(db, 'source', table)
  const columns = columnsOf(db, 'main', table).filter(column => theirs.includes(column))
  const list = columns.map(quoted).join(', ')
  const known = columns.includes('user_id') ? 'where user_id in (select id from main.user)' : ''
  db.exec(`insert into main.${quoted(table)} (${list}) select ${list} from source.${quoted(table)} ${known}`)
}

/**
 * Puts what no copy holds (salts, logins, pairings) from a file into a copy of it, as far as both know it.
 * @returns false if the copy is of another installation, and stays as it is
 */
const carrySecrets = (path: string, copy: string): boolean => {
  const db = connect(copy)
  try {
    db.pragma('journal_mode = memory')
    db.pragma('synchronous = full')
    db.prepare('attach ? as source').run(path)
    if (installationOf(db, 'main') !== installationOf(db, 'source')) return false
    const isIn = (schema: string, table: string): boolean => columnsOf(db, schema, table).length > 0
    const tables = leftOut.filter(table => table !== 'holder' && isIn('source', table) && isIn('main', table))
    db.transaction(() => {
      tables.forEach(table => carryTable(db, table))
      if (isIn('main', 'day_salt')) returnSalts(db, path)
    }).immediate()
    return true
  } finally {
    db.close()
  }
}

const sql = statements(sqlText)

/**
 * `kept`: where the replaced file is; null if there was none. `sound`: false if that one was damaged. `undone`: whether
 * a migration was undone, so that salts, logins and pairings are still those of the replaced file.
 */
export type Restored = Kind & { path: string; kept: string | null; sound: boolean; undone: boolean }

/** The backup may be in a folder that this user can only read. */
export const checkBackup = (path: string): void => {
  if (!existsSync(path)) throw new DatabaseError(`There is no file ${path}. Name the backup to restore.`)
  if (!statSync(path).isFile()) throw new DatabaseError(`${path} is not a file. Name the backup to restore.`)
  try {
    accessSync(path, constants.R_OK)
  } catch {
    throw new DatabaseError(`${path} is not readable for this user. Change its owner or mode.`)
  }
}

const explain = (path: string, error: unknown): unknown => {
  if (isCode(error, 'SQLITE_NOTADB'))
    return new DatabaseError(`${path} is no backup of Footfall. Nothing was replaced.`)
  if (isCode(error, 'SQLITE_CORRUPT', 'SQLITE_IOERR'))
    return new DatabaseError(`${path} is damaged. Nothing was replaced; use an older backup.`)
  return error
}

/** @throws DatabaseError if it is no sound backup of this version or an older one */
export const inspectBackup = (path: string): Kind => {
  try {
    const db = openReadOnly(path)
    try {
      const kind = kindOf(db, path)
      const [problem] = problemsOf(db)
      if (problem !== undefined)
        throw new DatabaseError(`${path} is damaged (${problem}). Nothing was replaced; use an older backup.`)
      return kind
    } finally {
      db.close()
    }
  } catch (error) {
    throw explain(path, error)
  }
}

/** Checkpoints the replaced file and destroys its salts and pairings: it is a copy from now on. False for a damaged file. */
const retire = (path: string): boolean => {
  try {
    const db = connect(path)
    try {
      // Refused here if another program has the file open, before anything is destroyed.
      db.pragma('locking_mode = exclusive')
      db.pragma('secure_delete = on')
      // A version before schema 16 has them inside.
      if (columnsOf(db, 'main', 'day_salt').length > 0) db.exec(sql('salt.destroy-all'))
      db.exec(sql('pairing.destroy-all'))
      // Leaving WAL mode removes the WAL, which would otherwise be taken for that of the new file.
      db.pragma('journal_mode = delete')
      return true
    } finally {
      db.close()
    }
  } catch (error) {
    if (isCode(error, 'SQLITE_BUSY', 'SQLITE_LOCKED')) throw error
    return false
  }
}

/** Whether the source is the copy that was made before a migration of the file: then the file has what the copy lacks. */
const undo = (source: string, path: string, draft: string, { schema }: Kind): boolean => {
  if (source !== copyBeforePath(path, schema)) return false
  try {
    return carrySecrets(path, draft)
  } catch (error) {
    if (isCode(error, 'SQLITE_NOTADB', 'SQLITE_CORRUPT')) return false
    throw error
  }
}

/** A damaged file keeps its WAL: data may still be recovered from both. */
const moveWal = (path: string, kept: string): void => {
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${kept}-wal`)
  rmSync(`${path}-shm`, { force: true })
}

/** A second name for the old file, so that the new one takes over the first in one step. */
const keep = (path: string, kept: string): void => {
  try {
    linkSync(path, kept)
  } catch {
    // Some file systems know no second names.
    copyFileSync(path, kept, constants.COPYFILE_EXCL)
  }
}

/**
 * Replaces the database with a backup; no other process may use it. The replaced file is kept next to it, without
 * salts. The copy made before a migration gets salts, logins and pairings back, so that undoing it loses none. Killed at any time, it leaves either the old file or the new one.
 * @param stamp names the kept file
 * @throws DatabaseError if the backup is not one, or the file is in use
 */
export const restore = (file: string, data: string, stamp: string): Restored => {
  const [source, path] = [resolve(file), resolve(data)]
  checkBackup(source)
  const replaces = checkPath(path, false)
  const kept = `${path}.replaced-${stamp}`
  const hold = holdPath(path)
  try {
    const kind = inspectBackup(source)
    if (replaces && existsSync(kept)) throw new DatabaseError(`${kept} exists already. Wait a second, then try again.`)
    let [sound, undone] = [true, false]
    placeCopy(source, path, {
      before: draft => {
        if (!replaces) return
        giveTo(draft, path)
        undone = undo(source, path, draft, kind)
        sound = retire(path)
        if (!sound) moveWal(path, kept)
        keep(path, kept)
      },
    })
    return { ...kind, path, kept: replaces ? kept : null, sound, undone }
  } catch (error) {
    throw translate(path, error)
  } finally {
    hold.release()
  }
}

// Questions to SQLite itself.
import * as v from 'valibot'
import sqlText from '../sql/probe.sql'
import { connect } from './connect.ts'
import { isCode } from './errors.ts'
import { sqliteAddon } from './native.ts'
import { type Db, get, none, query, withBusyTimeout } from './query.ts'
import { versionOf } from './schema.ts'
import { statements } from './statements.ts'

const sql = statements(sqlText)

const healthQuery = query(sql('health.check'), none, v.object({ tables: v.number() }))
const versionQuery = query(sql('sqlite.version'), none, v.object({ version: v.string() }))

/** Whether the file answers. */
export const isHealthy = (db: Db): boolean => {
  try {
    return get(db, healthQuery, {}) !== undefined
  } catch {
    return false
  }
}

/** Milliseconds between attempts to write, after one that succeeded or failed: anyone may ask for the health. */
const intervals = { writable: 10_000, refused: 1000 }

/** Whether the file can be written, by the last attempt. */
export const createWriteProbe = (db: Db): (() => boolean) => {
  let triedAt = Number.NEGATIVE_INFINITY
  let isWritable = true
  return () => {
    const now = performance.now()
    if (now - triedAt < (isWritable ? intervals.writable : intervals.refused)) return isWritable
    triedAt = now
    try {
      // Writes a page and syncs the log, but leaves the file as it is.
      withBusyTimeout(db, 0, () => db.pragma(`user_version = ${versionOf(db)}`))
      isWritable = true
    } catch (error) {
      // The process that has locked it can write it.
      if (!isCode(error, 'SQLITE_BUSY')) isWritable = false
    }
    return isWritable
  }
}

/** The version of SQLite; asking it also shows that the addon loads on this machine. */
export const sqliteVersion = (): string => {
  sqliteAddon() // First, and without a data folder: the working folder is not one.
  const db = connect(':memory:')
  try {
    return get(db, versionQuery, {})?.version ?? ''
  } finally {
    db.close()
  }
}

// Questions to SQLite itself.
import * as v from 'valibot'
import checkHealth from '../sql/health.check.sql'
import findVersion from '../sql/sqlite.version.sql'
import { connect } from './connect.ts'
import { sqliteAddon } from './native.ts'
import { get, query, type Db } from './query.ts'

const healthQuery = query(checkHealth, v.object({}), v.object({ tables: v.number() }))
const versionQuery = query(findVersion, v.object({}), v.object({ version: v.string() }))

/** Whether the file answers. */
export const isHealthy = (db: Db): boolean => {
  try {
    return get(db, healthQuery, {}) !== undefined
  } catch {
    return false
  }
}

/** The version of SQLite; asking it also shows that the addon loads on this machine. */
export const sqliteVersion = (): string => {
  sqliteAddon() // First, and without a data folder: the working folder is none.
  const db = connect(':memory:')
  try {
    return get(db, versionQuery, {})?.version ?? ''
  } finally {
    db.close()
  }
}

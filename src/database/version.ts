import * as v from 'valibot'
import { sqliteAddon } from './native.ts'
import findVersion from '../sql/sqlite.version.sql'
import { connect } from './connect.ts'
import { get, query } from './query.ts'

const versionQuery = query(findVersion, v.object({}), v.object({ version: v.string() }))

/** Asks SQLite itself, which also shows that the addon loads on this machine. */
export const sqliteVersion = (): string => {
  sqliteAddon() // First, and without a data folder: the working folder is none.
  const db = connect(':memory:')
  try {
    return get(db, versionQuery, {})?.version ?? ''
  } finally {
    db.close()
  }
}

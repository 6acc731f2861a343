import * as v from 'valibot'
import { version as footfall } from '../../package.json'
import { connect } from '../database/connect.ts'
import { get, query } from '../database/query.ts'
import { sqliteAddon } from '../native.ts'
import sqliteVersion from '../sql/sqlite.version.sql'
import type { Command } from './command.ts'

const sqliteVersionQuery = query(sqliteVersion, v.object({}), v.object({ version: v.string() }))

/** Asks SQLite itself, so that `version` also shows that the addon loads on this machine. */
const findSqliteVersion = (): string | undefined => {
  sqliteAddon() // First, and without a data folder: the working folder is none.
  const db = connect(':memory:')
  try {
    return get(db, sqliteVersionQuery, {})?.version
  } finally {
    db.close()
  }
}

export const version: Command = {
  name: 'version',
  about: 'Show the versions of Footfall, Node and SQLite.',
  run: ({ print }) => {
    print(`footfall ${footfall} (node ${process.version}, sqlite ${findSqliteVersion()})`)
    return 0
  },
}

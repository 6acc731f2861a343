import { connect } from './connect.ts'
import { leftOut, quoted } from './copy-check.ts'
import type { Db } from './query.ts'

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
export const carrySecrets = (path: string, copy: string): boolean => {
  const db = connect(copy)
  try {
    db.pragma('synchronous = full')
    db.prepare('attach ? as source').run(path)
    if (installationOf(db, 'main') !== installationOf(db, 'source')) return false
    const tables = leftOut.filter(table => table !== 'holder' && columnsOf(db, 'source', table).length > 0)
    db.transaction(() => tables.forEach(table => carryTable(db, table))).immediate()
    return true
  } finally {
    db.close()
  }
}

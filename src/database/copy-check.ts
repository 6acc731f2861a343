import { errorText } from '../lib/errors.ts'
import { connect } from './connect.ts'
import { DatabaseError } from './errors.ts'
import type { Db } from './query.ts'

/**
 * What a copy never holds, not even while it is made: live logins, invitations, pairings, who holds the file, and the salts that
 * versions before schema 16 kept in it.
 */
export const leftOut = ['day_salt', 'login_session', 'login_device', 'login_link', 'invitation', 'pairing', 'holder']

/** Tables of whose whole numbers the sums are compared, too: what reports say of visits and of orders. */
const summed = ['site_day', 'shop_order']

/** Rows, and sums of columns, by table; as text, since sums may be larger than numbers are exact. */
export type Totals = Readonly<Record<string, string>>

/** A name as SQL takes it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const plucked = (db: Db, sql: string): string[] => db.prepare(sql).pluck().all() as string[]

const columnsOf = (db: Db, schema: string, table: string): string[] =>
  summed.includes(table)
    ? (db.pragma(`${schema}.table_info(${quoted(table)})`) as { name: string; type: string }[])
        .filter(({ type }) => /^int/i.test(type))
        .map(({ name }) => name)
    : []

/** What a database has in all, apart from what no copy holds. */
export const totalsOf = (db: Db, schema: 'main' | 'source'): Totals => {
  const tables = plucked(
    db,
    `select name from ${schema}.sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not glob '_litestream_*'`,
  ).filter(name => !leftOut.includes(name))
  return Object.fromEntries(
    tables.map(table => {
      const sums = columnsOf(db, schema, table)
        .map(column => `|| ' ' || coalesce(sum(${quoted(column)}), 0)`)
        .join('')
      return [
        table,
        String(
          db
            .prepare(`select count(*) ${sums} from ${schema}.${quoted(table)}`)
            .pluck()
            .get(),
        ),
      ]
    }),
  )
}

/** The problems that SQLite finds in a file, one per line. SQLite returns several in one row, below a headline. */
export const problemsOf = (db: Db): string[] =>
  (db.pragma('integrity_check') as { integrity_check: string }[])
    .flatMap(row => row.integrity_check.split('\n'))
    .filter(text => text !== 'ok' && !text.startsWith('***'))

const differences = (found: Totals, expected: Totals): string[] =>
  [...new Set([...Object.keys(found), ...Object.keys(expected)])].filter(table => found[table] !== expected[table])

const secretsIn = (db: Db): string[] =>
  leftOut.filter(
    table =>
      db.prepare('select 1 from sqlite_schema where name = ?').get(table) !== undefined &&
      db.prepare(`select 1 from ${quoted(table)} limit 1`).get() !== undefined,
  )

const problemOf = (db: Db, expected: Totals): string | undefined => {
  const [unsound] = problemsOf(db)
  if (unsound !== undefined) return unsound
  const [other] = differences(totalsOf(db, 'main'), expected)
  if (other !== undefined) return `${other} is not what it was in the original`
  const [secret] = secretsIn(db)
  return secret === undefined ? undefined : `${secret} came along, which no copy may hold`
}

/** A copy that cannot even be read is no bug, nor a fault of the original. */
const problemOr = (find: () => string | undefined): string | undefined => {
  try {
    return find()
  } catch (error) {
    return errorText(error)
  }
}

/**
 * Opens a copy and compares it with what was copied: is it sound, are its totals those of the original in the same
 * state, and is nothing in it that a copy must not hold.
 * @throws DatabaseError
 */
export const checkCopy = (path: string, expected: Totals): void => {
  const db = connect(path, { readonly: true })
  try {
    const problem = problemOr(() => problemOf(db, expected))
    if (problem !== undefined)
      throw new DatabaseError(`The copy did not pass its check (${problem}). Nothing was replaced. Is the disk sound?`)
  } finally {
    db.close()
  }
}

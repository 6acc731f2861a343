// The schema of our files, and what in a file is not of it.
import recentIds from '../sql/migrations/0013-recent-ids.sql'
import recountVisits from '../sql/migrations/0014-recount-visits.sql'
import currencies from '../sql/migrations/0017-currencies.sql'
import counters from '../sql/migrations/0018-counters.sql'
import suspects from '../sql/migrations/0019-suspects.sql'
import heldUsers from '../sql/migrations/0020-held-users.sql'
import subscriptions from '../sql/migrations/0021-subscriptions.sql'
import startPage from '../sql/migrations/0022-start-page.sql'
import create from '../sql/schema.sql'
import { coarsenVisits } from './coarsen.ts'
import { connect } from './connect.ts'
import type { Db } from './query.ts'
import { moveSalts } from './salt-file.ts'

/** What changes the schema: SQL, or a function where SQL does not suffice. It runs in a transaction, and must not end it. */
export type Migration = string | ((db: Db) => void)

/** Every change since schema 12, the oldest that is read, in order; never edited or removed once it was released. */
const migrations: readonly Migration[] = [
  recentIds,
  recountVisits,
  coarsenVisits,
  moveSalts,
  currencies,
  counters,
  suspects,
  heldUsers,
  subscriptions,
  startPage,
]

/** What creates a file of `version`, and the changes since: the n-th migration brings a file to `version + n`. */
export type Schema = { create: string; version: number; migrations: readonly Migration[] }

export const schema: Schema = { create, version: 12, migrations }

export const newestVersion = ({ version, migrations }: Schema = schema): number => version + migrations.length

export const versionOf = (db: Db, file: 'main' | 'source' = 'main'): number =>
  Number(db.pragma(`${file}.user_version`, { simple: true }))

/** A table, index, view or trigger. */
export type Part = { type: string; name: string; sql: string }

/** SQLite's own tables; it makes the indexes of constraints as well, which have no text. */
const ofSqlite = /^sqlite_(?:sequence|stat[1-4])$/

/** What Litestream adds to a file that it replicates: plain tables, by which no code comes in. */
const ofLitestream = /^create table _litestream_(?:lock \(id integer\)|seq \(id integer primary key, seq integer\))$/i

const partsOf = (db: Db, file: 'main' | 'source'): Part[] =>
  (
    db.prepare(`select type, name, sql from ${file}.sqlite_schema where sql is not null order by rowid`).all() as Part[]
  ).filter(({ type, name, sql }) => type !== 'table' || !(ofSqlite.test(name) || ofLitestream.test(sql)))

const made = new WeakMap<Schema, Map<number, readonly Part[]>>()

const make = (known: Schema, version: number): readonly Part[] => {
  const db = connect(':memory:')
  try {
    db.pragma('foreign_keys = off')
    db.exec(known.create)
    for (const migration of known.migrations.slice(0, version - known.version))
      if (typeof migration === 'string') db.exec(migration)
      else migration(db)
    return partsOf(db, 'main')
  } finally {
    db.close()
  }
}

/** All that a file of this version consists of, in the order in which it is made. */
export const ownParts = (known: Schema, version: number): readonly Part[] => {
  const ofSchema = made.get(known) ?? new Map<number, readonly Part[]>()
  made.set(known, ofSchema)
  const parts = ofSchema.get(version) ?? make(known, version)
  ofSchema.set(version, parts)
  return parts
}

/** Without comments, spaces and quotes, which `alter table` moves and adds. */
const essence = ({ type, name, sql }: Part): string =>
  [type, name, sql.replace(/--.*$/gm, '').replace(/["\s]+/g, ' ')].join('\n')

/**
 * The names of what a file holds that is not of our schema, with their kind, such as `trigger keep`: its code would run
 * with our statements.
 */
export const foreignParts = (db: Db, known: Schema = schema, file: 'main' | 'source' = 'main'): string[] => {
  const own = new Set(ownParts(known, versionOf(db, file)).map(essence))
  return partsOf(db, file)
    .filter(part => !own.has(essence(part)))
    .map(({ type, name }) => `${type} ${name}`)
}

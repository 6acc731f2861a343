import { placeCopy } from './copy.ts'
import { DatabaseError } from './errors.ts'
import type { Db } from './query.ts'
import { foreignParts, type Migration, newestVersion, type Schema, schema, versionOf } from './schema.ts'

/** 'Foot' in ASCII: marks files as ours. */
const applicationId = 0x466f6f74

const pragma = (db: Db, name: string): number => Number(db.pragma(name, { simple: true }))

const countTables = (db: Db): number => Number(db.prepare('select count(*) from sqlite_schema').pluck().get())

/** @throws DatabaseError if the file belongs to another program */
export const refuseOther = (db: Db, path: string): void => {
  if (countTables(db) > 0 && pragma(db, 'application_id') !== applicationId) {
    throw new DatabaseError(`${path} is a database of another program. Name another file with --data.`)
  }
}

/** @throws DatabaseError naming what the file holds that Footfall has not made */
const refuseForeignParts = (db: Db, path: string, known: Schema): void => {
  const parts = versionOf(db) === 0 ? [] : foreignParts(db, known)
  if (parts.length === 0) return
  throw new DatabaseError(
    `${path} holds what Footfall has not made: ${parts.slice(0, 10).join(', ')}. Such parts can run code with every ` +
      'statement, so the file is not used. If you know them, drop them with sqlite3; if not, use another backup.',
  )
}

/**
 * Reads what kind of file it is, and changes nothing.
 * @throws DatabaseError if it belongs to another program, its schema is too old or too new, or it holds what is not of it
 */
export const refuseForeign = (db: Db, path: string, known: Schema = schema): void => {
  refuseOther(db, path)
  const version = versionOf(db)
  if (version > newestVersion(known)) {
    throw new DatabaseError(
      `${path} was written by a newer Footfall (schema ${version}; this one knows ${newestVersion(known)}). ` +
        'Use the newer version, or restore the copy that it made before it changed the file.',
    )
  }
  if (countTables(db) > 0 && version < known.version) {
    throw new DatabaseError(
      `${path} was written by an older Footfall (schema ${version}; this one reads ${known.version} or newer). ` +
        "Export it with the version that wrote it ('footfall export --format archive FILE'), " +
        "then import FILE into a new database with this one ('footfall import FILE --format archive').",
    )
  }
  refuseForeignParts(db, path, known)
}

export const isBehind = (db: Db, known: Schema): boolean => versionOf(db) < newestVersion(known)

/** Where the copy is that is made of a file before it leaves this version of its schema. */
export const copyBeforePath = (path: string, version: number): string => `${path}.schema-${version}`

/**
 * A copy next to the file, so that an upgrade can be undone with `restore`. Salts and logins stay in the file alone;
 * `restore` takes them from there.
 */
const copyBefore = (path: string, version: number, known: Schema): string => {
  const copy = copyBeforePath(path, version)
  placeCopy(path, copy, { known })
  return copy
}

/** Numbers that tables have assigned; a table that is made again would assign those of deleted rows a second time. */
const lastNumbers = (db: Db): { name: string; seq: number }[] =>
  db.prepare('select name from sqlite_schema where name = ?').get('sqlite_sequence') === undefined
    ? []
    : (db.prepare('select name, seq from sqlite_sequence').all() as { name: string; seq: number }[])

const keepNumbers = (db: Db, before: readonly { name: string; seq: number }[]): void => {
  const now = new Map(lastNumbers(db).map(({ name, seq }) => [name, seq]))
  for (const { name, seq } of before) {
    const table = db.prepare("select sql from sqlite_schema where type = 'table' and name = ?").pluck().get(name)
    if (!/\bautoincrement\b/i.test(String(table)) || (now.get(name) ?? 0) >= seq) continue
    db.prepare('delete from sqlite_sequence where name = ?').run(name)
    db.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, seq)
  }
}

/** @throws DatabaseError if a row refers to one that does not exist */
const checkReferences = (db: Db, path: string, version: number): void => {
  const [row] = db.pragma('foreign_key_check') as { table: string; parent: string }[]
  if (row === undefined) return
  throw new DatabaseError(
    `${path} was not changed: the migration to schema ${version} would leave rows of ${row.table} without their ` +
      `row of ${row.parent}. Use the version before, and report this.`,
  )
}

const runMigration = (db: Db, path: string, migration: Migration, version: number): void => {
  const before = lastNumbers(db)
  if (typeof migration === 'string') db.exec(migration)
  else migration(db)
  keepNumbers(db, before)
  checkReferences(db, path, version)
}

/**
 * Runs in one transaction whatever a file lacks, so that it is the old one or the new one. Foreign keys are off, as
 * SQLite's documentation demands for a table that is made again (https://sqlite.org/lang_altertable.html#otheralter):
 * dropping the old table would delete every row that refers to it.
 */
const change = (db: Db, work: () => void): void => {
  // Inside a transaction the pragma does nothing.
  db.pragma('foreign_keys = off')
  try {
    db.transaction(work).immediate()
  } finally {
    db.pragma('foreign_keys = on')
  }
}

/**
 * Creates the schema of a new file, or brings an existing file to the newest version.
 * @returns the path of the copy made before, or null if nothing had to change in an existing file
 * @throws DatabaseError if a migration would leave a row that refers to none; the file stays as it was
 */
export const migrate = (db: Db, path: string, known: Schema): string | null => {
  const version = versionOf(db)
  const isNew = version === 0
  const from = isNew ? known.version : version
  const pending = known.migrations.slice(from - known.version)
  if (!isNew && pending.length === 0) return null
  const copy = isNew ? null : copyBefore(path, version, known)
  change(db, () => {
    if (isNew) db.exec(known.create)
    pending.forEach((migration, index) => runMigration(db, path, migration, from + index + 1))
    db.pragma(`application_id = ${applicationId}`)
    db.pragma(`user_version = ${from + pending.length}`)
  })
  return copy
}

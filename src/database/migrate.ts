import { rmSync } from 'node:fs'
import create from '../sql/schema.sql'
import { copyDatabase } from './copy.ts'
import { DatabaseError } from './errors.ts'
import type { Db } from './query.ts'

/** What creates a new file of `version`, and the changes since: the n-th migration brings a file to `version + n`. */
export type Schema = { create: string; version: number; migrations: readonly string[] }

/** Until the first release, a change edits schema.sql and raises `version`; from then on, a change is a migration. */
export const schema: Schema = { create, version: 12, migrations: [] }

export const newestVersion = ({ version, migrations }: Schema = schema): number => version + migrations.length

/** 'Foot' in ASCII: marks files as ours. */
const applicationId = 0x466f6f74

const pragma = (db: Db, name: string): number => Number(db.pragma(name, { simple: true }))

export const versionOf = (db: Db): number => pragma(db, 'user_version')

const countTables = (db: Db): number => Number(db.prepare('select count(*) from sqlite_schema').pluck().get())

/** @throws DatabaseError if the file belongs to another program */
export const refuseOther = (db: Db, path: string): void => {
  if (countTables(db) > 0 && pragma(db, 'application_id') !== applicationId) {
    throw new DatabaseError(`${path} is a database of another program. Name another file with --data.`)
  }
}

/**
 * Reads what kind of file it is, and changes nothing.
 * @throws DatabaseError if it belongs to another program, or its schema is too old or too new
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
}

export const isBehind = (db: Db, known: Schema): boolean => versionOf(db) < newestVersion(known)

/** A copy without salts and logins next to the file, so that a failed upgrade can be undone with `restore`. */
const copyBefore = (path: string, version: number): string => {
  const copy = `${path}.schema-${version}`
  rmSync(copy, { force: true })
  copyDatabase(path, copy)
  return copy
}

/** Runs one script in one transaction together with the version that it leads to. */
const apply = (db: Db, sql: string, version: number): void => {
  db.transaction(() => {
    db.exec(sql)
    db.pragma(`application_id = ${applicationId}`)
    db.pragma(`user_version = ${version}`)
  }).immediate()
}

/**
 * Creates the schema of a new file, or brings an existing file to the newest version.
 * @returns the path of the copy made before, or null if nothing had to change in an existing file
 */
export const migrate = (db: Db, path: string, { create, version: first, migrations }: Schema): string | null => {
  const isNew = versionOf(db) === 0
  if (isNew) apply(db, create, first)
  const version = versionOf(db)
  const pending = migrations.slice(version - first)
  const copy = isNew || pending.length === 0 ? null : copyBefore(path, version)
  pending.forEach((sql, index) => apply(db, sql, version + index + 1))
  return copy
}

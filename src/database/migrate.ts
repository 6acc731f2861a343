import { rmSync } from 'node:fs'
import foundation from '../sql/migrations/0001-foundation.sql'
import shop from '../sql/migrations/0002-shop.sql'
import advisor from '../sql/migrations/0003-advisor.sql'
import { copyDatabase } from './copy.ts'
import { DatabaseError } from './errors.ts'
import type { Db } from './query.ts'

/** Forward only; the n-th brings a file to schema version n. Never edited once released. */
export const migrations: readonly string[] = [foundation, shop, advisor]

/** 'Foot' in ASCII: tells our files from other programs'. */
const applicationId = 0x466f6f74

const pragma = (db: Db, name: string): number => Number(db.pragma(name, { simple: true }))

/**
 * Reads what kind of file it is, and changes nothing.
 * @throws DatabaseError if it is another program's or a newer version's
 */
export const refuseForeign = (db: Db, path: string, known: number): void => {
  const version = pragma(db, 'user_version')
  const tables = Number(db.prepare('select count(*) from sqlite_schema').pluck().get())
  if (tables > 0 && pragma(db, 'application_id') !== applicationId) {
    throw new DatabaseError(`${path} is a database of another program. Name another file with --data.`)
  }
  if (version > known) {
    throw new DatabaseError(
      `${path} was written by a newer Footfall (schema ${version}; this one knows ${known}). ` +
        'Use the newer version, or restore the copy that it made before it changed the file.',
    )
  }
}

export const isBehind = (db: Db, list: readonly string[]): boolean => pragma(db, 'user_version') < list.length

/** A copy without salts and logins beside the file, so that a failed upgrade can be undone with `restore`. */
const copyBefore = (path: string, version: number): string => {
  const copy = `${path}.schema-${version}`
  rmSync(copy, { force: true })
  copyDatabase(path, copy)
  return copy
}

/**
 * Brings the file to the newest schema, each migration in one transaction with its version.
 * @returns the path of the copy made before, or null if nothing had to change in an existing file
 */
export const migrate = (db: Db, path: string, list: readonly string[] = migrations): string | null => {
  const version = pragma(db, 'user_version')
  if (version === list.length) return null
  const copy = version > 0 ? copyBefore(path, version) : null
  list.slice(version).forEach((sql, index) => {
    db.transaction(() => {
      db.exec(sql)
      db.pragma(`application_id = ${applicationId}`)
      db.pragma(`user_version = ${version + index + 1}`)
    }).immediate()
  })
  return copy
}

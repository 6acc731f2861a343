import { closeSync, existsSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import * as v from 'valibot'
import { loadState } from '../../database/saved-state.ts'
import { openReadOnly } from '../../database/open.ts'
import { get, query, type Db } from '../../database/query.ts'
import { serviceNoteSchema } from '../diagnostics/file.ts'
import countSalts from '../../sql/privacy.salts.sql'
import countSecrets from '../../sql/privacy.secrets.sql'
import { scanFile, type Traces } from './scan.ts'

const count = v.number()
const saltsQuery = query(
  countSalts,
  v.object({ second: count }),
  v.object({ salts: count, overdue: count, unlimited: count }),
)
const secretsQuery = query(countSecrets, v.object({}), v.object({ passwords: count, app_passwords: count }))

/** What the disk shows. Copies: other databases of ours beside the file and in the folder of backups, by name. */
export type Measured = {
  traces: Traces
  salts: { salts: number; overdue: number; unlimited: number }
  secrets: { passwords: number; appPasswords: number }
  copies: { looked: number; withSalt: string[] }
  open: string[]
}

const header = 'SQLite format 3\0'
const applicationIdAt = 68
const applicationId = 0x466f6f74

const isOurs = (path: string): boolean => {
  const bytes = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    return (
      readSync(file, bytes, 0, 100, 0) === 100 &&
      bytes.toString('latin1', 0, 16) === header &&
      bytes.readUInt32BE(applicationIdAt) === applicationId
    )
  } finally {
    closeSync(file)
  }
}

const hasSalt = (path: string): boolean => {
  const db = openReadOnly(path)
  try {
    return (
      Number(db.prepare("select count(*) from sqlite_schema where name = 'day_salt'").pluck().get()) > 0 &&
      (get(db, saltsQuery, { second: 0 })?.salts ?? 0) > 0
    )
  } finally {
    db.close()
  }
}

/** False for a file that is gone by now or cannot be read. */
const orNot = (look: () => boolean): boolean => {
  try {
    return look()
  } catch {
    return false
  }
}

/** The folder of the database, and the one into which the service copies it. */
const foldersOf = (db: Db, path: string): string[] => {
  const { backup_folder: backups } = loadState(db, 'service', serviceNoteSchema)?.config ?? {}
  return [...new Set([dirname(path), ...(typeof backups === 'string' ? [resolve(backups)] : [])])].filter(folder =>
    existsSync(folder),
  )
}

/** What tells a file apart under whatever name. */
const identityOf = (path: string): string => {
  const { dev, ino } = statSync(path)
  return `${dev}:${ino}`
}

/**
 * The database and all that SQLite keeps beside it. A process that opens and closes one of these by other means than
 * SQLite's loses every lock that it has on it (https://www.sqlite.org/howtocorrupt.html, 2.2), and with them the file.
 */
const untouchables = (path: string): Set<string> =>
  new Set(
    [path, realpathSync(path)]
      .flatMap(name => ['', '-wal', '-shm', '-lock', '-lock-journal'].map(end => `${name}${end}`))
      .filter(name => existsSync(name))
      .map(identityOf),
  )

/** A database that another process serves is no copy. */
const copiesIn = (folders: readonly string[], path: string): Measured['copies'] => {
  const own = untouchables(path)
  const others = folders
    .flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
    .filter(other =>
      orNot(
        () => statSync(other).isFile() && !own.has(identityOf(other)) && !existsSync(`${other}-lock`) && isOurs(other),
      ),
    )
  return {
    looked: others.length,
    withSalt: others.filter(other => orNot(() => hasSalt(other))).map(other => basename(other)),
  }
}

const openToOthers = (path: string): string[] =>
  ['', '-wal', '-shm']
    .map(end => `${path}${end}`)
    .filter(file => existsSync(file) && (statSync(file).mode & 0o077) !== 0)

const read = (db: Db, now: number): Pick<Measured, 'traces' | 'salts' | 'secrets'> => {
  const { passwords = 0, app_passwords = 0 } = get(db, secretsQuery, {}) ?? {}
  return {
    traces: scanFile(db),
    salts: get(db, saltsQuery, { second: now }) ?? { salts: 0, overdue: 0, unlimited: 0 },
    secrets: { passwords, appPasswords: app_passwords },
  }
}

/** Looks through the database and its folder. Takes as long as reading every text in the file. */
export const measureFile = (path: string, now: number): Measured => {
  const db = openReadOnly(path)
  try {
    return {
      ...db.transaction(() => read(db, now))(),
      copies: copiesIn(foldersOf(db, path), path),
      open: openToOthers(path),
    }
  } finally {
    db.close()
  }
}

import { closeSync, existsSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import * as v from 'valibot'
import { archiveFolder } from '../../archive/retention.ts'
import { everyDay } from '../../collection/enrich/salts.ts'
import { abandonedDrafts } from '../../database/drafts.ts'
import { openReadOnly } from '../../database/open.ts'
import { type Db, get, none, query } from '../../database/query.ts'
import { logHasSalts, openSaltFile } from '../../database/salt-file.ts'
import { loadState } from '../../database/saved-state.ts'
import { foreignParts } from '../../database/schema.ts'
import { statements } from '../../database/statements.ts'
import { addDays } from '../../lib/time.ts'
import { chooseZone } from '../../rollup/zone.ts'
import sqlText from '../../sql/privacy.sql'
import { serviceNoteSchema } from '../diagnostics/file.ts'
import { type Networks, networksIn } from './networks.ts'
import { scanFile, type Traces } from './scan.ts'

const sql = statements(sqlText)

const count = v.number()
const linkableQuery = query(
  sql('linkable'),
  v.object({ start: count, middle: count, end: count }),
  v.object({ visits: count, visitors: count, linkable: count }),
)
const secretsQuery = query(sql('secrets'), none, v.object({ passwords: count, app_passwords: count }))

/**
 * Facts about the files on disk. `copies`: names of other Footfall databases in the same folder and the backup folder.
 */
export type FileMeasurements = {
  traces: Traces
  networks: Networks
  /** `inLog`: the log may have those that a version before kept in the database. */
  salts: { salts: number; overdue: number; unlimited: number; inLog: boolean }
  secrets: { passwords: number; appPasswords: number }
  /** Visits of the last two whole days; those whose properties one visitor alone had on each of the days. */
  days: { visits: number; visitors: number; linkable: number }
  copies: { checked: number; withSalt: string[] }
  /** Names of backups, exports and archives that no process finishes. */
  unfinished: string[]
  /** What the file holds that is not of our schema, such as `trigger keep`. */
  foreign: string[]
  /** Files that other users can read. */
  open: string[]
}

const header = 'SQLite format 3\0'
const applicationIdAt = 68
const applicationId = 0x466f6f74

const isFootfallDatabase = (path: string): boolean => {
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
      Number(db.prepare('select count(*) from day_salt').pluck().get()) > 0
    )
  } finally {
    db.close()
  }
}

/** False for a file that has been removed meanwhile or cannot be read. */
const falseOnError = (check: () => boolean): boolean => {
  try {
    return check()
  } catch {
    return false
  }
}

/** The folder of the database, and that of the service's backups. */
const foldersOf = (db: Db, path: string): string[] => {
  const { backup_folder: backups } = loadState(db, 'service', serviceNoteSchema)?.config ?? {}
  return [...new Set([dirname(path), ...(typeof backups === 'string' ? [resolve(backups)] : [])])].filter(folder =>
    existsSync(folder),
  )
}

/** Identifies a file independently of its name. */
const identityOf = (path: string): string => {
  const { dev, ino } = statSync(path)
  return `${dev}:${ino}`
}

/**
 * The database and its companion files. A process that opens and closes one of these without SQLite drops its locks on
 * it (https://www.sqlite.org/howtocorrupt.html, 2.2), which can corrupt the database.
 */
const lockedFiles = (path: string): Set<string> =>
  new Set(
    [path, realpathSync(path)]
      .flatMap(name => ['', '-wal', '-shm', '-lock', '-lock-journal'].map(end => `${name}${end}`))
      .filter(name => existsSync(name))
      .map(identityOf),
  )

/** A database that is in use by a process is not a copy. */
const copiesIn = (folders: readonly string[], path: string): FileMeasurements['copies'] => {
  const own = lockedFiles(path)
  const others = folders
    .flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
    .filter(other =>
      falseOnError(
        () =>
          statSync(other).isFile() &&
          !own.has(identityOf(other)) &&
          !existsSync(`${other}-lock`) &&
          isFootfallDatabase(other),
      ),
    )
  return {
    checked: others.length,
    withSalt: others.filter(other => falseOnError(() => hasSalt(other))).map(other => basename(other)),
  }
}

const openToOthers = (path: string): string[] =>
  ['', '-wal', '-shm', '.salts']
    .map(end => `${path}${end}`)
    .filter(file => existsSync(file) && (statSync(file).mode & 0o077) !== 0)

const saltsOf = (db: Db, now: number): FileMeasurements['salts'] => {
  const salts = openSaltFile(db).list()
  return {
    salts: salts.length,
    overdue: salts.filter(({ expires_at }) => expires_at <= now).length,
    unlimited: salts.filter(({ day, expires_at }) => day < everyDay && expires_at > now + 3 * 86_400).length,
    inLog: logHasSalts(db),
  }
}

const daysOf = (db: Db, now: number): FileMeasurements['days'] => {
  const zone = chooseZone(db, null)
  const today = zone.dayOf(now)
  const [start, middle, end] = [zone.startOf(addDays(today, -2)), zone.startOf(addDays(today, -1)), zone.startOf(today)]
  return get(db, linkableQuery, { start, middle, end }) ?? { visits: 0, visitors: 0, linkable: 0 }
}

const read = (db: Db, now: number): Pick<FileMeasurements, 'traces' | 'networks' | 'salts' | 'secrets' | 'days'> => {
  const { passwords = 0, app_passwords = 0 } = get(db, secretsQuery, {}) ?? {}
  return {
    traces: scanFile(db),
    networks: networksIn(db),
    salts: saltsOf(db, now),
    secrets: { passwords, appPasswords: app_passwords },
    days: daysOf(db, now),
  }
}

/** Inspects the database and its folder. Reads every text in the file, which may take long. */
export const measureFile = (path: string, now: number): FileMeasurements => {
  const db = openReadOnly(path)
  try {
    const folders = foldersOf(db, path)
    return {
      ...db.transaction(() => read(db, now))(),
      copies: copiesIn(folders, path),
      unfinished: [...folders, archiveFolder(path)]
        .flatMap(folder => abandonedDrafts(folder))
        .map(one => basename(one)),
      foreign: foreignParts(db),
      open: openToOthers(path),
    }
  } finally {
    db.close()
  }
}

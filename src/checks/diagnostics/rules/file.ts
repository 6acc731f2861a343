import { newestVersion, schema } from '../../../database/migrate.ts'
import { sizeOf } from '../../../lib/size.ts'
import type { Facts, Rule } from './rule.ts'

const mebibyte = 2 ** 20
const maxWalBytes = 64 * mebibyte
/** Free disk space: below the first share a warning; below the second, or these bytes, critical. */
const lowShare = 0.05
const criticalShare = 0.01
const criticalBytes = 32 * mebibyte

const knownVersion = (): string => `this version uses schema ${newestVersion()}`

/** Rules that need no table. */
export const fileRules: readonly Rule<[facts: Facts]>[] = [
  {
    id: 'file_moved',
    status: 'critical',
    find: ({ inPlace, file }) =>
      !inPlace && {
        message:
          `${file.path} or its log was deleted, moved or replaced while the service runs: no visit is accepted ` +
          'any more.',
        fix:
          'Move it back, and the service continues by itself. Otherwise stop the service: it saves what it holds in a ' +
          "file beside the database, to be restored with 'footfall restore FILE'.",
      },
  },
  {
    id: 'storage',
    status: 'critical',
    find: ({ inPlace, storage }) =>
      inPlace &&
      storage !== null && {
        message: `The database cannot be written: ${storage}. Hits are answered with 503, and browsers send them again.`,
        fix:
          'Check the free space on the disk, owner and mode of the file and its folder, and programs that lock the file. ' +
          'The service continues by itself once the cause is gone.',
      },
  },
  {
    id: 'database_damaged',
    status: 'critical',
    find: ({ inPlace, file, integrity }) =>
      inPlace &&
      !(file.error === null && (integrity === 'ok' || integrity === 'checking')) && {
        message: `The database cannot be read in full: ${file.error ?? integrity}.`,
        fix:
          "Stop the service, then restore the last backup with 'footfall restore FILE'; the damaged file is kept. If " +
          `${file.path} was never Footfall's, name another file with --data.`,
      },
  },
  {
    id: 'schema_behind',
    status: 'warning',
    find: ({ file }) =>
      file.schema !== null &&
      file.content === null &&
      file.schema < newestVersion() && {
        message:
          `The file was written by an older version (schema ${file.schema}; ${knownVersion()}): its tables are ` +
          'not read.',
        fix:
          file.schema < schema.version
            ? 'Export it with the version that wrote it, then import the archive into a new database with this one.'
            : "'footfall serve' migrates it to the newest schema and keeps a copy beside it.",
      },
  },
  {
    id: 'schema_ahead',
    status: 'critical',
    find: ({ file }) =>
      file.schema !== null &&
      file.content === null &&
      file.schema >= newestVersion() && {
        message: `The file was written by a newer Footfall (schema ${file.schema}; ${knownVersion()}).`,
        fix: 'Use the newer version, or restore the copy that it made before it migrated the file.',
      },
  },
  {
    id: 'disk_full',
    status: 'critical',
    find: ({ file: { path, disk } }) => {
      const share = disk.free / disk.size
      return (
        share <= lowShare && {
          status: share > criticalShare && disk.free > criticalBytes ? 'warning' : 'critical',
          message: `The disk of ${path} has ${sizeOf(disk.free, 0)} left (${(share * 100).toFixed(1)}%).`,
          fix: 'Free some space: delete old backups, or keep single visits for fewer days (retention_days).',
        }
      )
    },
  },
  {
    id: 'wal_large',
    status: 'warning',
    find: ({ file }) =>
      file.walBytes > maxWalBytes && {
        message:
          `The write-ahead log has ${sizeOf(file.walBytes, 0)} and does not shrink: another program holds a read ` +
          'transaction open.',
        fix:
          'Close programs that keep the file open for long (sqlite3, other backup tools). A restart of the service ' +
          'empties the log.',
      },
  },
  {
    id: 'file_mode',
    status: 'warning',
    find: ({ file }) =>
      file.openToOthers && {
        message: 'Other users of this machine may read the database.',
        fix: `Run 'chmod 600 ${file.path}'.`,
      },
  },
]

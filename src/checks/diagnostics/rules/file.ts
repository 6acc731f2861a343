import { newestVersion, schema } from '../../../database/schema.ts'
import { sizeOf } from '../../../lib/size.ts'
import { say } from '../../sentences.ts'
import type { Facts, Rule } from './rule.ts'

const mebibyte = 2 ** 20
const maxWalBytes = 64 * mebibyte
/** Free disk space: below the first share a warning; below the second, or these bytes, critical. */
const lowShare = 0.05
const criticalShare = 0.01
const criticalBytes = 32 * mebibyte

/** Rules that need no table. */
export const fileRules: readonly Rule<[facts: Facts]>[] = [
  {
    id: 'file_moved',
    status: 'critical',
    find: ({ inPlace, file }) =>
      !inPlace && {
        message: say('file_moved', { path: file.path }),
        fix: say('file_moved_fix'),
      },
  },
  {
    id: 'storage',
    status: 'critical',
    find: ({ inPlace, storage }) =>
      inPlace &&
      storage !== null && {
        message: say('storage', { reason: storage }),
        fix: say('storage_fix'),
      },
  },
  {
    id: 'database_damaged',
    status: 'critical',
    find: ({ inPlace, file, integrity }) =>
      inPlace &&
      !(file.error === null && (integrity === 'ok' || integrity === 'checking')) && {
        message: say('database_damaged', { reason: file.error ?? integrity }),
        fix: say('database_damaged_fix', { path: file.path }),
      },
  },
  {
    id: 'schema_behind',
    status: 'warning',
    find: ({ file }) =>
      file.schema !== null &&
      file.content === null &&
      file.schema < newestVersion() && {
        message: say('schema_behind', { schema: file.schema, newest: newestVersion() }),
        fix: file.schema < schema.version ? say('schema_export_fix') : say('schema_behind_fix'),
      },
  },
  {
    id: 'schema_ahead',
    status: 'critical',
    find: ({ file }) =>
      file.schema !== null &&
      file.content === null &&
      file.schema >= newestVersion() && {
        message: say('schema_ahead', { schema: file.schema, newest: newestVersion() }),
        fix: say('schema_ahead_fix'),
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
          message: say('disk_full', { path, size: sizeOf(disk.free, 0), share: `${(share * 100).toFixed(1)}%` }),
          fix: say('disk_full_fix'),
        }
      )
    },
  },
  {
    id: 'wal_large',
    status: 'warning',
    find: ({ file }) =>
      file.walBytes > maxWalBytes && {
        message: say('wal_large', { size: sizeOf(file.walBytes, 0) }),
        fix: say('wal_large_fix'),
      },
  },
  {
    id: 'file_mode',
    status: 'warning',
    find: ({ file }) =>
      file.openToOthers && {
        message: say('file_mode'),
        fix: say('file_mode_fix', { path: file.path }),
      },
  },
]

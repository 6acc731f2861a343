import { type Db, withBusyTimeout } from './query.ts'

const isBusy = (result: unknown): boolean =>
  Array.isArray(result) &&
  typeof result[0] === 'object' &&
  result[0] !== null &&
  'busy' in result[0] &&
  result[0].busy !== 0

/**
 * Moves the write-ahead log into the database file and empties it, so that it contains no deleted data.
 * @returns false while a reader still needs the log: try again later. It does not wait
 */
export const truncateLog = (db: Db): boolean =>
  withBusyTimeout(db, 0, () => !isBusy(db.pragma('wal_checkpoint(truncate)')))

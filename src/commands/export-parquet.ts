// footfall export --format parquet --out FOLDER
import { exportParquet } from '../archive/parquet/export.ts'
import { rangesText } from '../archive/ranges.ts'
import { withSnapshot } from '../archive/snapshot.ts'
import { UsageError } from '../config/config.ts'
import { createProgress } from '../import/progress.ts'
import { ExpectedError } from '../lib/errors.ts'
import { createZone, type Day, toSeconds } from '../lib/time.ts'
import { findZone } from '../rollup/zone.ts'
import { lowerThreadPriority } from '../runtime/priority.ts'
import { orderRows } from '../shop/order-rows.ts'
import type { Call } from './command.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is on a disk that can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EEXIST: 'there is a file in its place',
  ENOTDIR: 'there is a file in its place',
}

/** An error of writing says what to do; the days that are complete stay. */
const explainError =
  (folder: string) =>
  (error: unknown): never => {
    const reason = error instanceof Error && 'code' in error ? reasons[String(error.code)] : undefined
    if (reason === undefined) throw error
    const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : folder
    throw new ExpectedError(
      `${path} cannot be written: ${reason}. Days that are complete stay; the same command goes on.`,
    )
  }

/** @throws UsageError unless the arguments are those of Parquet */
export const readFolder = ({ args, flags }: Pick<Call, 'args' | 'flags'>): string => {
  if (args.length > 0) throw new UsageError('--format parquet writes a folder: name it with --out instead of FILE.')
  if (flags.report !== undefined) throw new UsageError('--report requires --format csv.')
  if (typeof flags.out !== 'string' || flags.out === '')
    throw new UsageError('--format parquet requires --out with the name of a folder.')
  return flags.out
}

/** Says what was written, and which days were not, and why. */
export const writeParquet = async (call: Call, path: string, folder: string, from: Day, to: Day): Promise<void> => {
  const { flags, clock, print } = call
  // A service on the same machine goes first.
  lowerThreadPriority('reading')
  const progress = createProgress(process.stderr, 'Exporting', clock)
  const done = await withSnapshot(path, snapshot => {
    const zone = createZone(findZone(snapshot) ?? 'UTC')
    return exportParquet(snapshot, zone, {
      folder,
      from,
      to,
      again: flags.again === true,
      now: toSeconds(clock()),
      orders: orderRows(snapshot, zone, from, to),
      onDay: progress.show,
    })
  }).catch(explainError(folder))
  progress.clear()
  const lines: readonly (readonly [string, readonly Day[]])[] = [
    [`Written to ${folder}`, done.written],
    ['Only the orders written', done.orders],
    ['There already', done.present],
    ['Left as they are, as the database has no longer their single visits', done.kept],
    ['Not over, to be written by a later export', done.underWay],
  ]
  for (const [what, days] of lines) if (days.length > 0) print(`${what}: ${rangesText(days)}.`)
  if (lines.every(([, days]) => days.length === 0)) print('There are no days to write.')
}

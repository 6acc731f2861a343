// The whole of an import, or of its preview, for the command line and for a running service.
import { existsSync } from 'node:fs'
import { connect } from '../../database/connect.ts'
import { migrate } from '../../database/migrate.ts'
import { openReadOnly } from '../../database/open.ts'
import type { Db } from '../../database/query.ts'
import { schema } from '../../database/schema.ts'
import type { Day, Zone } from '../../lib/time.ts'
import { adoptZone, chooseZone } from '../../rollup/zone.ts'
import type { Format } from './format.ts'
import { closeInput, openInput } from './input.ts'
import type { HistoryOptions } from './prepare.ts'
import { type Present, presentIn } from './present.ts'
import { recognize } from './recognize.ts'
import { type HistoryReport, reportOf } from './report.ts'
import { importHistory } from './run.ts'

export type HistoryTarget = Pick<HistoryOptions, 'db' | 'zone' | 'present' | 'beside'>

/** What is imported, and how; `path` is the database's, next to which files are unpacked. */
export type HistoryRequest = Omit<HistoryOptions, keyof HistoryTarget | 'format' | 'files'> & {
  path: string
  files: readonly string[]
  formats: readonly Format[]
}

/**
 * Imports files, or goes on with an import that was interrupted.
 * @returns null if it was stopped
 * @throws ExpectedError if the files cannot be imported; nothing was then
 */
export const performImport = async (
  target: HistoryTarget,
  { path, files, formats, ...options }: HistoryRequest,
): Promise<HistoryReport | null> => {
  const input = await openInput(files, path)
  try {
    const found = await recognize(input, formats)
    const result = await importHistory({ ...target, ...options, ...found })
    return options.stopped() ? null : reportOf(target.db, target.zone, found.format, result, found)
  } finally {
    closeInput(input)
  }
}

/**
 * Runs a function with a database that nobody sees, which has the settings of the real one that decide on days.
 * @param timezone null for that of the file
 * @param use receives the real one as well, or the other if there is none yet
 */
export const withPreview = async <Result>(
  { path, timezone, now }: { path: string; timezone: string | null; now: number },
  use: (target: HistoryTarget, stored: Db) => Promise<Result>,
): Promise<Result> => {
  const stored: Db | null = existsSync(path) ? openReadOnly(path) : null
  const db = connect('')
  try {
    migrate(db, path, schema)
    const zone: Zone = chooseZone(stored ?? db, timezone)
    const present: Present = stored === null ? { own: new Set<Day>(), firstVisits: null } : presentIn(stored)
    adoptZone(db, zone, now)
    return await use({ db, zone, present, beside: null }, stored ?? db)
  } finally {
    stored?.close()
    db.close()
  }
}

import type { Header } from '../../archive/lines.ts'
import { readDemoMark } from '../../database/demo-mark.ts'
import type { Db } from '../../database/query.ts'
import type { TextLine } from '../../lib/split-lines.ts'
import { createTempTables } from '../../rollup/derive.ts'
import { isZlib } from '../source.ts'
import { saveProgress } from '../state.ts'
import { type ArchiveImport, type ArchiveOptions, openArchive, type Summary } from './one.ts'
import { isHeader, parseHeader } from './parse.ts'

export type RunOptions = Omit<ArchiveOptions, 'summary'> & { progress: (lines: number) => void; stopped: () => boolean }

const linesPerProgress = 10_000

/** Why an archive must not be imported: either it or the database has demo data. Null if both have, or neither. */
export const demoConflict = (db: Db, { demo }: Header): string | null => {
  const marked = readDemoMark(db) !== null
  if (marked === (demo !== undefined)) return null
  return marked
    ? 'The database holds demo data, and the archive real figures.'
    : 'The archive holds demo data, and the database real figures.'
}

/**
 * Imports one or several concatenated archives day by day, each day in its own transaction: a day with an error is
 * rolled back, and the others are kept. The first line must be that of an archive.
 */
export const runArchives = async (
  lines: AsyncIterable<TextLine>,
  { progress, stopped, ...options }: RunOptions,
): Promise<Summary> => {
  const { db, zone, report } = options
  const summary: Summary = {
    lines: 0,
    imported: [],
    resumed: [],
    present: [],
    refused: [],
    whole: new Set(),
    orders: 0,
    leftOut: 0,
    damaged: false,
    fingerprints: [],
  }
  const current: { archive: ArchiveImport | null } = { archive: null }

  const next = (first: string): void => {
    current.archive?.end()
    current.archive?.undo()
    const header = parseHeader(first)
    const problem =
      typeof header === 'string'
        ? header
        : header.timezone === zone.name
          ? demoConflict(db, header)
          : `The archive is one of another time zone, ${header.timezone}.`
    current.archive =
      typeof header === 'string' || problem !== null ? null : openArchive({ ...options, summary }, header, first)
    if (problem === null) return
    report(`Line ${summary.lines}: ${problem} Its days were passed over.`)
    summary.damaged = true
  }

  // Created before the first transaction, as a rollback would remove them.
  createTempTables(db)
  try {
    for await (const text of lines) {
      summary.lines += 1
      if (text !== null && (summary.lines === 1 || isHeader(text))) next(text)
      else current.archive?.add(text)
      if (summary.lines % linesPerProgress === 0) progress(summary.lines)
      if (stopped()) break
    }
    if (!stopped()) current.archive?.end()
  } catch (error) {
    if (!isZlib(error)) throw error
    report(`The archive is cut off or damaged after line ${summary.lines} (${error.message}).`)
    current.archive?.end()
    summary.damaged = true
  } finally {
    current.archive?.undo()
  }
  if (!stopped()) for (const fingerprint of summary.fingerprints) saveProgress(db, fingerprint, summary.lines, true)
  return summary
}

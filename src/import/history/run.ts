// Imports a history day by day, into a database that nothing else uses, or beside a running service.
import { setImmediate } from 'node:timers/promises'
import { ExpectedError } from '../../lib/errors.ts'
import { idsPerOrigin } from '../../lib/origins.ts'
import { addDays, type Day } from '../../lib/time.ts'
import { clearDirtyDay, dirtyDays, markDirty } from '../../rollup/changes.ts'
import { createTempTables, spanOf } from '../../rollup/derive.ts'
import { addHistory, daysOfHistory, findHistory, finishHistory, storeHistoryDay } from '../../rollup/imports.ts'
import { sumPeriods } from '../../rollup/periods.ts'
import { rawFrom } from '../../rollup/raw-from.ts'
import { rebuildDay, rebuildDirtyDays } from '../../rollup/rebuild.ts'
import { lowerRawFrom, raiseRawFrom } from '../../rollup/whole.ts'
import { createRows, type Rows } from '../archive/rows.ts'
import { createRules } from './context.ts'
import { fingerprintOf } from './input.ts'
import { createNotes, type Notes } from './notes.ts'
import { checkOverlap, type HistoryOptions, type Staged, stageFiles } from './prepare.ts'
import { writeSums } from './sums-day.ts'
import type { Tally } from './tally.ts'
import { createWriter, writeVisits } from './visits-day.ts'

export type HistoryResult = Staged & {
  /** 0 if there was nothing to import. */
  id: number
  notes: Notes
}

const fingerprint = ({ files, format, siteId, from, to }: HistoryOptions): string =>
  fingerprintOf(files, format.name, siteId ?? '', String(from), String(to))

/** Records the import, and that its days belong to it, before the first of them is written. */
const claimDays = (options: HistoryOptions, { tally, days, sourceZone }: Staged) => {
  const { db, format, now } = options
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return null
  return db
    .transaction(() => {
      const facts = {
        format: format.name,
        grain: format.grain,
        fingerprint: fingerprint(options),
        source_timezone: sourceZone,
        first_day: first,
        last_day: last,
        rows: tally.counts.rows,
        refused: tally.refusedRows(),
        started_at: now,
        notes: JSON.stringify({ lacks: format.lacks, raw_from: rawFrom(db) }),
      }
      const added = addHistory(db, facts, days)
      if (format.grain === 'sums') raiseRawFrom(db, addDays(last, 1))
      return added
    })
    .immediate()
}

const writeLedger = (
  rows: Rows,
  { day, accepted }: { day: Day; accepted: number },
  tally: Tally,
  options: HistoryOptions,
): void => {
  const span = spanOf(options.zone, day)
  const outcomes = [['accepted', accepted], ...tally.outcomes(day)] as const
  const received = outcomes.reduce((sum, [, requests]) => sum + requests, 0)
  for (const [outcome, requests] of [['received', received], ...outcomes] as const)
    if (requests > 0) rows.ledger({ type: 'ledger', day: '', outcome, requests }, span)
}

/** Recalculates a day that nobody else does; the service does so for days with all single visits. */
const deriveVisits = ({ db, zone, beside }: HistoryOptions, day: Day): void => {
  if (beside !== null && day >= rawFrom(db)) return markDirty(db, day)
  const marked = dirtyDays(db).filter(dirty => dirty.day === day)
  rebuildDay(db, zone, day)
  for (const dirty of marked) clearDirtyDay(db, dirty)
}

const writeDays = async (
  options: HistoryOptions,
  staged: Staged,
  origin: number,
  pending: readonly Day[],
  notes: Notes,
): Promise<void> => {
  const { db, zone, format, beside, progress, stopped } = options
  const { stage, tally } = staged
  const rows = createRows(db, id => origin * idsPerOrigin + id)
  const writer = createWriter({
    db,
    zone,
    rows,
    stage,
    cut: format.cut === true,
    estimate: format.lacks.includes('times'),
  })
  const pause = async (): Promise<boolean> => {
    await (beside?.pause() ?? setImmediate())
    return stopped()
  }
  createTempTables(db)
  for (const [index, day] of pending.entries()) {
    if (stopped()) return
    const span = spanOf(zone, day)
    if (format.grain === 'visits') {
      if (!(await writeVisits(writer, origin, span, pause))) return
      deriveVisits(options, day)
    }
    db.transaction(() => {
      rows.follow()
      if (format.grain === 'visits') writeLedger(rows, { day, accepted: stage.countDay(day) }, tally, options)
      else
        writeSums(
          db,
          span,
          stage.sums(day).map(text => JSON.parse(text)),
          rows,
          notes,
        )
      storeHistoryDay(db, day)
    }).immediate()
    progress('Writing', (index + 1) / pending.length, tally.counts.rows)
    await pause()
  }
}

/** Days that are out of date must be recalculated before sums come after them, and before visits join them. */
const bringUp = async ({ db, zone, now, beside }: HistoryOptions): Promise<void> => {
  const today = zone.dayOf(now)
  if (beside === null) rebuildDirtyDays(db, zone)
  else if (!(await beside.followed(() => dirtyDays(db).filter(({ day }) => day < today).length)))
    throw new ExpectedError('Past days are being recalculated. Import again when that is done. Nothing was imported.')
}

/**
 * Imports the files, or goes on with an import that was interrupted.
 * @returns null if there is no day to import
 * @throws ExpectedError
 */
export const importHistory = async (options: HistoryOptions): Promise<HistoryResult> => {
  const { db, zone, format, site, now, beside, stopped } = options
  const known = findHistory(db, fingerprint(options))
  if (known?.finished_at != null)
    throw new ExpectedError(
      `This was already imported as ${known.id}. To import it again, undo that first, in the settings or with footfall import --undo ${known.id}.`,
    )
  const claimed = known === undefined ? [] : daysOfHistory(db, known.id)
  const staged = await stageFiles(options, new Set(claimed.map(({ day }) => day)))
  const notes = createNotes(createRules(site, staged.tally).host(null))
  const result = { ...staged, notes }
  if (stopped()) return { ...result, id: 0, days: [] }
  checkOverlap(options, staged)
  await bringUp(options)
  const added = known ?? claimDays(options, staged)
  if (added === null) return { ...result, id: 0, days: [] }
  const stored = new Set(claimed.filter(one => one.stored).map(({ day }) => day))
  await writeDays(
    options,
    staged,
    added.origin,
    staged.days.filter(day => !stored.has(day)),
    notes,
  )
  if (stopped()) return { ...result, id: added.id }
  const days = new Set(staged.days)
  // The totals by month are told when they are there.
  await beside?.followed(() => (stopped() ? 0 : dirtyDays(db).filter(({ day }) => days.has(day)).length))
  finishHistory(db, added.id, now)
  if (format.grain === 'visits') lowerRawFrom(db, zone, days)
  sumPeriods(db, zone.dayOf(now))
  return { ...result, id: added.id }
}

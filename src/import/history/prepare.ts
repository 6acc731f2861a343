// Reads a history, and decides which of its days are imported.

import { rangesText } from '../../archive/ranges.ts'
import type { Db } from '../../database/query.ts'
import { ExpectedError } from '../../lib/errors.ts'
import { historyTitles } from '../../lib/histories.ts'
import { createZone, type Day, type Zone } from '../../lib/time.ts'
import type { Context, Site } from './context.ts'
import type { Format } from './format.ts'
import type { InputFile } from './input.ts'
import type { Present } from './present.ts'
import { createDayFilter, readHistory } from './read.ts'
import { createStage } from './stage.ts'
import { createTally } from './tally.ts'

/** How an import lets a running service go on. */
export type Beside = {
  /** Between two transactions. */
  pause: () => Promise<void>
  /** Waits until the service has recalculated days, of which so many are left; whether it has. */
  followed: (left: () => number) => Promise<boolean>
}

export type HistoryOptions = {
  db: Db
  /** Null if nothing else writes to the file. */
  beside: Beside | null
  zone: Zone
  /** The zone of times without an offset; null for that of the format. */
  sourceTimezone: string | null
  format: Format
  files: readonly InputFile[]
  site: Site
  /** Which site of the files; null for the only one. */
  siteId: string | null
  /** Whether days that have data are left out, or nothing is imported. */
  overlap: 'skip' | 'refuse'
  from: Day | null
  to: Day | null
  present: Present
  /** The current time in seconds. */
  now: number
  progress: (phase: 'Reading' | 'Writing', share: number, rows: number) => void
  stopped: () => boolean
}

/** Sums are of days that begin at the same moments as ours. */
const zoneOfSource = ({ format, sourceTimezone, zone }: HistoryOptions): Zone => {
  const hasTimes = format.grain === 'visits' || !format.lacks.includes('hours')
  if (!hasTimes && sourceTimezone !== null && sourceTimezone !== zone.name)
    throw new ExpectedError(
      `The sums of ${historyTitles[format.name]} are those of days in ${sourceTimezone}, but the days here are those of ${zone.name}: ` +
        `they begin at other hours. Import them into a new file, with --data and --timezone ${sourceTimezone}.`,
    )
  const name = sourceTimezone ?? (hasTimes ? format.zone : undefined) ?? zone.name
  return name === zone.name ? zone : createZone(name)
}

/** Reads the files into the stage. @throws ExpectedError */
export const stageFiles = async (options: HistoryOptions, claimed: ReadonlySet<Day>) => {
  const { db, zone, format, files, site, siteId, from, to, present, now, progress, stopped } = options
  const tally = createTally()
  const stage = createStage(db)
  const filter = createDayFilter({
    from,
    to,
    today: zone.dayOf(now),
    own: new Set([...present.own].filter(day => !claimed.has(day))),
    firstVisits: format.grain === 'sums' && claimed.size === 0 ? present.firstVisits : null,
  })
  const sourceZone = zoneOfSource(options)
  const context: Context = { site, zone, sourceZone, stage, tally, takes: filter.takes }
  const bytes = files.reduce((sum, { source }) => sum + source.bytes, 0)
  const recognised = await stage.within(() =>
    readHistory({
      format,
      files,
      context,
      site: siteId,
      progress: (done, rows) => progress('Reading', done / Math.max(bytes, 1), rows),
      stopped,
    }),
  )
  const days = stage.days().filter(day => {
    const isComplete = format.grain === 'visits' || tally.hasTotals(day)
    if (!isComplete) filter.skipped.set(day, 'without_totals')
    return isComplete
  })
  return { tally, stage, recognised, days, skipped: filter.skipped, sourceZone: sourceZone.name }
}

export type Staged = Awaited<ReturnType<typeof stageFiles>>

/** @throws ExpectedError */
export const checkOverlap = ({ overlap }: HistoryOptions, { skipped }: Staged): void => {
  const days = [...skipped].filter(([, reason]) => reason === 'own_data').map(([day]) => day)
  if (overlap === 'refuse' && days.length > 0)
    throw new ExpectedError(`These days have data already: ${rangesText(days)}. Nothing was imported.`)
}

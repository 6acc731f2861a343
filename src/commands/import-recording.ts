import { setImmediate } from 'node:timers/promises'
import { createCollector } from '../collection/collector.ts'
import { siteHosts } from '../config/config.ts'
import { readSources } from '../config/rule-files.ts'
import type { Db } from '../database/query.ts'
import { describeGeoip } from '../geoip/open.ts'
import type { GeoReader } from '../geoip/reader.ts'
import type { Format } from '../import/line.ts'
import { createLineReport } from '../import/line-report.ts'
import { mergedLines } from '../import/merge.ts'
import { checkOrder, type Order, type RecordingFile, sortLines } from '../import/order.ts'
import { createProgress } from '../import/progress.ts'
import { runImport, type Summary } from '../import/run.ts'
import { isZlib } from '../import/source.ts'
import { findProgress, newestSecond, saveProgress } from '../import/state.ts'
import { type IsTaken, noteLog, takenLines } from '../import/taken-logs.ts'
import { ExpectedError, errorText } from '../lib/errors.ts'
import { type Day, timeText, toSeconds, type Zone } from '../lib/time.ts'
import { packDays } from '../packed/packed-days.ts'
import { dirtyDays } from '../rollup/changes.ts'
import { noteImport } from '../rollup/imported.ts'
import { sumPeriods } from '../rollup/periods.ts'
import { rawFrom } from '../rollup/raw-from.ts'
import { rebuildDirtyDaysUntil } from '../rollup/rebuild.ts'
import { judgeDays } from '../rollup/suspects.ts'
import { loadRules } from '../settings/refusal-rules.ts'
import { loadSettings } from '../settings/settings.ts'
import type { Call } from './command.ts'
import { noteCommand, optionsWith } from './database.ts'
import { watchStopSignal } from './stop.ts'

// What an import of recorded requests or an access log has done, for the terminal.

type Duration = { importing: number; rebuilding: number }

const formatted = (count: number): string => count.toLocaleString('en')
const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

const maxReasons = 24

/** What was skipped, most frequent first: endings of paths, methods, statuses. */
const skippedLines = (reasons: ReadonlyMap<string, number>): string[] => {
  const sorted = [...reasons].sort(([, one], [, other]) => other - one)
  const shown = sorted.slice(0, maxReasons).map(([reason, count]) => `${formatted(count)} ${reason}`)
  const rest = sumOf(new Map(sorted.slice(maxReasons)))
  if (shown.length === 0) return []
  return [
    `Skipped: ${[...shown, ...(rest > 0 ? [`${formatted(rest)} others`] : [])].join(', ')}. To count some of these paths, ` +
      'name them with --page-pattern.',
  ]
}

/** The rows of the summary. */
const describeSummary = (summary: Summary, days: number, { importing, rebuilding }: Duration): string[] => {
  const { lines, skipped, passedOver, taken, outcomes, invalid } = summary
  const done = lines - skipped
  const rows: [string, number][] = [
    ['lines', done],
    ...outcomes,
    ['skipped (no page view)', sumOf(passedOver)],
    ['imported before', taken],
    ['invalid', invalid],
    ['days rebuilt', days],
  ]
  const pace = formatted(Math.round(done / Math.max(importing, 0.001)))
  return [
    ...rows
      .filter(([name, count]) => count > 0 || name === 'lines')
      .map(([name, count]) => `${formatted(count).padStart(12)}  ${name}`),
    ...skippedLines(passedOver),
    `${importing.toFixed(1).padStart(12)}  seconds (${pace} lines per second), ` +
      `and ${rebuilding.toFixed(1)} to rebuild the days`,
  ]
}

/** What to do about a reason for which everything was refused. */
const remedies: Readonly<Record<string, string>> = {
  foreign_host: 'Their host is not one of the site: name it with --site-url or --allowed-hosts.',
  bot: 'Their user agents are those of bots, or empty.',
  excluded_ip: 'Their addresses are in the setting excluded_ips.',
  dnt: 'Their browsers ask not to be tracked, and the setting respect_dnt is on.',
  gpc: 'Their browsers ask not to be tracked, and the setting respect_gpc is on.',
  rule: "A rule of 'footfall rules' refuses them.",
  off: 'The setting tracking_enabled is off.',
  no_consent: 'The setting consent_mode asks for consent, which no recording of a server has.',
}

/** Why an import has counted nothing, if all that could be counted was refused for one reason; else null. */
const whyNothing = ({ outcomes, taken, skipped, invalid }: Summary): string | null => {
  const [[reason, count] = ['', 0], ...others] = [...outcomes]
  if (reason === '' || reason === 'accepted' || reason === 'repeated' || others.length > 0) return null
  if (taken + skipped + invalid > 0) return null
  return `Nothing was counted: all ${formatted(count)} requests were refused as ${reason}. ${remedies[reason] ?? ''}`.trim()
}

type Recording = {
  call: Call
  format: Format
  db: Db
  zone: Zone
  order: Order
  isStopped: () => boolean
}

const isLog = ({ flags }: Call): boolean => flags.format === 'access-log'

/** Of access logs, which grow and overlap, lines that were imported before are left out. */
const takenBy = (call: Call, db: Db): IsTaken =>
  isLog(call) && call.flags.again !== true ? takenLines(db) : () => false

const orderOf = async (call: Call, files: readonly RecordingFile[], format: Format, db: Db): Promise<Order> => {
  const { clock } = call
  const progress = createProgress(process.stderr, 'Reading', clock)
  try {
    return await checkOrder(files, format, takenBy(call, db), progress.show)
  } catch (error) {
    if (!isZlib(error)) throw error
    throw new ExpectedError(`The file is cut off or damaged (${error.message}). Nothing was imported.`)
  } finally {
    progress.clear()
  }
}

/** Rejects a recording that would be counted incorrectly, before its first line is imported. */
const checkRecording = (db: Db, order: Order, flags: Call['flags']): void => {
  const { outOfOrder } = order
  if (outOfOrder !== null && flags.sort !== true)
    throw new ExpectedError(
      `${order.files.length > 1 ? `${outOfOrder.file}: ` : ''}Line ${outOfOrder.line} is earlier than a line before it. ` +
        'Sort the file by time, or add --sort. Nothing was imported.',
    )
  const newest = newestSecond(db)
  const first = order.firstNew
  if (newest !== null && first !== null && newest > first && flags.merge !== true && flags.again !== true)
    throw new ExpectedError(
      `The database has activity at ${timeText(newest)}, after the first line (${timeText(first)}). ` +
        'Import into a new file with --data, or add --merge: imported visits are then not joined with stored ones.',
    )
}

const geoReaderOf = (cityFile: string | null, db: Db, warn: Call['warn']): GeoReader | null => {
  const { geo, facts } = describeGeoip(cityFile, db.name)
  if (facts.error !== null) warn(`Locations will be unknown: ${facts.error}.`)
  return geo
}

const importLines = async ({ call, format, db, zone, order, isStopped }: Recording): Promise<Summary> => {
  const { flags, clock, warn } = call
  const config = optionsWith(call, db, ['siteUrl', 'allowedHosts', 'keepQuery', 'sources', 'geoipCity'])
  const corrections = readSources(config.sources)
  const currentTime = toSeconds(clock())
  const settings = loadSettings(db)
  const progress = createProgress(process.stderr, 'Importing', clock)
  const report = createLineReport(sentence => {
    progress.clear()
    warn(sentence)
  })
  let now = currentTime
  let place = ''
  const lines = mergedLines(order.files, format, current => {
    place = current
  })
  const isSorted = flags.sort === true
  const summary = await runImport(isSorted ? await sortLines(lines, format) : lines, {
    db,
    zone,
    format,
    fingerprint: order.fingerprint,
    isTaken: takenBy(call, db),
    onFinish: () => {
      if (isLog(call) && order.span !== null) noteLog(db, order.span)
    },
    rawFrom: rawFrom(db),
    now: currentTime,
    setNow: at => {
      now = at
    },
    createCollector: alongside =>
      createCollector({
        db,
        zone,
        alongside,
        now: () => now,
        settings: () => settings,
        allowedHosts: siteHosts(config),
        keepQuery: config.keepQuery,
        corrections,
        geo: geoReaderOf(config.geoipCity, db, warn),
        roleOf: () => null,
        rules: { list: loadRules(db) },
        isLog: isLog(call),
        onCommit: () => {},
        onError: error => warn(errorText(error)),
      }),
    report: (line, reason) => report.add(isSorted ? `Line ${line}` : place, reason),
    progress: done => progress.show(order.lines === 0 ? 1 : done / order.lines, done),
    stopped: isStopped,
  })
  progress.clear()
  report.end()
  return summary
}

/** Judges visits that have just been imported. @returns what is said of those that look automated */
const judgeVisits = (recording: Recording): string[] => {
  const { call, db, zone } = recording
  const days = new Set(dirtyDays(db).map(({ day }) => day))
  const found = judgeDays(db, zone, [...days], toSeconds(call.clock()))
  if (!isLog(call)) return []
  return [
    `${formatted(found)} of these days' visits look automated, by network and pace. The other rules do not apply: an access log ` +
      'has no headers of scripts and no screens, and does not tell whether a page was looked at.',
  ]
}

/** Updates the rollups and packs past days. Returns the days that were rebuilt. */
const rebuildDays = async ({ call, db, zone, order, isStopped }: Recording): Promise<Day[]> => {
  const { clock } = call
  const progress = createProgress(process.stderr, 'Rebuilding days', clock)
  const days = await rebuildDirtyDaysUntil(db, zone, isStopped, (done, all) => progress.show(done / all, done))
  progress.clear()
  const { first } = order
  noteImport(
    db,
    isLog(call) ? 'access-log' : 'requests',
    first === null ? [] : days.filter(day => day >= zone.dayOf(first)),
  )
  if (isStopped()) return days
  const today = zone.dayOf(toSeconds(clock()))
  sumPeriods(db, today)
  // One at a time, so that a stop signal is handled between them; the service packs the rest.
  while (!isStopped() && packDays(db, zone, today, () => true)) await setImmediate()
  return days
}

/** Imports recorded requests or an access log. Returns the exit code, 1 if it was stopped or a line was invalid. */
export const importRecording = async (
  call: Call,
  files: readonly RecordingFile[],
  format: Format,
  { db, zone }: { db: Db; zone: Zone },
): Promise<number> => {
  const { flags, clock, print, warn } = call
  const order = await orderOf(call, files, format, db)
  for (const name of order.repeated) warn(`${name} has the same content as another file; it counts once.`)
  if (flags.again === true && findProgress(db, order.fingerprint).finished)
    saveProgress(db, order.fingerprint, 0, false)
  const before = findProgress(db, order.fingerprint)
  if (before.finished) {
    print('This recording has already been imported; there is nothing to do. To count it once more, add --again.')
    return 0
  }
  if (before.lines === 0) checkRecording(db, order, flags)
  else print(`Resuming after line ${before.lines.toLocaleString('en')}, where the import was stopped.`)

  const isStopped = watchStopSignal(warn)
  const recording = { call, format, db, zone, order, isStopped }
  const started = clock()
  const summary = await importLines(recording)
  const imported = clock()
  noteCommand(call, db, 'import_done', { format: String(flags.format) })
  const judged = judgeVisits(recording)
  const days = await rebuildDays(recording)
  const duration = { importing: (imported - started) / 1000, rebuilding: (clock() - imported) / 1000 }
  for (const line of [...describeSummary(summary, days.length, duration), ...judged]) print(line)
  if (isStopped())
    warn('Stopped. Run the same import again to resume. The service rebuilds the remaining days when it starts.')
  const nothing = isStopped() ? null : whyNothing(summary)
  if (nothing !== null) warn(nothing)
  return isStopped() || summary.invalid > 0 || nothing !== null ? 1 : 0
}

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
import { recordingNumbering } from '../import/recording-numbers.ts'
import { type ImportOptions, runImport, type Summary } from '../import/run.ts'
import { isZlib } from '../import/source.ts'
import { findProgress, newestSecond, saveProgress } from '../import/state.ts'
import { type IsTaken, noteLog, takenLines } from '../import/taken-logs.ts'
import { ExpectedError, errorText } from '../lib/errors.ts'
import { type Day, eachDay, timeText, toSeconds } from '../lib/time.ts'
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
import type { Place } from './import-beside.ts'
import { describeSummary, formatted, whyNothing } from './recording-summary.ts'
import { watchStopSignal } from './stop.ts'

type Recording = Place & {
  call: Call
  format: Format
  /** The first second whose lines are left for later. */
  until: number
  order: Order
  isStopped: () => boolean
}

const isLog = ({ flags }: Call): boolean => flags.format === 'access-log'

/** Of access logs, which grow and overlap, lines that were imported before are left out. */
const takenBy = (call: Call, db: Db): IsTaken =>
  isLog(call) && call.flags.again !== true ? takenLines(db) : () => false

/** Seconds after a day in which the service may still add to it: a record may be an hour late, and a visit goes on. */
const lateness = 2 * 3600

/** Beside a service only days are imported in which it counts no longer. */
const firstOpenSecond = ({ clock }: Call, { zone, beside }: Place): number =>
  beside === null ? Number.MAX_SAFE_INTEGER : zone.startOf(zone.dayOf(toSeconds(clock()) - lateness))

const orderOf = async (
  call: Call,
  files: readonly RecordingFile[],
  { format, db, until }: Pick<Recording, 'format' | 'db' | 'until'>,
): Promise<Order> => {
  const { clock } = call
  const progress = createProgress(process.stderr, 'Reading', clock)
  try {
    return await checkOrder(files, format, takenBy(call, db), until, progress.show)
  } catch (error) {
    if (!isZlib(error)) throw error
    throw new ExpectedError(`The file is cut off or damaged (${error.message}). Nothing was imported.`)
  } finally {
    progress.clear()
  }
}

/** Rejects a recording that would be counted incorrectly, before its first line is imported. */
const checkRecording = ({ call, db, order, until }: Recording): void => {
  const { flags } = call
  const { outOfOrder, last } = order
  if (!isLog(call) && last !== null && last >= until)
    throw new ExpectedError(
      `The recording goes on until ${timeText(last)}. While the service runs, recorded requests must end before ` +
        `${timeText(until)}, since it still counts what came after. Stop the service, or import later. Nothing was imported.`,
    )
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

/** Lines in a transaction: of few, hits beside them wait the less. */
const groupOf = ({ beside }: Place): ImportOptions['group'] =>
  beside === null ? { lines: 10_000, pause: async () => {} } : { lines: 500, pause: beside.pause }

const importLines = async (recording: Recording): Promise<Summary> => {
  const { call, format, db, zone, beside, until, order, isStopped } = recording
  const { flags, clock, warn } = call
  const config = optionsWith(call, db, ['siteUrl', 'allowedHosts', 'keepQuery', 'sources', 'geoipCity'])
  const corrections = readSources(config.sources)
  const currentTime = toSeconds(clock())
  const settings = loadSettings(db)
  const numbering = beside === null ? undefined : recordingNumbering(db)
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
    rawFrom: () => rawFrom(db),
    until,
    group: groupOf(recording),
    now: currentTime,
    setNow: at => {
      now = at
    },
    createCollector: alongside =>
      createCollector({
        db,
        zone,
        ...(numbering !== undefined && { beside: numbering }),
        alongside: () => {
          alongside()
          numbering?.save()
        },
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

/** The days from the first line to the last that is imported. */
const daysOf = ({ zone, order: { firstNew, last }, until }: Recording): Day[] =>
  firstNew === null || last === null || firstNew >= until
    ? []
    : eachDay(zone.dayOf(firstNew), zone.dayOf(Math.min(last, until - 1)))

/** Judges visits that have just been imported. @returns what is said of those that look automated */
const judgeVisits = (recording: Recording): string[] => {
  const { call, db, zone } = recording
  const found = judgeDays(db, zone, daysOf(recording), toSeconds(call.clock()))
  if (!isLog(call)) return []
  return [
    `${formatted(found)} of these days' visits look automated, by network and pace. The other rules do not apply: an access log ` +
      'has no headers of scripts and no screens, and does not tell whether a page was looked at.',
  ]
}

/** Updates the rollups; the service does so itself. @returns the days that were rebuilt */
const rebuildDays = async (recording: Recording): Promise<Day[]> => {
  const { call, db, zone, beside, isStopped } = recording
  if (beside !== null) {
    const days = daysOf(recording)
    const isDone = await beside.followed(() =>
      isStopped() ? 0 : dirtyDays(db).filter(({ day }) => days.includes(day)).length,
    )
    if (!isDone) call.warn('The service has not recalculated all days yet: it goes on.')
    return days
  }
  const progress = createProgress(process.stderr, 'Rebuilding days', call.clock)
  const days = await rebuildDirtyDaysUntil(db, zone, isStopped, (done, all) => progress.show(done / all, done))
  progress.clear()
  return days
}

/** Brings the figures up to date, and packs past days. @returns the days that were rebuilt */
const finishDays = async (recording: Recording): Promise<Day[]> => {
  const { call, db, zone, beside, order, isStopped } = recording
  const days = await rebuildDays(recording)
  const { first } = order
  noteImport(
    db,
    isLog(call) ? 'access-log' : 'requests',
    first === null ? [] : days.filter(day => day >= zone.dayOf(first)),
  )
  if (isStopped()) return days
  const today = zone.dayOf(toSeconds(call.clock()))
  sumPeriods(db, today)
  // One at a time, so that a stop signal is handled between them; the service packs the rest.
  while (beside === null && !isStopped() && packDays(db, zone, today, () => true)) await setImmediate()
  return days
}

/** Imports recorded requests or an access log. Returns the exit code, 1 if it was stopped or a line was invalid. */
export const importRecording = async (
  call: Call,
  files: readonly RecordingFile[],
  format: Format,
  place: Place,
): Promise<number> => {
  const { flags, clock, print, warn } = call
  const { db } = place
  const until = firstOpenSecond(call, place)
  const order = await orderOf(call, files, { format, db, until })
  for (const name of order.repeated) warn(`${name} has the same content as another file; it counts once.`)
  if (flags.again === true && findProgress(db, order.fingerprint).finished)
    saveProgress(db, order.fingerprint, 0, false)
  const before = findProgress(db, order.fingerprint)
  if (before.finished) {
    print('This recording has already been imported; there is nothing to do. To count it once more, add --again.')
    return 0
  }
  const isStopped = watchStopSignal(warn)
  const recording = { ...place, call, format, until, order, isStopped }
  if (before.lines === 0) checkRecording(recording)
  else print(`Resuming after line ${formatted(before.lines)}, where the import was stopped.`)

  const started = clock()
  const summary = await importLines(recording)
  const imported = clock()
  noteCommand(call, db, 'import_done', { format: String(flags.format) })
  const judged = judgeVisits(recording)
  const days = await finishDays(recording)
  const duration = { importing: (imported - started) / 1000, rebuilding: (clock() - imported) / 1000 }
  for (const line of [...describeSummary(summary, days.length, duration), ...judged]) print(line)
  if (summary.left > 0)
    print(`The service still counts the days from ${timeText(until)} on. Import the same log again when they are over.`)
  if (isStopped())
    warn('Stopped. Run the same import again to resume. The service rebuilds the remaining days when it starts.')
  const nothing = isStopped() ? null : whyNothing(summary)
  if (nothing !== null) warn(nothing)
  return isStopped() || summary.invalid > 0 || nothing !== null ? 1 : 0
}

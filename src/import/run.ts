import type { Collector } from '../collection/collector.ts'
import type { Db } from '../database/query.ts'
import type { TextLine } from '../lib/split-lines.ts'
import type { Day, Zone } from '../lib/time.ts'
import type { Format, Line } from './line.ts'
import { createReplay } from './replay.ts'
import { maxLine, tooLong } from './source.ts'
import { findProgress, saveProgress } from './state.ts'
import type { IsTaken } from './taken-logs.ts'

/** The result of an import. */
export type Summary = {
  lines: number
  /** Lines of an earlier run of the same import. */
  skipped: number
  /** Lines without anything to count, by reason. */
  passedOver: Map<string, number>
  taken: number
  /** Lines of days that the service still counts, left for a later import. */
  left: number
  outcomes: Map<string, number>
  invalid: number
}

export type ImportOptions = {
  db: Db
  zone: Zone
  format: Format
  fingerprint: string
  isTaken: IsTaken
  /** Called in the transaction that finishes the import. */
  onFinish: () => void
  /** Sets the collector's clock. */
  setNow: (at: number) => void
  /** `alongside` saves the progress in the transaction that stores the lines. */
  createCollector: (alongside: () => void) => Collector
  /** The current time in seconds. */
  now: number
  /** The first day that still has raw rows; earlier lines would not change any report. */
  rawFrom: () => Day
  /** The first second whose lines are left. */
  until: number
  /** Lines in a transaction, and what is waited for after it. */
  group: { lines: number; pause: () => Promise<void> }
  report: (line: number, reason: string) => void
  progress: (lines: number) => void
  stopped: () => boolean
}

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Replays lines through the pipeline, each at its own time, in groups that are committed with the progress. */
export const runImport = async (
  lines: AsyncIterable<TextLine> | Iterable<TextLine>,
  options: ImportOptions,
): Promise<Summary> => {
  const { db, zone, format, fingerprint, setNow, group } = options
  const summary: Summary = {
    lines: 0,
    skipped: findProgress(db, fingerprint).lines,
    passedOver: new Map(),
    taken: 0,
    left: 0,
    outcomes: new Map(),
    invalid: 0,
  }
  // A group may be committed while the next line is being parsed.
  let taken = summary.skipped
  const collector = options.createCollector(() => saveProgress(db, fingerprint, taken, false))
  const replay = createReplay({
    collector,
    zone,
    setNow,
    tally: outcome => count(summary.outcomes, outcome),
    writeError:
      'The database could not be written. Free some disk space and start the same import again: it goes on where it stopped.',
  })

  const reject = (reason: string): void => {
    summary.invalid += 1
    options.report(summary.lines, reason)
  }

  let rawFrom = options.rawFrom()
  const take = async (line: Line): Promise<void> => {
    if ('skipped' in line) return count(summary.passedOver, line.skipped)
    if ('problem' in line) return reject(line.problem)
    if (zone.dayOf(line.incoming.at) < rawFrom)
      return reject('the single visits of its day were deleted; it would change no report')
    await replay.take(line.incoming, line.body)
  }

  for await (const text of lines) {
    summary.lines += 1
    // Each line is asked for, as those of a second are distinguished by their number.
    const at = text === null ? null : format.timeOf(text)
    const isTaken = text !== null && at !== null && options.isTaken(text, at)
    if (summary.lines <= summary.skipped) continue
    if (at !== null && at >= options.until) summary.left += 1
    else if (isTaken) summary.taken += 1
    else if (text === null) reject(tooLong(maxLine))
    else if (text.trim() !== '') await take(format.parse(text))
    // An import that is stopped goes on at the first line that was left.
    if (summary.left === 0) taken = summary.lines
    if (summary.lines % group.lines === 0) {
      await replay.flush()
      await group.pause()
      rawFrom = options.rawFrom()
      options.progress(summary.lines)
      if (options.stopped()) break
    }
  }
  await replay.flush()
  // The salts of the recorded days have expired.
  collector.salts.destroyExpired(options.now)
  db.transaction(() => {
    collector.ledger.write(db)
    const isFinished = !options.stopped()
    // What was left is looked for from the beginning: the lines that were taken are known.
    saveProgress(db, fingerprint, isFinished && summary.left > 0 ? 0 : taken, isFinished && summary.left === 0)
    if (isFinished) options.onFinish()
  }).immediate()
  collector.ledger.settle()
  return summary
}

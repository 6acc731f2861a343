import type { Collected, Collector } from '../collection/collector.ts'
import { busyTimeout } from '../database/connect.ts'
import type { Db } from '../database/query.ts'
import { addDays, type Zone } from '../time.ts'
import { isWrongLine, type Format, type Line } from './line.ts'
import { findProgress, saveProgress } from './state.ts'

/** What became of an import. */
export type Summary = { lines: number, skipped: number, passedOver: number, outcomes: Map<string, number>, wrong: number }

export type ImportOptions = {
  db: Db
  zone: Zone
  format: Format
  fingerprint: string
  /** Sets the collector's clock. */
  setNow: (second: number) => void
  /** Made with `alongside`, which writes how far the import has come together with the lines. */
  createCollector: (alongside: () => void) => Collector
  /** Now, by the clock of this machine. */
  present: number
  /** The first day that still has its raw rows: earlier lines would change nothing any more. */
  rawFrom: number
  report: (line: number, reason: string) => void
  progress: (lines: number) => void
  stopped: () => boolean
}

const atOnce = 10_000
const grace = 30 * 60
const hour = 3600

/** A group that could not be written: the lines before it are in the file, and the import goes on from there. */
export class ImportStorageError extends Error {
  override name = 'CommandError'
}

/** Replays lines through the pipeline, each at its own time, in groups that are committed with their progress. */
export const runImport = async (lines: AsyncIterable<string> | Iterable<string>, options: ImportOptions): Promise<Summary> => {
  const { db, zone, format, fingerprint, setNow } = options
  const summary: Summary = { lines: 0, skipped: findProgress(db, fingerprint).lines, passedOver: 0, outcomes: new Map(), wrong: 0 }
  // A group may be committed while the next line is still looked at.
  let taken = summary.skipped
  const collector = options.createCollector(() => saveProgress(db, fingerprint, taken, false))
  const pending: Promise<void>[] = []
  let saltsDue = 0
  let pruneDue = 0
  let started = false

  const tally = ({ outcome }: Collected): void => {
    if (outcome === 'storage') throw new ImportStorageError('The file could not be written. Start the same import again when there is room: it goes on where it stopped.')
    summary.outcomes.set(outcome, (summary.outcomes.get(outcome) ?? 0) + 1)
  }

  const flush = async (): Promise<void> => {
    collector.queue.flush()
    await Promise.all(pending.splice(0))
  }

  /** What the service does by the clock happens here by the times of the lines. */
  const passTime = async (second: number): Promise<void> => {
    setNow(second)
    if (!started) collector.restore()
    started = true
    if (second >= saltsDue) {
      await flush()
      collector.salts.destroyExpired(second)
      const today = zone.dayOf(second)
      const soon = zone.startOf(today) + grace
      saltsDue = second < soon ? soon : zone.startOf(addDays(today, 1))
    }
    if (second >= pruneDue) {
      await flush()
      collector.prune()
      collector.forgetRecent()
      pruneDue = second + hour
    }
  }

  const reject = (reason: string): void => {
    summary.wrong += 1
    options.report(summary.lines, reason)
  }

  const take = async (line: Line): Promise<void> => {
    if (line === null) {
      summary.passedOver += 1
      return
    }
    if (isWrongLine(line)) return reject(line.wrong)
    if (zone.dayOf(line.incoming.second) < options.rawFrom) return reject('the single visits of its day were deleted; it would change no report')
    await passTime(line.incoming.second)
    const collected = collector.collect(line.incoming, line.body)
    if (collected instanceof Promise) pending.push(collected.then(tally))
    else tally(collected)
  }

  for await (const text of lines) {
    summary.lines += 1
    if (summary.lines <= summary.skipped) continue
    if (text.trim() !== '') await take(format.parse(text))
    taken = summary.lines
    if (summary.lines % atOnce === 0) {
      await flush()
      options.progress(summary.lines)
      if (options.stopped()) break
    }
  }
  await flush()
  collector.queue.finish(busyTimeout)
  // Nobody comes back to the days of the recording: their salts go as if those days had passed here.
  collector.salts.destroyExpired(options.present)
  db.transaction(() => {
    collector.ledger.write(db)
    saveProgress(db, fingerprint, taken, !options.stopped())
  }).immediate()
  collector.ledger.settle()
  return summary
}

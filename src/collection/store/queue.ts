import { busyTimeout } from '../../database/connect.ts'
import { isCode, isStorageError } from '../../database/errors.ts'
import { createLogSync } from '../../database/log-sync.ts'
import type { Db } from '../../database/query.ts'
import { withBusyTimeout } from '../../database/busy-timeout.ts'
import { createHistogram, type Histogram } from '../../metrics/histogram.ts'
import type { Changes } from '../../rollup/changes.ts'
import type { Day } from '../../lib/time.ts'
import { whenInputIdle } from './when-input-idle.ts'
import type { Ledger } from './ledger.ts'
import type { Outcome, VisitRecord, Waiter } from '../record.ts'
import type { Writer } from './writer.ts'

/** `until`: when it has waited long enough for a lock, by the process's own clock. */
type Waiting = { record: VisitRecord; day: Day; until: number; waiter: Waiter }

const longest = 20_000
/** Milliseconds to the next try where another process has the file; meanwhile everything else goes on. */
const nextTry = 5
/** The largest group for which waiting for the disk costs less than handing the sync to another thread. */
const small = 4

/**
 * Group commit: records wait for the sync under way, and for others that are just being read, then go into the next
 * commit together. No timer is needed, and few are committed at once. While the disk works, the next requests are read.
 */
export type Queue = {
  /** The waiter is told when the record is synced to the file; 'storage' if it could not be written. */
  add: (record: VisitRecord, day: Day, waiter: Waiter) => void
  /** Commits all that waits, and syncs it, now. */
  flush: () => void
  /** Writes what commits have left for later; waits only so many milliseconds for another process that has the file. */
  finish: (patience: number) => void
  depth: () => number
  /** Whether the file has all that was committed, with nothing left for later. */
  isWritten: () => boolean
  /** How long commits took, since the start, and how many failed. */
  commits: Histogram
  failures: () => number
  /** What kept the last commit from the file; null once one was written. */
  problem: () => unknown
  /** Waits for nothing: what was not flushed is lost. */
  close: () => void
}

export const createQueue = (options: {
  db: Db
  writer: Writer
  ledger: Ledger
  now: () => number
  /** Written with each group, in its transaction. */
  alongside: () => void
  /** Before each commit; throws where the file is not in its place any more. */
  check: () => void
  /** First of all in each transaction: takes up what other processes have changed. */
  follow: () => void
  /** What a commit has changed. */
  committed: (changes: Changes) => void
  failed: (error: unknown) => void
}): Queue => {
  const { db, writer, ledger } = options
  const log = createLogSync(db)
  const transaction = db.transaction((work: () => void) => work())
  /** Runs work in one transaction that takes the write lock at its beginning. */
  const inTransaction = (work: () => void): void => transaction.immediate(work)
  const commits = createHistogram()
  let waiting: Waiting[] = []
  let scheduled: object | null = null
  let syncing = false
  let stale = false
  let failures = 0
  let problem: unknown = null
  // biome-ignore lint/correctness/noUnusedVariables: ??= reads it
  let finishing: NodeJS.Timeout | null = null

  /** One commit for all; if it fails, nothing of it counts, and memory is read anew from the file before the next. */
  const commit = (batch: readonly Waiting[]): Outcome[] => {
    options.check()
    const started = performance.now()
    const outcomes: Outcome[] = []
    inTransaction(() => {
      if (stale) writer.restore(options.now())
      stale = true
      options.follow()
      for (const { record } of batch) outcomes.push(writer.add(record))
      writer.finish(batch.length, options.now())
      options.alongside()
      ledger.write(
        db,
        outcomes.map((outcome, index) => ({ outcome, day: batch[index]?.day ?? 0 })),
      )
    })
    commits.observe((performance.now() - started) / 1000)
    ledger.settle()
    stale = false
    problem = null
    options.committed(writer.takeChanges())
    return outcomes
  }

  const refuse = (batch: readonly Waiting[], error: unknown): void => {
    const storage = isStorageError(error)
    if (storage) problem = error
    options.failed(error)
    for (const { day, waiter } of batch) {
      ledger.count(day, 'storage')
      if (storage) waiter.settle('storage')
      else waiter.fail(error)
    }
  }

  /** Another process has the file: who has waited long enough is refused, the others wait for the next try. */
  const waitOn = (batch: readonly Waiting[], error: unknown): void => {
    const patient = batch.filter(({ until }) => until > performance.now())
    waiting = [...patient, ...waiting]
    if (patient.length < batch.length)
      refuse(
        batch.filter(one => !patient.includes(one)),
        error,
      )
    schedule(work => setTimeout(work, nextTry))
  }

  /**
   * Commits a group; one that fails by a bug in one of its records is tried again one by one, so that the others stay.
   * @returns the outcomes of the group if it was committed as one, else null: all are answered, or wait again
   */
  const tryCommit = (
    batch: readonly Waiting[],
    patience: number,
    run: (work: () => Outcome[]) => Outcome[],
  ): Outcome[] | null => {
    try {
      return withBusyTimeout(db, patience, () => run(() => commit(batch)))
    } catch (error) {
      if (patience === 0 && isCode(error, 'SQLITE_BUSY')) {
        waitOn(batch, error)
        return null
      }
      failures++
      if (isStorageError(error) || batch.length === 1) refuse(batch, error)
      else batch.forEach(one => settle([one], patience))
      return null
    }
  }

  const answer = (batch: readonly Waiting[], outcomes: readonly Outcome[]): void =>
    batch.forEach(({ waiter }, index) => waiter.settle(outcomes[index] ?? 'storage'))

  const settle = (batch: readonly Waiting[], patience: number): void => {
    const outcomes = tryCommit(batch, patience, work => work())
    if (outcomes !== null) answer(batch, outcomes)
  }

  /** What the disk did not take was committed all the same; sent again, it is known by its id. */
  const settleLater = (batch: readonly Waiting[]): void => {
    const outcomes = tryCommit(batch, 0, log.unsynced)
    if (outcomes === null) return schedule()
    syncing = true
    log.sync(error => {
      syncing = false
      if (error !== null) {
        problem = error
        options.failed(error)
      }
      answer(batch, error === null ? outcomes : [])
      schedule()
    })
  }

  const take = (): Waiting[] => {
    scheduled = null
    const batch = waiting
    waiting = []
    return batch
  }

  const commitWaiting = (patience: number): void => {
    const batch = take()
    if (batch.length > 0) settle(batch, patience)
  }

  const schedule = (begin: (work: () => void) => unknown = setImmediate): void => {
    if (scheduled !== null || syncing || waiting.length === 0) return
    const group = (scheduled = {})
    // It may have been flushed meanwhile.
    begin(() => {
      if (group === scheduled && waiting.length <= small) commitWaiting(0)
      else
        whenInputIdle(
          () => waiting.length,
          () => {
            if (group === scheduled) settleLater(take())
          },
        )
    })
  }

  const finish = (patience: number): void => {
    if (stale || !writer.isBehind()) return
    try {
      withBusyTimeout(db, patience, () =>
        inTransaction(() => {
          stale = true
          writer.finishAll()
        }),
      )
      stale = false
      options.committed(writer.takeChanges())
    } catch (error) {
      if (patience === 0 && isCode(error, 'SQLITE_BUSY')) {
        finishing ??= setTimeout(() => {
          finishing = null
          if (db.open) finish(0)
        }, nextTry)
        return
      }
      // Nothing is lost: it is counted again before the next commit.
      options.failed(error)
    }
  }

  return {
    add: (record, day, waiter) => {
      if (waiting.length >= longest) {
        ledger.count(day, 'storage')
        waiter.settle('storage')
        return
      }
      waiting.push({ record, day, until: performance.now() + busyTimeout, waiter })
      schedule()
    },
    flush: () => commitWaiting(busyTimeout),
    finish,
    problem: () => problem,
    depth: () => waiting.length,
    isWritten: () => !stale && waiting.length === 0 && !writer.isBehind(),
    commits,
    failures: () => failures,
    close: log.close,
  }
}
